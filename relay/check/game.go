package check

import (
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
	side        match.Side // the client's side
	aim         aim
	eol         string        // line ending sent to the client
	bytewise    bool          // send each byte separately
	joined      bool          // send all pending lines in one write
	hush        bool          // check that the client sends nothing while it must wait
	pause       time.Duration // delay before some messages
	cut         int           // close the connection after this many shots by the check; 0: never
}

// aim is the check's way of shooting.
type aim uint8

const (
	toWin    aim = iota // like a good player
	toLose              // never at a cell where a ship would sink
	toRepeat            // also at cells already shot at
)

// situations are in the order in which they are played.
var situations = []situation{
	{name: "defend-first", about: "defends first, against a strong opponent", side: match.First, eol: "\n"},
	{name: "attack-first", about: "attacks first, against a strong opponent", side: match.Second, eol: "\n"},
	{name: "defend-first-win", about: "defends first, against a weak one, and wins", side: match.First, aim: toLose, eol: "\n"},
	{name: "attack-first-win", about: "attacks first, against a weak one, and wins", side: match.Second, aim: toLose, eol: "\n"},
	{name: "wait", about: "waits for its role, the start and each answer", side: match.Second, eol: "\n", hush: true, pause: 100 * time.Millisecond},
	{name: "repeats", about: "answers for cells that were shot at before", side: match.First, aim: toRepeat, eol: "\n"},
	{name: "crlf", about: `takes lines that end in \r\n`, side: match.First, eol: "\r\n"},
	{name: "cr", about: `takes lines that end in a bare \r`, side: match.Second, eol: "\r"},
	{name: "bytewise", about: "takes lines byte by byte", side: match.First, eol: "\n", bytewise: true},
	{name: "joined", about: "takes several lines in one piece", side: match.Second, eol: "\n", joined: true},
	{name: "hang-up", about: "notices that the opponent has left", side: match.First, eol: "\n", cut: 5},
	{name: "hang-up-waiting", about: "notices it while it waits for an answer", side: match.Second, eol: "\n", cut: 3},
	{name: "again", about: "plays on after that", side: match.First, eol: "\n"},
}

// game is one game with a client. The check plays the other side.
type game struct {
	*runner
	situation situation
	game      *match.Game
	bot       bots.Bot
	shots     int  // fired by the client
	turns     int  // played by the client
	over      bool // the game has ended
}

// side returns the check's side.
func (g *game) side() match.Side { return g.situation.side.Other() }

// chart returns what the check knows of the client's fleet.
func (g *game) chart() match.Chart { return g.game.Chart(g.side()) }

// watch is how long the check listens to a client that must stay silent.
const watch = 100 * time.Millisecond

// play plays the game and returns the client's fault.
func (g *game) play() error {
	err := g.prepare()
	if err == nil {
		err = g.start()
	}
	done := false
	if err == nil && g.situation.side == match.First {
		done, err = g.shoot("")
	}
	for !done && err == nil {
		done, err = g.exchange()
	}
	if err != nil || g.situation.cut > 0 {
		return err
	}
	return g.finish()
}

// prepare places the fleets and chooses the check's bot.
func (g *game) prepare() error {
	rules, side := g.request.Rules, g.situation.side
	g.game = match.NewGame(rules, audit.Forfeit)
	fleets := []match.Command{match.Place(g.side(), rules.RandomLayout(g.rng)), match.Keep(side)}
	if g.request.Uniform {
		layout := g.request.Layout
		if layout == nil {
			layout = rules.RandomLayout(g.rng)
		}
		fleets[1] = match.Place(side, layout)
	}
	for _, c := range fleets {
		if _, err := g.game.Apply(c); err != nil {
			return wrong(ruleSpeak, "its fleet is not legal: %v", err)
		}
	}
	var err error
	g.bot, err = bots.New("commodore", bots.Config{Rules: rules, Rand: g.rng})
	if err != nil {
		return wrong(ruleSpeak, "it wants to play by rules that cannot be checked: %v", err)
	}
	return nil
}

// start sends the client its role and the start.
func (g *game) start() error {
	op := client.Defend
	if g.situation.side == match.Second {
		op = client.Assault
	}
	role, start := client.Message{Op: op}.String(), client.Message{Op: client.Start}.String()
	if g.situation.joined {
		return g.send(role + "\n" + start)
	}
	err := g.send(role)
	if err == nil && g.situation.hush {
		err = g.checkSilence("before the start")
	}
	if err != nil {
		return err
	}
	return g.send(start)
}

// send sends lines as the situation demands.
func (g *game) send(lines string) error {
	s := g.situation
	if s.pause > 0 && g.rng.IntN(20) == 0 {
		time.Sleep(s.pause)
	}
	for line := range strings.SplitSeq(lines, "\n") {
		g.note("> " + line)
	}
	text := []byte(strings.ReplaceAll(lines, "\n", s.eol) + s.eol)
	pieces := [][]byte{text}
	if s.bytewise {
		pieces = slices.Collect(slices.Chunk(text, 1))
	}
	for i, piece := range pieces {
		if err := g.program.Write(piece); err != nil {
			return err
		}
		if i > 0 && i == len(pieces)/2 { // one pause keeps the network from merging all bytes
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

// exchange plays a turn of the client and a turn of the check. It reports whether the game
// is over.
func (g *game) exchange() (done bool, err error) {
	events, err := g.receiveShots()
	if err != nil {
		return false, err
	}
	if g.situation.cut > 0 && g.situation.side == match.Second && g.shots > g.situation.cut {
		return g.hangUp()
	}
	if g.situation.hush && g.turns%10 == 3 {
		if err := g.checkSilence("while it waited for the answer to its shot"); err != nil {
			return false, err
		}
	}
	answers, done := formatResults(events), g.game.Phase() == match.Over
	if done || !g.situation.joined {
		if err := g.send(answers); err != nil {
			return false, err
		}
		answers = ""
	}
	if done {
		return true, nil
	}
	return g.shoot(answers)
}

// receiveShots receives the client's shots of one turn. It returns the events of the last one, which include
// the results.
func (g *game) receiveShots() (events []match.Event, err error) {
	rules, side := g.game.Rules(), g.situation.side
	g.turns++
	turn := g.game.Turn()
	for range turn.Shots {
		m, err := g.program.Expect(client.Attack, g.cfg.Move)
		if err != nil {
			return nil, err
		}
		g.shots++
		known := g.game.Chart(side)
		if known.Shots.Has(m.Cell) && !rules.Moving {
			g.warn(ruleShots, "it shot at %d,%d a second time: legal, and wasted", m.Cell.X, m.Cell.Y)
		}
		events, err = g.game.Apply(match.Fire(side, m.Cell))
		switch {
		case errors.Is(err, match.ErrOffBoard):
			return nil, wrong(ruleCell, "its shot %v is off the board: X and Y go from 0 to %d", m, rules.Size-1)
		case err != nil:
			return nil, wrong(ruleCell, "it shot at %d,%d twice in one turn", m.Cell.X, m.Cell.Y)
		}
	}
	most := 4 * rules.Size * rules.Size
	if g.shots > most {
		return nil, wrong(ruleShots, "after %d shots it has not found all ships", most)
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

// shoot sends the text in before and the check's shots, and receives their results.
func (g *game) shoot(before string) (done bool, err error) {
	if g.game.MayMove(g.side()) {
		if _, err := g.game.Apply(match.Sail(g.side(), g.bot.Move(g.game.Helm(g.side())))); err != nil {
			return false, err
		}
	}
	chart, turn := g.chart(), g.game.Turn()
	var named match.Set // in this turn
	cells := chart.Volley(nil, turn.Shots, func(chart *match.Chart) match.Cell {
		cell := g.target(chart, named)
		named.Add(cell)
		return cell
	})
	if _, err := g.game.Apply(match.Fire(g.side(), cells...)); err != nil {
		return false, err
	}
	var lines []string
	if before != "" {
		lines = append(lines, before)
	}
	for _, cell := range cells {
		lines = append(lines, client.Message{Op: client.Attack, Cell: cell}.String())
	}
	if err := g.send(strings.Join(lines, "\n")); err != nil {
		return false, err
	}
	cut := g.situation.cut
	if cut > 0 && g.situation.side == match.First && chart.Fired+len(cells) > cut {
		return g.hangUp()
	}
	for g.game.ToAct() == g.situation.side && !g.request.Uniform {
		turn := g.game.Turn()
		if !turn.Pending() {
			break
		}
		if err := g.receiveResult(turn.Targets[len(turn.Answers)]); err != nil {
			return false, err
		}
	}
	return g.game.Phase() == match.Over, nil
}

// receiveResult receives the client's result of a shot.
func (g *game) receiveResult(cell match.Cell) error {
	m, err := g.program.Expect(client.Result, g.cfg.Move)
	if err != nil {
		return err
	}
	chart := g.chart()
	_, err = g.game.Apply(match.Answer(g.situation.side, m.Cell, m.Result))
	v := g.game.View(match.Nobody)
	switch {
	case errors.Is(err, match.ErrWrongCell):
		return wrong(ruleAnswer, "it answered for %d,%d, but the shot was at %d,%d", m.Cell.X, m.Cell.Y, cell.X, cell.Y)
	case err != nil:
		return wrong(ruleAnswer, "its answer has no result: 1 is water, 2 hit, 3 sunk, 4 the last ship sunk")
	case v.Reason != match.Contradiction:
		return nil
	case chart.Shots.Has(cell) && !chart.Rules.Moving:
		return wrong(ruleTruth, "it answered %v to a cell that was shot at before and was %s: the answer is the cell's truth at that moment, water, hit while the ship floats, or sunk", m, named(chart.Mark(cell)))
	}
	return wrong(ruleTruth, "no legal fleet of the rules %s gives the answer %v after those before: %s", chart.Rules.Name, m, describeHits(&chart))
}

// describeHits describes the ships implied by the results so far, for error messages.
func describeHits(chart *match.Chart) string {
	hits := chart.Hits.Len() + chart.Sunk.Len()
	return fmt.Sprintf("%d cells were hit, %d ships sunk, and the fleet has %d cells in %d ships",
		hits, chart.SunkShips, chart.Rules.FleetCells(), len(chart.Rules.Fleet))
}

func named(m match.Mark) string {
	switch m {
	case match.Struck:
		return "hit"
	case match.Wrecked:
		return "sunk"
	}
	return "water"
}

// target returns the next cell to fire at, which is not among those named earlier in the turn. They count as
// shots in the chart.
func (g *game) target(chart *match.Chart, named match.Set) match.Cell {
	known := g.chart()
	pick := func(cells match.Set) (match.Cell, bool) {
		cells = cells.Minus(named)
		if cells.Empty() {
			return match.Cell{}, false
		}
		return cells.Nth(g.rng.IntN(cells.Len())), true
	}
	switch n := known.Fired + named.Len(); g.situation.aim {
	case toRepeat:
		again := known.Hits.Union(known.Sunk) // a random choice may not include them
		if n%4 == 1 {
			again = known.Shots
		}
		if cell, ok := pick(again); ok && n%2 == 1 {
			return cell
		}
	case toLose:
		harmless := chart.Rules.Board().Minus(chart.Shots)
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
	if chart.Open().Empty() {
		for _, cells := range [...]match.Set{chart.Rules.Board().Minus(chart.Shots), known.Shots} {
			if cell, ok := pick(cells); ok {
				return cell
			}
		}
	}
	return g.bot.Fire(chart)
}

// hangUp closes the connection in the middle of the game and checks that the client notices.
func (g *game) hangUp() (done bool, err error) {
	g.program.CloseWrite() // fails if the client has disconnected
	for {
		_, err := g.program.Receive(g.cfg.Move)
		switch {
		case err == nil: // sent before the close
		case errors.Is(err, os.ErrDeadlineExceeded):
			return false, wrong(ruleEnd, "the opponent has left and the connection was closed, but it is still there after %v", g.cfg.Move)
		default:
			return true, nil
		}
	}
}

// finish sends the result of the game and checks that the client sends nothing more.
func (g *game) finish() error {
	g.over = true
	if g.request.Spoke {
		outcome := "lost"
		v := g.game.View(match.Nobody)
		if v.Winner == g.situation.side {
			outcome = "won"
		}
		if err := g.program.SendLine(fmt.Sprintf("%% result %s sunk shots=%d", outcome, g.shots)); err != nil {
			return err
		}
		if g.left > 1 {
			return nil
		}
	}
	limit := watch // a process may end or wait for the next game
	if !g.cfg.Stdio {
		if g.request.Spoke {
			if err := g.program.SendLine("% end"); err != nil {
				return err
			}
		}
		g.program.CloseWrite() // fails if the client has disconnected
		limit = g.cfg.Move
	}
	m, err := g.program.Receive(limit)
	switch {
	case err == nil && !(g.cfg.Stdio && g.request.Uniform):
		g.warn(ruleEnd, "it sent %v although the game was over", m)
	case errors.Is(err, os.ErrDeadlineExceeded) && !g.cfg.Stdio:
		g.warn(ruleEnd, "it had not closed its connection %v after the game", limit)
	}
	return nil
}
