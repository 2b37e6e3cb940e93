package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"broadside/match"
)

// Player is a strategy that plays on a server, such as a built-in bot. Its methods are
// called from one goroutine.
type Player interface {
	// Place returns the player's layout, which must be legal under the rules. It is not called if the
	// server holds the fleet.
	Place() match.Layout
	// Fire returns the cell to fire at next. Where a turn has several shots, see
	// [match.Chart.AppendTargets]. The chart's Log has all results so far.
	Fire(chart *match.Chart) match.Cell
}

// Mover is a [Player] that moves its fleet if the rules allow it. Moves are not sent to
// the server.
type Mover interface {
	// Move returns the fleet's move: a legal one, or match.Stay. It is called after the opponent's
	// shots and before the next Fire.
	Move(status match.FleetStatus) match.Move
}

// Watcher is a [Player] that also observes each shot when its result is known.
type Watcher interface {
	// ObserveShot is called with a shot of the player and its result.
	ObserveShot(cell match.Cell, r match.Result)
	// ObserveEnemyShot is called with a shot of the opponent and its result, which is 0 if the server
	// holds the player's fleet.
	ObserveEnemyShot(cell match.Cell, r match.Result)
}

// Starter is a [Player] that also learns when a game has an opponent and starts.
type Starter interface {
	Start()
}

// Outcome describes the end of a game.
type Outcome struct {
	Won bool
	// First means that the player defended first.
	First bool
	// Shots counts the player's shots.
	Shots int
	// Reason is the reason in the result directive, such as sunk. It is empty after [Play].
	Reason string
}

// ErrBroken is returned if the connection closes before a fleet is sunk. The opponent
// left or broke the protocol, or the server went away.
var ErrBroken = errors.New("the relay closed the connection during the game")

// closeTime limits the wait for the server to close the connection after a game.
const closeTime = 5 * time.Second

// Play connects to a server that plays the given rules, plays one game and disconnects.
// It keeps the fleet itself, accepts all line endings, and uses only the base protocol,
// except to ask for salvos. It returns ErrBroken if the game ends early.
func Play(ctx context.Context, address string, rules match.Rules, player Player) (Outcome, error) {
	g, err := newGame(rules, player, false)
	if err != nil {
		return Outcome{}, err
	}
	err = dialAndPlay(ctx, address, func(nc net.Conn) error {
		g.w = nc
		if rules.Salvo {
			if err := g.send([]byte("% rules " + rules.Name + "\n% ready\n")); err != nil {
				return err
			}
		}
		lines := NewLines(nc)
		if err := readMessages(lines, func(Directive) (bool, error) { return false, nil }, g.handleMessage); err != nil {
			return err
		}
		closeAndWait(nc, lines)
		return nil
	})
	if err != nil {
		return Outcome{}, err
	}
	g.out.Shots = g.enemyBoard.Fired
	return g.out, nil
}

// readMessages reads lines and handles them with two functions, until one is done or returns an error.
func readMessages(
	lines *Lines, handleDirective func(Directive) (done bool, err error), handleMessage func(Message) (done bool, err error),
) error {
	for {
		line, err := lines.Next()
		if err != nil {
			return fmt.Errorf("%w: %w", ErrBroken, err)
		}
		var done bool
		if line[0] == '%' {
			done, err = handleDirective(ParseDirective(line))
		} else {
			var m Message
			if m, err = Parse(line); err != nil {
				return fmt.Errorf("the relay sent %.40q: %w", line, err)
			}
			done, err = handleMessage(m)
		}
		if done || err != nil {
			return err
		}
	}
}

// dialAndPlay connects to a relay and calls play. It closes the connection when play
// returns or ctx ends, and then returns play's error or that of ctx.
func dialAndPlay(ctx context.Context, address string, play func(net.Conn) error) error {
	var dialer net.Dialer
	nc, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("connect to the relay: %w", err)
	}
	defer nc.Close()
	defer context.AfterFunc(ctx, func() { nc.Close() })()
	err = play(nc)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

type game struct {
	w      io.Writer
	rules  match.Rules
	player Player
	// fleet is nil if the server holds it.
	fleet      *match.Fleet
	enemyBoard match.Chart
	// ownBoard is the opponent's chart, unless the server holds the fleet.
	ownBoard match.Chart
	// isOwnTurn is set by the role before the start.
	isOwnTurn bool
	hasRole   bool
	started   bool
	// targets are the cells fired at in this turn so far, and results those of the first targets.
	targets []match.Cell
	results []match.Result
	// arrived counts the next messages that the server received on an earlier connection. isRepeated means
	// that the turn's shots are among them, possibly at other cells.
	arrived    int
	isRepeated bool
	out        Outcome
}

// newGame returns a game of a player, whose fleet it places unless the server holds it.
func newGame(rules match.Rules, player Player, serverHoldsFleet bool) (*game, error) {
	g := &game{rules: rules, player: player, enemyBoard: match.NewChart(rules), ownBoard: match.NewChart(rules)}
	if serverHoldsFleet {
		return g, nil
	}
	layout := player.Place()
	if err := rules.CheckLayout(layout); err != nil {
		return nil, fmt.Errorf("the player's layout is illegal: %w", err)
	}
	g.fleet = match.NewFleet(layout)
	return g, nil
}

// handleMessage processes one message and reports whether the game is over.
func (g *game) handleMessage(m Message) (over bool, err error) {
	switch {
	case (m.Op == Defend || m.Op == Assault) && !g.hasRole:
		g.hasRole, g.isOwnTurn, g.out.First = true, m.Op == Assault, m.Op == Defend
		return false, nil
	case m.Op == Start && g.hasRole && !g.started:
		g.started = true
		if s, ok := g.player.(Starter); ok {
			s.Start()
		}
		return false, g.fireOnTurn()
	case m.Op == Attack && g.started && !g.isOwnTurn:
		return g.handleAttack(m.Cell)
	case m.Op == Result && g.awaitsResult(m.Cell) && m.Result.IsValid():
		g.targets[len(g.results)] = m.Cell
		return g.handleResult(m.Result)
	}
	return false, fmt.Errorf("the relay sent %v, which cannot come now", m)
}

// fireOnTurn sends the player's shots if it is the player's turn.
func (g *game) fireOnTurn() error {
	if !g.isOwnTurn {
		return nil
	}
	g.isRepeated = g.arrived > 0
	shots := 1
	if g.rules.Salvo {
		shots = g.rules.ShotsPerTurn(g.fleet.ShipsAfloat(), &g.enemyBoard)
	}
	g.targets, g.results = g.enemyBoard.AppendTargets(g.targets[:0], shots, g.player.Fire), g.results[:0]
	var lines []byte
	for _, cell := range g.targets {
		lines = Message{Op: Attack, Cell: cell}.Append(lines)
	}
	return g.send(lines)
}

// awaitsResult reports whether the result of a shot at cell is due next.
func (g *game) awaitsResult(cell match.Cell) bool {
	isDue := g.isOwnTurn && len(g.results) < len(g.targets)
	return isDue && (cell == g.targets[len(g.results)] || g.isRepeated && g.rules.Contains(cell))
}

// handleResult stores the result of the next target. After the last one, the player learns all
// results and the turn ends.
func (g *game) handleResult(r match.Result) (over bool, err error) {
	g.results = append(g.results, r)
	g.out.Won = r == match.LastSunk
	if len(g.results) < len(g.targets) && !g.out.Won {
		return false, nil
	}
	for i, r := range g.results {
		g.enemyBoard.Record(g.targets[i], r)
	}
	if w, ok := g.player.(Watcher); ok {
		for i, r := range g.results {
			w.ObserveShot(g.targets[i], r)
		}
	}
	g.isOwnTurn, g.targets = false, g.targets[:0]
	return g.out.Won, nil
}

// handleAttack stores a shot of the opponent. Once all shots of the turn have arrived, it sends
// the results and the player's own shots.
func (g *game) handleAttack(cell match.Cell) (over bool, err error) {
	if !g.rules.Contains(cell) {
		return false, fmt.Errorf("the relay passed on a shot at %v, off the board", cell)
	}
	if g.fleet == nil {
		if w, ok := g.player.(Watcher); ok {
			w.ObserveEnemyShot(cell, 0)
		}
		g.isOwnTurn = true
		return false, g.fireOnTurn()
	}
	g.targets = append(g.targets, cell)
	if len(g.targets) < g.rules.ShotsPerTurn(g.enemyBoard.ShipsAfloat(), &g.ownBoard) {
		return false, nil
	}
	if over, err = g.sendResults(); over || err != nil {
		return over, err
	}
	g.isOwnTurn = true
	if err := g.moveFleet(); err != nil {
		return false, err
	}
	return false, g.fireOnTurn()
}

// sendResults sends the results of the opponent's shots. It reports whether the last ship is sunk.
func (g *game) sendResults() (over bool, err error) {
	var lines []byte
	for _, cell := range g.targets {
		r := g.fleet.Fire(cell)
		g.ownBoard.Record(cell, r)
		if w, ok := g.player.(Watcher); ok {
			w.ObserveEnemyShot(cell, r)
		}
		lines = Message{Op: Result, Cell: cell, Result: r}.Append(lines)
		over = r == match.LastSunk
		if over {
			break
		}
	}
	return over, g.send(lines)
}

// moveFleet lets the player move its fleet, if the rules allow it now.
func (g *game) moveFleet() error {
	mover, ok := g.player.(Mover)
	if !ok || !g.rules.Moving || g.fleet.ShipsAfloat() <= match.LastShips {
		return nil
	}
	status := g.fleet.Status(g.rules, g.ownBoard.Log)
	if err := g.fleet.ApplyMove(status, mover.Move(status)); err != nil {
		return fmt.Errorf("the player's move is illegal: %w", err)
	}
	return nil
}

func (g *game) send(lines []byte) error {
	for ; g.arrived > 0 && len(lines) > 0; g.arrived-- {
		_, lines, _ = bytes.Cut(lines, []byte("\n"))
	}
	if _, err := g.w.Write(lines); err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return nil
}

// closeAndWait waits until the server closes the connection, so that the last line arrives.
func closeAndWait(nc net.Conn, lines *Lines) {
	if half, ok := nc.(*net.TCPConn); ok {
		// CloseWrite fails only if the server has already closed the connection.
		half.CloseWrite()
	}
	err := nc.SetReadDeadline(time.Now().Add(closeTime))
	for err == nil {
		_, err = lines.Next()
	}
}
