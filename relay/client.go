package relay

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"broadside/match"
)

// Player is what plays on a relay: any of our bots, or a program of one's own.
// Its methods are called from one goroutine.
type Player interface {
	// Place is the player's layout, legal under the rules of the game.
	Place() match.Layout
	// Fire returns the cell to shoot at next. Where a turn has several shots, see
	// [match.Chart.Volley].
	Fire(chart *match.Chart) match.Cell
	// Told tells the answer to a shot of the player's own.
	Told(cell match.Cell, r match.Result)
}

// Mover is a [Player] that moves its fleet where the rules let it. On the wire
// it does so in silence.
type Mover interface {
	// Move is what the fleet does after a shot at it and before the next Fire:
	// a legal move, or match.Stay.
	Move(helm match.Helm) match.Move
}

// Watcher is a [Player] that is told of the shots at it as well.
type Watcher interface {
	// ShotAt tells of a shot of the opponent, and what it did.
	ShotAt(cell match.Cell, r match.Result)
}

// Outcome is how a game on a relay ended.
type Outcome struct {
	Won   bool
	First bool // the player was in defence first
	Shots int  // the player's own
	// Reason is the relay's word for how a game of a series ended: sunk, unless
	// it was cut short. Empty for a game of [Play].
	Reason string
}

// ErrBroken is the error of a game that ended before a fleet was sunk: the
// opponent has left or been turned out, or the relay has gone.
var ErrBroken = errors.New("the relay closed the connection in the middle of the game")

// closeTime bounds the wait for the relay to close a connection after a game.
const closeTime = 5 * time.Second

// Play connects to a relay that plays by the given rules, plays one game and
// disconnects. It holds the fleet itself and takes lines however they end. It speaks
// nothing but the base protocol, except that it has to ask for salvos. A game that was
// cut short is ErrBroken.
func Play(ctx context.Context, address string, rules match.Rules, player Player) (Outcome, error) {
	layout := player.Place()
	if err := rules.Check(layout); err != nil {
		return Outcome{}, fmt.Errorf("the player's layout is illegal: %w", err)
	}
	var dialer net.Dialer
	nc, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return Outcome{}, fmt.Errorf("connecting to the relay: %w", err)
	}
	defer nc.Close()
	stop := context.AfterFunc(ctx, func() { nc.Close() })
	defer stop()
	g := newClientGame(nc, rules, player, layout)
	if rules.Salvo {
		if err := g.send([]byte("% rules " + rules.Name + "\n% ready\n")); err != nil {
			return Outcome{}, err
		}
	}
	out, err := g.run()
	if ctx.Err() != nil {
		return Outcome{}, ctx.Err()
	}
	return out, err
}

// clientGame is one game seen from a client.
type clientGame struct {
	nc      net.Conn
	rules   match.Rules
	player  Player
	layout  match.Layout // at the beginning
	salt    string       // of the commitment to it
	fleet   *match.Fleet
	chart   match.Chart // of the opponent's board
	theirs  match.Chart // what the opponent knows of the player's board
	attacks bool        // it is the player's turn, or will be at the start
	role    bool        // the role line has come
	started bool
	targets []match.Cell   // of the turn: its shots, as far as they are known
	results []match.Result // of the first of them
	out     Outcome
}

func newClientGame(nc net.Conn, rules match.Rules, player Player, layout match.Layout) *clientGame {
	return &clientGame{
		nc: nc, rules: rules, player: player, layout: layout, fleet: match.NewFleet(layout),
		chart: match.NewChart(rules), theirs: match.NewChart(rules),
	}
}

func (g *clientGame) run() (Outcome, error) {
	lines := lineReader{r: g.nc}
	for {
		line, err := lines.next()
		if err != nil {
			return Outcome{}, fmt.Errorf("%w: %w", ErrBroken, err)
		}
		if line[0] == '%' {
			continue
		}
		m, err := Parse(line)
		if err != nil {
			return Outcome{}, fmt.Errorf("the relay sent %.40q: %w", line, err)
		}
		over, err := g.handle(m)
		if err != nil {
			return Outcome{}, err
		}
		if over {
			g.out.Shots = g.chart.Fired
			return g.out, g.hangUp(&lines)
		}
	}
}

// handle answers one message; it returns whether the game is over.
func (g *clientGame) handle(m Message) (over bool, err error) {
	switch {
	case (m.Op == Defend || m.Op == Assault) && !g.role:
		g.role, g.attacks, g.out.First = true, m.Op == Assault, m.Op == Defend
		return false, nil
	case m.Op == Start && g.role && !g.started:
		g.started = true
		return false, g.fire()
	case m.Op == Attack && g.started && !g.attacks:
		return g.attacked(m.Cell)
	case m.Op == Result && g.awaits(m.Cell) && m.Result.Valid():
		return g.answered(m.Result)
	}
	return false, fmt.Errorf("the relay sent %v, which cannot come now", m)
}

// fire shoots, if it is the player's turn.
func (g *clientGame) fire() error {
	if !g.attacks {
		return nil
	}
	shots := g.rules.Shots(g.fleet.Afloat(), &g.chart)
	g.targets, g.results = g.chart.Volley(g.targets[:0], shots, g.player.Fire), g.results[:0]
	var lines []byte
	for _, cell := range g.targets {
		lines = Message{Op: Attack, Cell: cell}.Append(lines)
	}
	return g.send(lines)
}

// awaits reports whether the result of the player's shot at a cell comes next.
func (g *clientGame) awaits(cell match.Cell) bool {
	return g.attacks && len(g.results) < len(g.targets) && cell == g.targets[len(g.results)]
}

// answered takes in the result of a shot. After the last one, the player learns them
// all and the turn is over.
func (g *clientGame) answered(r match.Result) (over bool, err error) {
	g.results = append(g.results, r)
	g.out.Won = r == match.LastSunk
	if len(g.results) < len(g.targets) && !g.out.Won {
		return false, nil
	}
	for i, r := range g.results {
		g.chart.Record(g.targets[i], r)
	}
	for i, r := range g.results {
		g.player.Told(g.targets[i], r)
	}
	g.attacks, g.targets = false, g.targets[:0]
	return g.out.Won, nil
}

// attacked takes in a shot of the opponent. It answers once all shots of the turn have
// come.
func (g *clientGame) attacked(cell match.Cell) (over bool, err error) {
	if !g.rules.Contains(cell) {
		return false, fmt.Errorf("the relay passed on a shot at %v, off the board", cell)
	}
	g.targets = append(g.targets, cell)
	if len(g.targets) < g.rules.Shots(g.chart.ShipsLeft(), &g.theirs) {
		return false, nil
	}
	if over, err = g.answer(); over || err != nil {
		return over, err
	}
	g.attacks = true
	if err := g.sail(); err != nil {
		return false, err
	}
	return false, g.fire()
}

// answer sends the results of the opponent's shots.
func (g *clientGame) answer() (over bool, err error) {
	var lines []byte
	for _, cell := range g.targets {
		r := g.fleet.Shoot(cell)
		g.theirs.Record(cell, r)
		if w, ok := g.player.(Watcher); ok {
			w.ShotAt(cell, r)
		}
		lines = Message{Op: Result, Cell: cell, Result: r}.Append(lines)
		if over = r == match.LastSunk; over {
			break
		}
	}
	return over, g.send(lines)
}

// sail lets the player move its fleet, if it may.
func (g *clientGame) sail() error {
	mover, ok := g.player.(Mover)
	if !ok || !g.rules.Moving {
		return nil
	}
	helm := match.Helm{Rules: g.rules, Layout: g.fleet.Layout(), Damage: g.fleet.Damage(), Fire: g.theirs.Log}
	if helm.Afloat() <= 2 {
		return nil
	}
	move := mover.Move(helm)
	if err := helm.Check(move); err != nil {
		return fmt.Errorf("the player's move is illegal: %w", err)
	}
	if move != match.Stay {
		g.fleet.Moved(move.Ship(), move.Manoeuvre().Of(helm.Layout[move.Ship()]))
	}
	return nil
}

func (g *clientGame) send(lines []byte) error {
	if _, err := g.nc.Write(lines); err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return nil
}

// hangUp lets the relay close first, so that the last line arrives.
func (g *clientGame) hangUp(lines *lineReader) error {
	if half, ok := g.nc.(*net.TCPConn); ok {
		half.CloseWrite() // fails only if the relay has closed already
	}
	if err := g.nc.SetReadDeadline(time.Now().Add(closeTime)); err != nil {
		return nil // likewise
	}
	for {
		if _, err := lines.next(); err != nil {
			return nil
		}
	}
}
