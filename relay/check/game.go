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

// game is one game with a client. It plays the other side.
type game struct {
	*runner
	situation situation
	shots     int  // fired by the client
	turns     int  // played by the client
	over      bool // the game has ended

	rules  match.Rules
	fleet  *match.Fleet // the check's fleet
	own    *match.Fleet // the client's fleet, if the check manages it
	audit  *audit.Audit // checks the client's results
	chart  match.Chart  // what the check knows of the client's fleet
	theirs match.Chart  // what the client knows of the check's fleet
	asked  []match.Cell // cells shot at by the check
	bot    bots.Bot
}

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
	g.rules = g.request.Rules
	g.audit = audit.New(g.rules)
	g.chart, g.theirs = match.NewChart(g.rules), match.NewChart(g.rules)
	g.fleet = match.NewFleet(g.rules.RandomLayout(g.rng))
	if g.request.Uniform {
		layout := g.request.Layout
		if layout == nil {
			layout = g.rules.RandomLayout(g.rng)
		}
		g.own = match.NewFleet(layout)
	}
	var err error
	g.bot, err = bots.New("commodore", bots.Config{Rules: g.rules, Rand: g.rng})
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
	cells, err := g.attacks()
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
	answers, done := g.answers(cells)
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

// attacks receives the client's shots of one turn.
func (g *game) attacks() (cells []match.Cell, err error) {
	rules := g.rules
	g.turns++
	for range rules.Shots(g.chart.ShipsLeft(), &g.theirs) {
		m, err := g.program.Expect(client.Attack, g.cfg.Move)
		if err != nil {
			return nil, err
		}
		g.shots++
		switch {
		case !rules.Contains(m.Cell):
			return nil, wrong(ruleCell, "its shot %v is off the board: X and Y go from 0 to %d", m, rules.Size-1)
		case slices.Contains(cells, m.Cell):
			return nil, wrong(ruleCell, "it shot at %d,%d twice in one turn", m.Cell.X, m.Cell.Y)
		case g.theirs.Shots.Has(m.Cell) && !rules.Moving:
			g.warn(ruleShots, "it shot at %d,%d a second time: legal, and wasted", m.Cell.X, m.Cell.Y)
		}
		cells = append(cells, m.Cell)
	}
	if most := 4 * rules.Size * rules.Size; g.shots > most {
		return nil, wrong(ruleShots, "after %d shots it has not found all ships", most)
	}
	return cells, nil
}

// answers returns the lines with the results of the client's shots, and whether the check's
// fleet is sunk.
func (g *game) answers(cells []match.Cell) (lines string, sunk bool) {
	for i, cell := range cells {
		r := g.fleet.Shoot(cell)
		g.theirs.Record(cell, r)
		g.trackMove(r)
		if i > 0 {
			lines += "\n"
		}
		lines += client.Message{Op: client.Result, Cell: cell, Result: r}.String()
		if r == match.LastSunk {
			return lines, true
		}
	}
	return lines, false
}

// trackMove moves one of the check's ships after a shot of the client, if the rules let ships
// move.
func (g *game) trackMove(r match.Result) {
	rules := g.rules
	mover, ok := g.bot.(client.Mover)
	if !ok || !rules.Moving || r == match.LastSunk || g.fleet.Afloat() <= match.LastShips {
		return
	}
	helm := g.fleet.Helm(rules, g.theirs.Log)
	g.fleet.Sail(helm, mover.Move(helm)) // legal, as built-in bots make legal moves
}

// shoot sends the text in before and the check's shots, and receives their results.
func (g *game) shoot(before string) (done bool, err error) {
	cells := g.chart.Volley(nil, g.rules.Shots(g.fleet.Afloat(), &g.chart), g.target)
	lines := before
	for _, cell := range cells {
		g.asked = append(g.asked, cell)
		if lines != "" {
			lines += "\n"
		}
		lines += client.Message{Op: client.Attack, Cell: cell}.String()
	}
	if err := g.send(lines); err != nil {
		return false, err
	}
	if g.situation.cut > 0 && g.situation.side == match.First && len(g.asked) > g.situation.cut {
		return g.hangUp()
	}
	var results []match.Result
	for _, cell := range cells {
		r := match.Water
		if g.own != nil {
			r = g.own.Shoot(cell)
		} else if r, err = g.answer(cell); err != nil {
			return false, err
		}
		results = append(results, r)
		if done = r == match.LastSunk; done {
			break
		}
	}
	for i, r := range results {
		g.chart.Record(cells[i], r)
	}
	return done, nil
}

// answer receives the client's result of a shot.
func (g *game) answer(cell match.Cell) (match.Result, error) {
	m, err := g.program.Expect(client.Result, g.cfg.Move)
	switch {
	case err != nil:
		return 0, err
	case m.Cell != cell:
		return 0, wrong(ruleAnswer, "it answered for %d,%d, but the shot was at %d,%d", m.Cell.X, m.Cell.Y, cell.X, cell.Y)
	case !m.Result.Valid():
		return 0, wrong(ruleAnswer, "its answer has no result: 1 is water, 2 hit, 3 sunk, 4 the last ship sunk")
	}
	again := g.chart.Shots.Has(cell)
	before := g.chart.At(cell)
	if !g.audit.Add(cell, m.Result) {
		if again && !g.rules.Moving {
			return 0, wrong(ruleTruth, "it answered %v to a cell that was shot at before and was %s: the answer is the cell's truth at that moment, water, hit while the ship floats, or sunk", m, named(before))
		}
		return 0, wrong(ruleTruth, "no legal fleet of the rules %s gives the answer %v after those before: %s", g.rules.Name, m, g.describeHits())
	}
	return m.Result, nil
}

// describeHits describes the ships implied by the results so far, for error messages.
func (g *game) describeHits() string {
	hits := g.chart.Hits.Len() + g.chart.Sunk.Len()
	return fmt.Sprintf("%d cells were hit, %d ships sunk, and the fleet has %d cells in %d ships",
		hits, g.chart.SunkShips, g.rules.FleetCells(), len(g.rules.Fleet))
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

// target returns the next cell to shoot at. Cells chosen earlier in the turn count as shot
// at in the chart and are not chosen again.
func (g *game) target(chart *match.Chart) match.Cell {
	named := chart.Shots.Minus(g.chart.Shots)
	pick := func(cells match.Set) (match.Cell, bool) {
		if cells = cells.Minus(named); cells.Empty() {
			return match.Cell{}, false
		}
		return cells.Nth(g.rng.IntN(cells.Len())), true
	}
	switch n := len(g.asked) + named.Len(); g.situation.aim {
	case toRepeat:
		again := g.chart.Hits.Union(g.chart.Sunk) // a random choice may not include them
		if n%4 == 1 {
			again = g.chart.Shots
		}
		if cell, ok := pick(again); ok && n%2 == 1 {
			return cell
		}
	case toLose:
		harmless := g.rules.Board().Minus(chart.Shots)
		for hit := range g.chart.Hits.All() {
			for h := match.North; h <= match.West; h++ {
				harmless.Remove(hit.Step(h, 1))
			}
		}
		for _, cells := range [...]match.Set{harmless, g.chart.Shots} {
			if cell, ok := pick(cells); ok {
				return cell
			}
		}
	}
	if chart.Open().Empty() {
		for _, cells := range [...]match.Set{g.rules.Board().Minus(chart.Shots), g.chart.Shots} {
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
		if g.fleet.Afloat() == 0 {
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
