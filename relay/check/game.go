package check

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/match/audit"
	"broadside/relay/client"
)

// situation is one test game with a client.
type situation struct {
	name, about string
	clientSide  match.Side
	aim         aimMode
	// lineEnding is \n if empty.
	lineEnding string
	// bytewise sends each byte separately.
	bytewise bool
	// joined sends all pending lines in one write.
	joined bool
	// expectSilence checks that the client sends nothing while it must wait.
	expectSilence bool
	// pause is the delay before some messages.
	pause time.Duration
	// hangUpAfter closes the connection after that many shots, unless it is 0.
	hangUpAfter int
}

// aimMode is where the check fires. The zero value fires like a good player.
type aimMode uint8

const (
	// aimToLose never fires at a cell where a ship would sink.
	aimToLose aimMode = iota + 1
	// aimToRepeat also fires at cells already fired at.
	aimToRepeat
)

// situations are in the order in which they are played.
var situations = []situation{
	{name: "defend-first", about: "defends first, against a strong opponent", clientSide: match.First},
	{name: "attack-first", about: "attacks first, against a strong opponent", clientSide: match.Second},
	{name: "defend-first-win", about: "defends first, against a weak opponent, and wins", clientSide: match.First, aim: aimToLose},
	{name: "attack-first-win", about: "attacks first, against a weak opponent, and wins", clientSide: match.Second, aim: aimToLose},
	{name: "wait", about: "waits for its role, the start and each answer", clientSide: match.Second, expectSilence: true, pause: 100 * time.Millisecond},
	{name: "repeats", about: "answers for cells that were fired at before", clientSide: match.First, aim: aimToRepeat},
	{name: "crlf", about: `takes lines that end in \r\n`, clientSide: match.First, lineEnding: "\r\n"},
	{name: "cr", about: `takes lines that end in a bare \r`, clientSide: match.Second, lineEnding: "\r"},
	{name: "bytewise", about: "takes lines byte by byte", clientSide: match.First, bytewise: true},
	{name: "joined", about: "takes several lines in one piece", clientSide: match.Second, joined: true},
	{name: "hang-up", about: "notices that the opponent left", clientSide: match.First, hangUpAfter: 5},
	{name: "hang-up-waiting", about: "notices it while it waits for an answer", clientSide: match.Second, hangUpAfter: 3},
	{name: "again", about: "plays on after that", clientSide: match.First},
}

// game is one game with a client. The check plays the other side.
type game struct {
	*runner
	situation   situation
	game        *match.Game
	bot         bots.Bot
	clientShots int
	clientTurns int
	over        bool
}

func (g *game) checkSide() match.Side { return g.situation.clientSide.Other() }

// clientChart returns what the check knows of the client's fleet.
func (g *game) clientChart() match.Chart { return g.game.Chart(g.checkSide()) }

// silenceTime is how long the check watches a client that must stay silent.
const silenceTime = 100 * time.Millisecond

// playGame plays the game and returns the client's fault.
func (g *game) playGame() error {
	if err := g.placeFleets(); err != nil {
		return err
	}
	if err := g.sendStart(); err != nil {
		return err
	}
	done := false
	var err error
	if g.situation.clientSide == match.First {
		done, err = g.fireTurn("")
	}
	for !done && err == nil {
		done, err = g.playRound()
	}
	if err != nil || g.situation.hangUpAfter > 0 {
		return err
	}
	return g.checkEnd()
}

// placeFleets places the fleets and chooses the check's bot.
func (g *game) placeFleets() error {
	rules, side := g.request.Rules, g.situation.clientSide
	g.game = match.NewGame(rules, audit.Forfeit)
	fleets := []match.Command{match.PlaceCommand(g.checkSide(), rules.RandomLayout(g.rng)), match.KeepCommand(side)}
	if g.request.Uniform {
		layout := g.request.Layout
		if layout == nil {
			layout = rules.RandomLayout(g.rng)
		}
		fleets[1] = match.PlaceCommand(side, layout)
	}
	for _, c := range fleets {
		if _, err := g.game.Apply(c); err != nil {
			return newViolation(ruleSpeak, "the fleet is not legal: %v", err)
		}
	}
	var err error
	g.bot, err = bots.New("commodore", bots.Config{Rules: rules, Rand: g.rng})
	if err != nil {
		return newViolation(ruleSpeak, "the program asked for rules that cannot be checked: %v", err)
	}
	return nil
}

// sendStart sends the client its role and the start.
func (g *game) sendStart() error {
	op := client.Defend
	if g.situation.clientSide == match.Second {
		op = client.Assault
	}
	role, start := client.Message{Op: op}.String(), client.Message{Op: client.Start}.String()
	if g.situation.joined {
		return g.sendLines(role + "\n" + start)
	}
	err := g.sendLines(role)
	if err == nil && g.situation.expectSilence {
		err = g.checkSilence("before the start")
	}
	if err != nil {
		return err
	}
	return g.sendLines(start)
}

// sendLines sends lines in the situation's way.
func (g *game) sendLines(lines string) error {
	s := g.situation
	if s.pause > 0 && g.rng.IntN(20) == 0 {
		time.Sleep(s.pause)
	}
	for line := range strings.SplitSeq(lines, "\n") {
		g.logLine("> " + line)
	}
	lineEnding := cmp.Or(s.lineEnding, "\n")
	text := []byte(strings.ReplaceAll(lines, "\n", lineEnding) + lineEnding)
	pieces := [][]byte{text}
	if s.bytewise {
		pieces = slices.Collect(slices.Chunk(text, 1))
	}
	for i, piece := range pieces {
		if err := g.program.Write(piece); err != nil {
			return err
		}
		// One pause keeps the network from merging all bytes.
		if i > 0 && i == len(pieces)/2 {
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

// playRound plays a turn of the client and a turn of the check. It reports whether the game is over.
func (g *game) playRound() (done bool, err error) {
	events, err := g.receiveShots()
	if err != nil {
		return false, err
	}
	if g.situation.hangUpAfter > 0 && g.situation.clientSide == match.Second && g.clientShots > g.situation.hangUpAfter {
		return g.checkHangUp()
	}
	if g.situation.expectSilence && g.clientTurns%10 == 3 {
		if err := g.checkSilence("while it had to wait for the result of its shot"); err != nil {
			return false, err
		}
	}
	answers, done := formatResults(events), g.game.Phase() == match.Over
	if done || !g.situation.joined {
		if err := g.sendLines(answers); err != nil {
			return false, err
		}
		answers = ""
	}
	if done {
		return true, nil
	}
	return g.fireTurn(answers)
}

// receiveShots receives the client's shots of one turn. It returns the events of the last shot, which
// include all results.
func (g *game) receiveShots() (events []match.Event, err error) {
	rules, side := g.game.Rules(), g.situation.clientSide
	g.clientTurns++
	turn := g.game.Turn()
	for range turn.Shots {
		m, err := g.program.Expect(client.Attack, g.cfg.Move)
		if err != nil {
			return nil, err
		}
		g.clientShots++
		known := g.game.Chart(side)
		if known.Shots.Has(m.Cell) && !rules.Moving {
			g.warn(ruleShots, "the program fired at %d,%d again: that is legal, but wastes a shot", m.Cell.X, m.Cell.Y)
		}
		events, err = g.game.Apply(match.FireCommand(side, m.Cell))
		switch {
		case errors.Is(err, match.ErrOffBoard):
			return nil, newViolation(ruleCell, "the shot %v is off the board: X and Y go from 0 to %d", m, rules.Size-1)
		case err != nil:
			return nil, newViolation(ruleCell, "the program fired at %d,%d twice in one turn", m.Cell.X, m.Cell.Y)
		}
	}
	most := 4 * rules.Size * rules.Size
	if g.clientShots > most {
		return nil, newViolation(ruleShots, "the program has not found all ships after %d shots", most)
	}
	return events, nil
}

// formatResults returns the lines with the results among the events.
func formatResults(events []match.Event) string {
	var lines []string
	for _, e := range events {
		if e.Kind == match.ShotAnswered {
			lines = append(lines, client.Message{Op: client.Result, Cell: e.Cell, Result: e.Result}.String())
		}
	}
	return strings.Join(lines, "\n")
}

// fireTurn sends pending, which are lines or empty, and the check's shots, and receives their results.
func (g *game) fireTurn(pending string) (done bool, err error) {
	if g.game.CanMove(g.checkSide()) {
		if _, err := g.game.Apply(match.MoveCommand(g.checkSide(), g.bot.Move(g.game.FleetStatus(g.checkSide())))); err != nil {
			return false, err
		}
	}
	chart, turn := g.clientChart(), g.game.Turn()
	// chosen has this turn's cells.
	var chosen match.Set
	cells := chart.AppendTargets(nil, turn.Shots, func(chart *match.Chart) match.Cell {
		cell := g.chooseTarget(chart, chosen)
		chosen.Add(cell)
		return cell
	})
	if _, err := g.game.Apply(match.FireCommand(g.checkSide(), cells...)); err != nil {
		return false, err
	}
	var lines []string
	if pending != "" {
		lines = append(lines, pending)
	}
	for _, cell := range cells {
		lines = append(lines, client.Message{Op: client.Attack, Cell: cell}.String())
	}
	if err := g.sendLines(strings.Join(lines, "\n")); err != nil {
		return false, err
	}
	cut := g.situation.hangUpAfter
	if cut > 0 && g.situation.clientSide == match.First && chart.Fired+len(cells) > cut {
		return g.checkHangUp()
	}
	for g.game.ActingSide() == g.situation.clientSide && !g.request.Uniform {
		turn := g.game.Turn()
		if !turn.IsPending() {
			break
		}
		if err := g.receiveResult(turn.Targets[len(turn.Answers)]); err != nil {
			return false, err
		}
	}
	return g.game.Phase() == match.Over, nil
}

// receiveResult receives the client's result of a shot at cell.
func (g *game) receiveResult(cell match.Cell) error {
	m, err := g.program.Expect(client.Result, g.cfg.Move)
	if err != nil {
		return err
	}
	chart := g.clientChart()
	_, err = g.game.Apply(match.AnswerCommand(g.situation.clientSide, m.Cell, m.Result))
	v := g.game.View(match.Nobody)
	switch {
	case errors.Is(err, match.ErrWrongCell):
		return newViolation(ruleAnswer, "the program answered for %d,%d, but the shot was at %d,%d", m.Cell.X, m.Cell.Y, cell.X, cell.Y)
	case err != nil:
		return newViolation(ruleAnswer, "unknown result: expected 1 miss, 2 hit, 3 sunk or 4 last ship sunk")
	case v.Reason != match.Contradiction:
		return nil
	case chart.Shots.Has(cell) && !chart.Rules.Moving:
		return newViolation(ruleTruth, "the program answered %v for a cell that was fired at before with the result %s: "+
			"answer with the cell's current state, a miss, a hit while the ship floats, or sunk", m, markName(chart.Mark(cell)))
	}
	return newViolation(ruleTruth, "no legal fleet of the rules %s gives the answer %v after those before: %s", chart.Rules.Name, m, describeHits(&chart))
}

// describeHits describes the results so far, for error messages.
func describeHits(chart *match.Chart) string {
	hits := chart.Hits.Len() + chart.Sunk.Len()
	return fmt.Sprintf("%d cells were hit, %d ships sunk, and the fleet has %d cells in %d ships",
		hits, chart.SunkShips, chart.Rules.FleetCellCount(), len(chart.Rules.Fleet))
}

func markName(m match.Mark) string {
	switch m {
	case match.Struck:
		return "hit"
	case match.Wrecked:
		return "sunk"
	}
	return "miss"
}

// chooseTarget returns the next cell to fire at. It is not among chosen, the cells of the same turn,
// which count as shots in chart.
func (g *game) chooseTarget(chart *match.Chart, chosen match.Set) match.Cell {
	known := g.clientChart()
	pick := func(cells match.Set) (match.Cell, bool) {
		cells = cells.Minus(chosen)
		if cells.IsEmpty() {
			return match.Cell{}, false
		}
		return cells.Nth(g.rng.IntN(cells.Len())), true
	}
	switch n := known.Fired + chosen.Len(); g.situation.aim {
	case aimToRepeat:
		// A random choice might include none of the cells already hit.
		again := known.Hits.Union(known.Sunk)
		if n%4 == 1 {
			again = known.Shots
		}
		if cell, ok := pick(again); ok && n%2 == 1 {
			return cell
		}
	case aimToLose:
		harmless := chart.Rules.Cells().Minus(chart.Shots)
		for hit := range known.Hits.All() {
			for h := match.North; h <= match.West; h++ {
				harmless.Remove(hit.Step(h, 1))
			}
		}
		for _, cells := range [...]match.Set{harmless, known.Shots} {
			if cell, ok := pick(cells); ok {
				return cell
			}
		}
	}
	if chart.OpenCells().IsEmpty() {
		for _, cells := range [...]match.Set{chart.Rules.Cells().Minus(chart.Shots), known.Shots} {
			if cell, ok := pick(cells); ok {
				return cell
			}
		}
	}
	return g.bot.Fire(chart)
}

// checkHangUp closes the connection during the game and returns an error if the client does not notice.
func (g *game) checkHangUp() (done bool, err error) {
	// CloseWrite fails if the client has disconnected.
	g.program.CloseWrite()
	// The client may have sent messages before the close.
	for err == nil {
		_, err = g.program.Receive(g.cfg.Move)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return false, newViolation(ruleEnd,
			"the opponent left and the connection was closed, but the program is still there after %v", g.cfg.Move)
	}
	return true, nil
}

// checkEnd sends the game's result, and warns if the client sends more or does not close its connection.
func (g *game) checkEnd() error {
	g.over = true
	if g.request.UsesDirectives {
		outcome := "lost"
		v := g.game.View(match.Nobody)
		if v.Winner == g.situation.clientSide {
			outcome = "won"
		}
		if err := g.program.SendLine(fmt.Sprintf("%% result %s sunk shots=%d", outcome, g.clientShots)); err != nil {
			return err
		}
		if g.gamesLeft > 1 {
			return nil
		}
	}
	// A process may end or wait for the next game.
	limit := silenceTime
	if !g.cfg.Stdio {
		if g.request.UsesDirectives {
			if err := g.program.SendLine("% end"); err != nil {
				return err
			}
		}
		// CloseWrite fails if the client has disconnected.
		g.program.CloseWrite()
		limit = g.cfg.Move
	}
	m, err := g.program.Receive(limit)
	switch {
	case err == nil && !(g.cfg.Stdio && g.request.Uniform):
		g.warn(ruleEnd, "the program sent %v although the game was over", m)
	case errors.Is(err, os.ErrDeadlineExceeded) && !g.cfg.Stdio:
		g.warn(ruleEnd, "the program did not close its connection within %v after the game", limit)
	}
	return nil
}
