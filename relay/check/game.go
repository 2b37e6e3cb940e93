package check

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
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
	client    *candidate
	situation situation
	rng       *rand.Rand
	shots     int  // fired by the client
	turns     int  // played by the client
	over      bool // the game has ended

	fleet      *match.Fleet // the check's fleet
	own        *match.Fleet // the client's fleet, if the check manages it
	audit      *audit.Audit // checks the client's results
	told       []match.Shot // the client's results
	commitment string       // the commitment to the client's fleet, or empty
	chart      match.Chart  // what the check knows of the client's fleet
	theirs     match.Chart  // what the client knows of the check's fleet
	asked      []match.Cell // cells shot at by the check
	bot        bots.Bot
}

// watch is how long the check listens to a client that must stay silent.
const watch = 100 * time.Millisecond

// play plays the game and returns the client's fault, or nil.
func (g *game) play() *problem {
	if p := g.greet(); p != nil {
		return p
	}
	if p := g.begin(); p != nil {
		return p
	}
	done := false
	var p *problem
	if g.situation.side == match.First {
		done, p = g.shoot("")
	}
	for !done && p == nil {
		done, p = g.exchange()
	}
	if p != nil {
		return p
	}
	return g.finish()
}

// begin sends the client its role and the start, and waits for its commitment between them.
func (g *game) begin() *problem {
	c, s := g.client, g.situation
	start := client.Message{Op: client.Start}.String()
	if s.joined && !(c.commits && c.commitment == "") {
		if err := g.send(role(s.side).String() + "\n" + start); err != nil {
			return left(err)
		}
	} else {
		if err := g.send(role(s.side).String()); err != nil {
			return left(err)
		}
		if c.commits {
			if p := c.await(func() bool { return c.commitment != "" }, "commitment"); p != nil {
				return p
			}
		}
		if s.hush {
			if p := c.silent(watch, "before the start"); p != nil {
				return p
			}
		}
		if err := g.send(start); err != nil {
			return left(err)
		}
	}
	g.commitment, c.commitment, c.opening = c.commitment, "", nil
	return nil
}

// greet processes the client's directives and prepares the game.
func (g *game) greet() *problem {
	c := g.client
	if !c.greeted && !c.ready && !c.quiet {
		if p := c.hearDirectives(); p != nil {
			return p
		}
	}
	c.greeted = true
	if c.rules.Salvo && !c.asked {
		return wrong(ruleSpeak, "it has not asked for several shots in a turn with %% rules %s", c.rules.Name)
	}
	g.audit = audit.New(c.rules)
	g.chart, g.theirs = match.NewChart(c.rules), match.NewChart(c.rules)
	g.fleet = match.NewFleet(c.rules.RandomLayout(g.rng))
	if c.uniform {
		layout := c.layout
		if layout == nil {
			layout = c.rules.RandomLayout(g.rng)
		}
		g.own = match.NewFleet(layout)
	}
	var err error
	g.bot, err = bots.New("commodore", bots.Config{Rules: c.rules, Rand: g.rng})
	if err != nil {
		return wrong(ruleSpeak, "it wants to play by rules that cannot be checked: %v", err)
	}
	return nil
}

// hearDirectives waits until the client is ready or has been quiet for a while.
func (c *candidate) hearDirectives() *problem {
	m, err := c.listen(c.hello)
	for err == nil && m.Op == 0 && !c.ready {
		m, err = c.listen(c.hello)
	}
	switch {
	case err == nil && m.Op != 0:
		return wrong(ruleTurn, "it sent %v before it had a role", m)
	case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
		return c.silent(0, "before it had a role")
	}
	return nil
}

func (g *game) send(line string) error {
	if g.situation.pause > 0 && g.rng.IntN(20) == 0 {
		time.Sleep(g.situation.pause)
	}
	return g.client.write(line, g.situation.eol, g.situation.bytewise)
}

// left converts a write error to the problem of the client.
func left(err error) *problem {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return wrong(ruleTime, "it does not read what it is sent").because(err)
	}
	return wrong(ruleEnd, "it closed the connection in the middle of the game").because(err)
}

// exchange plays a turn of the client and a turn of the check. It reports whether the game
// is over.
func (g *game) exchange() (done bool, p *problem) {
	cells, p := g.attacks()
	if p != nil {
		return false, p
	}
	if g.situation.cut > 0 && g.situation.side == match.Second && g.shots > g.situation.cut {
		return g.hangUp()
	}
	if g.situation.hush && g.turns%10 == 3 {
		if p := g.client.silent(watch, "while it waited for the answer to its shot"); p != nil {
			return false, p
		}
	}
	answers, done := g.answers(cells)
	if done || !g.situation.joined {
		if err := g.send(answers); err != nil {
			return false, left(err)
		}
		answers = ""
	}
	if done {
		return true, nil
	}
	return g.shoot(answers)
}

// attacks receives the client's shots of one turn.
func (g *game) attacks() (cells []match.Cell, p *problem) {
	rules := g.client.rules
	g.turns++
	for range rules.Shots(g.chart.ShipsLeft(), &g.theirs) {
		m, p := g.client.expect(client.Attack)
		if p != nil {
			return nil, p
		}
		g.shots++
		switch {
		case !rules.Contains(m.Cell):
			return nil, wrong(ruleCell, "its shot %v is off the board: X and Y go from 0 to %d", m, rules.Size-1)
		case slices.Contains(cells, m.Cell):
			return nil, wrong(ruleCell, "it shot at %d,%d twice in one turn", m.Cell.X, m.Cell.Y)
		case g.theirs.Shots.Has(m.Cell) && !rules.Moving:
			g.client.warn(ruleShots, "it shot at %d,%d a second time: legal, and wasted", m.Cell.X, m.Cell.Y)
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
	rules := g.client.rules
	mover, ok := g.bot.(client.Mover)
	if !ok || !rules.Moving || r == match.LastSunk || g.fleet.Afloat() <= match.LastShips {
		return
	}
	helm := g.fleet.Helm(rules, g.theirs.Log)
	g.fleet.Sail(helm, mover.Move(helm)) // legal, as built-in bots make legal moves
}

// shoot sends the text in before and the check's shots, and receives their results.
func (g *game) shoot(before string) (done bool, p *problem) {
	cells := g.chart.Volley(nil, g.client.rules.Shots(g.fleet.Afloat(), &g.chart), g.target)
	lines := before
	for _, cell := range cells {
		g.asked = append(g.asked, cell)
		if lines != "" {
			lines += "\n"
		}
		lines += client.Message{Op: client.Attack, Cell: cell}.String()
	}
	if err := g.send(lines); err != nil {
		return false, left(err)
	}
	if g.situation.cut > 0 && g.situation.side == match.First && len(g.asked) > g.situation.cut {
		return g.hangUp()
	}
	var results []match.Result
	for _, cell := range cells {
		r := match.Water
		if g.own != nil {
			r = g.own.Shoot(cell)
		} else if r, p = g.answer(cell); p != nil {
			return false, p
		}
		results = append(results, r)
		if done = r == match.LastSunk; done {
			break
		}
	}
	for i, r := range results {
		g.chart.Record(cells[i], r)
	}
	for i, r := range results {
		g.bot.Observe(cells[i], r)
	}
	return done, nil
}

// answer receives the client's result of a shot.
func (g *game) answer(cell match.Cell) (match.Result, *problem) {
	m, p := g.client.expect(client.Result)
	switch {
	case p != nil:
		return 0, p
	case m.Cell != cell:
		return 0, wrong(ruleAnswer, "it answered for %d,%d, but the shot was at %d,%d", m.Cell.X, m.Cell.Y, cell.X, cell.Y)
	case !m.Result.Valid():
		return 0, wrong(ruleAnswer, "its answer has no result: 1 is water, 2 hit, 3 sunk, 4 the last ship sunk")
	}
	again := g.chart.Shots.Has(cell)
	before := g.chart.At(cell)
	if !g.audit.Add(cell, m.Result) {
		if again && !g.client.rules.Moving {
			return 0, wrong(ruleTruth, "it answered %v to a cell that was shot at before and was %s: the answer is the cell's truth at that moment, water, hit while the ship floats, or sunk", m, named(before))
		}
		return 0, wrong(ruleTruth, "no legal fleet of the rules %s gives the answer %v after those before: %s", g.client.rules.Name, m, g.describeHits())
	}
	g.told = append(g.told, match.Shot{Cell: cell, Result: m.Result, Number: len(g.told) + 1})
	return m.Result, nil
}

// describeHits describes the ships implied by the results so far, for error messages.
func (g *game) describeHits() string {
	hits := g.chart.Hits.Len() + g.chart.Sunk.Len()
	return fmt.Sprintf("%d cells were hit, %d ships sunk, and the fleet has %d cells in %d ships",
		hits, g.chart.SunkShips, g.client.rules.FleetCells(), len(g.client.rules.Fleet))
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
		harmless := g.client.rules.Board().Minus(chart.Shots)
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
		for _, cells := range [...]match.Set{g.client.rules.Board().Minus(chart.Shots), g.chart.Shots} {
			if cell, ok := pick(cells); ok {
				return cell
			}
		}
	}
	return g.bot.Fire(chart)
}

// hangUp closes the connection in the middle of the game and checks that the client notices.
func (g *game) hangUp() (done bool, p *problem) {
	if half, ok := g.client.nc.(closeWriter); ok {
		half.CloseWrite() // fails if the client has disconnected
	}
	for {
		_, err := g.client.listen(g.client.move)
		switch {
		case err == nil: // sent before the close
		case errors.Is(err, os.ErrDeadlineExceeded):
			return false, wrong(ruleEnd, "the opponent has left and the connection was closed, but it is still there after %v", g.client.move)
		default:
			g.client.games = 1 // the series has ended as well
			return true, nil
		}
	}
}

// finish sends the result of the game and checks that the client sends nothing more.
func (g *game) finish() *problem {
	c := g.client
	if g.situation.cut > 0 {
		return nil
	}
	if p := g.checkReveal(); p != nil {
		return p
	}
	g.over = true
	if c.talks {
		outcome := "lost"
		if g.fleet.Afloat() == 0 {
			outcome = "won"
		}
		if err := c.write(fmt.Sprintf("%% result %s sunk shots=%d", outcome, g.shots), "\n", false); err != nil {
			return left(err)
		}
		if c.games > 1 {
			return nil
		}
	}
	if c.stdio {
		return g.finishStdio()
	}
	if c.talks {
		if err := c.write("% end", "\n", false); err != nil {
			return left(err)
		}
	}
	if half, ok := c.nc.(closeWriter); ok {
		half.CloseWrite()
	}
	m, err := c.listen(c.move)
	switch {
	case err == nil && m.Op != 0:
		c.warn(ruleEnd, "it sent %v although the game was over", m)
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.warn(ruleEnd, "it had not closed its connection %v after the game", c.move)
	}
	return nil
}

// closeWriter is a connection of which one direction can be closed.
type closeWriter interface{ CloseWrite() error }

// finishStdio checks that a client on standard input and output sends nothing more after a
// game. It may end or wait for the next game.
func (g *game) finishStdio() *problem {
	if m, err := g.client.listen(watch); err == nil && m.Op != 0 && !g.client.uniform {
		g.client.warn(ruleEnd, "it sent %v although the game was over", m)
	}
	return nil
}

// checkReveal asks the client to reveal the fleet it committed to, and checks the client's
// results against it.
func (g *game) checkReveal() *problem {
	c := g.client
	if g.commitment == "" || c.rules.Moving {
		return nil
	}
	if err := c.write("% reveal", "\n", false); err != nil {
		return left(err)
	}
	if p := c.await(func() bool { return c.opening != nil }, "reveal"); p != nil {
		return p
	}
	if match.Commitment(match.Opening(c.opening.Salt, c.opening.Layout)) != g.commitment {
		return wrong(ruleTruth, "the fleet and salt that it revealed do not have the SHA-256 that it committed to")
	}
	fleet := match.NewFleet(c.opening.Layout)
	for _, shot := range g.told {
		if r := fleet.Shoot(shot.Cell); r != shot.Result {
			return wrong(ruleTruth, "it answered %v at %v, but the fleet that it revealed gives %v", shot.Result, shot.Cell, r)
		}
	}
	return nil
}
