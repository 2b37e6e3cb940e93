package arena

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/match/audit"
	"broadside/relay"
	"broadside/relay/client"
)

// wire is a program's connection in one game. It belongs to the game's goroutine.
type wire struct {
	nc      net.Conn
	program *programRun
	lines   *client.Lines
	rules   match.Rules
	left    time.Duration // the rest of the program's total time
	talks   bool          // the program has sent a directive
	begun   bool          // the program's role has been sent
	ready   bool          // the program has sent ready
	uniform bool          // the arena places the program's fleet
	asked   bool          // the program has requested the game's rules
	heard   bool          // the program has sent a legal message
}

// fault is the reason why a program forfeits a game.
type fault struct {
	reason match.Reason
	err    error
}

// Default time limits for a program's directives, unless it is known not to send any: after it
// has connected, and after its process has been started.
const hello, startHello = 150 * time.Millisecond, time.Second

// helloTime returns the time limit for the program's directives.
func (w *wire) helloTime() time.Duration {
	switch {
	case w.rules.Salvo: // it must send some
		return w.program.pool.connect
	case w.program.pool.hello > 0:
		return w.program.pool.hello
	case w.program.stdio == nil:
		return hello
	}
	return startHello
}

// greet processes the program's directives and sends its role.
func (w *wire) greet(side match.Side, quiet bool) *fault {
	if !quiet {
		if err := w.nc.SetReadDeadline(time.Now().Add(w.helloTime())); err != nil {
			return &fault{match.Hangup, err}
		}
		for !w.ready {
			line, err := w.lines.Next()
			if errors.Is(err, os.ErrDeadlineExceeded) {
				break
			}
			if err != nil {
				return w.breach(err)
			}
			if line[0] != '%' {
				return &fault{match.OutOfTurn, fmt.Errorf("it sent %.40q before it had a role", line)}
			}
			if f := w.handleDirective(line); f != nil {
				return f
			}
		}
	}
	if w.rules.Salvo && !w.asked {
		return &fault{match.Silent, errors.New("it has not asked for several shots in a turn with % rules salvo")}
	}
	w.begun = true
	op := client.Defend
	if side == match.Second {
		op = client.Assault
	}
	return w.send(client.Message{Op: op})
}

// handleDirective processes a directive.
func (w *wire) handleDirective(line []byte) *fault {
	w.talks = true
	words := strings.Fields(string(line[1:]))
	verb := ""
	if len(words) > 0 {
		verb = strings.ToLower(words[0])
	}
	answer := "ok " + verb
	switch rest := strings.Join(words[min(1, len(words)):], " "); {
	case verb == "ready":
		w.ready = true
	case verb == "vs":
		answer = "ok vs any"
		if rest != "any" {
			answer = "error vs the arena has chosen your opponent"
		}
		w.ready = true
	case verb == "hello":
	case verb == "rules":
		if w.asked = rest == w.rules.Name; !w.asked {
			answer = "error rules here the rules are " + w.rules.Name
		}
	case verb == "layout" && w.begun:
		answer = "error late layout has to come before your role"
	case verb == "layout" && rest == "uniform":
		w.uniform = true
	case verb == "layout":
		answer = "error layout there is only layout uniform"
	case verb == "games":
		answer = "ok games 1"
		if rest != "1" {
			answer = "error games the arena plays one game on a connection: say games 1, and connect again for the next"
		}
	default:
		answer = relay.Unimplemented(verb)
	}
	return w.write([]byte("% " + answer + "\n"))
}

// receive waits for the program's next message, which must have the given opcode. The program's clock
// runs meanwhile.
func (w *wire) receive(op client.Op) (client.Message, *fault) {
	pool, began := w.program.pool, time.Now()
	limit := pool.move
	if pool.total > 0 {
		limit = min(limit, w.left)
	}
	if err := w.nc.SetReadDeadline(began.Add(limit)); err != nil {
		return client.Message{}, &fault{match.Hangup, err}
	}
	m, f := w.read(op)
	w.left -= time.Since(began)
	switch {
	case f == nil && op == client.Attack:
		w.left += pool.more
	case f != nil && f.reason == match.Silent && pool.total > 0 && w.left <= 0:
		f.err = errors.New("it has used up its total time")
	}
	return m, f
}

// read reads the program's next message, which must have the given opcode.
func (w *wire) read(op client.Op) (client.Message, *fault) {
	for {
		line, err := w.lines.Next()
		if err != nil {
			return client.Message{}, w.breach(err)
		}
		if line[0] == '%' {
			if f := w.handleDirective(line); f != nil {
				return client.Message{}, f
			}
			continue
		}
		m, err := client.Parse(line)
		if err != nil {
			return m, w.breach(fmt.Errorf("it sent %.40q: %w", line, err))
		}
		if m.Op != op {
			return m, &fault{match.OutOfTurn, fmt.Errorf("it sent %v, which cannot come now", m)}
		}
		w.heard = true
		w.program.pool.played.Store(true)
		return m, nil
	}
}

// breach converts an error from reading, writing or parsing a line to a fault.
func (w *wire) breach(err error) *fault {
	reason := relay.Breach(err)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		reason = match.Silent
	case reason == match.Hangup && w.program.stdio == nil:
		err = fmt.Errorf("it closed the connection: %w", err)
	}
	return &fault{reason, w.program.fail(err)}
}

func (w *wire) send(m client.Message) *fault { return w.write(m.Append(nil)) }

func (w *wire) write(b []byte) *fault {
	if err := w.nc.SetWriteDeadline(time.Now().Add(w.program.pool.move)); err != nil {
		return &fault{match.Hangup, err}
	}
	_, err := w.nc.Write(b)
	if err == nil {
		return nil
	}
	f := w.breach(err)
	if f.reason == match.Silent {
		f.reason = match.Unread
	}
	return f
}

// hangUp closes the connection after all sent data has arrived. Standard input stays open for
// the next game.
func (w *wire) hangUp() {
	if w.program.stdio != nil {
		return
	}
	const patience = time.Second // for the program to close its end
	if half, ok := w.nc.(*net.TCPConn); ok && half.CloseWrite() == nil {
		w.nc.SetReadDeadline(time.Now().Add(patience))
		for {
			if _, err := w.lines.Next(); err != nil {
				break
			}
		}
	}
	w.nc.Close()
}

// seat is one side of a game with programs: a built-in bot or a program.
type seat struct {
	bot     bots.Bot
	program *programRun
	wire    *wire
	fault   *fault
	layout  match.Layout // of the bot, or of a program that lets the arena place its fleet
	thought time.Duration
}

// playPrograms plays a game in which at least one side is a program. A program's entry in
// players is nil. A program that fails or breaks the protocol loses. playPrograms fills in
// the layouts by player; unknown layouts stay nil. In a duel, a program that has never sent a
// legal message is an error.
func (w *worker) playPrograms(c *contest, game int, players [2]bots.Bot, layouts *[2]match.Layout) (outcome, bool, error) {
	g := externalGame{worker: w, game: match.NewGame(w.cfg.Rules, audit.Forfeit), began: time.Now()}
	for i, bot := range players {
		s := &g.seats[sideOf(i, game)]
		s.bot, s.layout = bot, layouts[i]
		if bot == nil {
			s.program = w.programs[c.players[i]].get()
			s.fault = s.program.pool.lastFailure()
		}
	}
	ok, err := g.play()
	early := g.game.View(match.Nobody).Reason != match.FleetSunk
	for i := range players {
		s := &g.seats[sideOf(i, game)]
		if s.wire != nil {
			if s.fault == nil && ok {
				s.program.pool.quiet.Store(!s.wire.talks)
				s.wire.hangUp()
			} else {
				s.wire.nc.Close()
			}
			if !s.wire.uniform {
				layouts[i] = nil
			}
		}
		if s.program != nil {
			// A line of a game that ended before the program knew could be taken for one of the next.
			late := s.program.stdio != nil && (early || s.wire == nil || s.wire.uniform)
			s.program.pool.put(s.program, s.fault == nil && ok && !late)
			if ok {
				s.program.pool.countGame(s.fault, s.wire != nil && s.wire.heard)
			}
			// With more players, the others still have games to play.
			if ok && err == nil && s.fault != nil && w.cfg.Mode == Duel && !s.program.pool.played.Load() {
				err = fmt.Errorf("the program %s does not play: %w", s.program.pool.name, s.fault.err)
			}
		}
	}
	return g.outcome(), ok, err
}

// externalGame is a game in which at least one side is a program.
type externalGame struct {
	worker *worker
	game   *match.Game
	seats  [2]seat // by side
	began  time.Time
	note   string
}

// play plays the game to the end; ok is false if it was stopped. Errors are the arena's,
// not a program's.
func (g *externalGame) play() (ok bool, err error) {
	for side := range g.seats {
		if ok, err := g.join(match.Side(side)); !ok || err != nil {
			return false, err
		}
	}
	// Closing the connections unblocks reads when the arena stops.
	var open []net.Conn
	for _, s := range g.seats {
		if s.wire != nil {
			open = append(open, s.wire.nc)
		}
	}
	stop := context.AfterFunc(g.worker.ctx, func() {
		for _, nc := range open {
			nc.Close()
		}
	})
	defer stop()
	for side := range g.seats {
		s := &g.seats[side]
		if s.wire != nil && s.fault == nil {
			s.fault = s.wire.send(client.Message{Op: client.Start})
		}
		g.settle(match.Side(side))
	}
	for g.game.Phase() == match.Battle && g.worker.ctx.Err() == nil {
		g.exchange(g.game.ToAct())
	}
	// A fault may be caused by closing the connections when the arena stops.
	return g.worker.ctx.Err() == nil, nil
}

// join prepares a side for the game.
func (g *externalGame) join(side match.Side) (ok bool, err error) {
	s := &g.seats[side]
	command := match.Keep(side)
	switch {
	case s.program == nil:
		command = match.Place(side, s.layout)
	case s.fault == nil:
		nc, err := s.program.accept(g.worker.ctx)
		switch {
		case errors.Is(err, errStopped):
			return false, nil
		case errors.Is(err, errLate):
			s.fault = &fault{match.Silent, s.program.fail(err)}
		case err != nil:
			s.fault = &fault{match.Hangup, s.program.fail(err)}
		default:
			s.wire = &wire{nc: nc, program: s.program, lines: client.NewLines(nc), rules: g.worker.cfg.Rules, left: s.program.pool.total}
			s.fault = s.wire.greet(side, s.program.pool.quiet.Load())
			if s.wire.uniform && s.layout == nil { // draw a layout for it
				s.layout = g.worker.cfg.Rules.RandomLayout(g.worker.layouts.rand)
			}
			if s.wire.uniform {
				command = match.Place(side, s.layout)
			}
		}
	}
	return true, g.apply(command)
}

// settle ends the game if a side has a fault.
func (g *externalGame) settle(side match.Side) {
	if f := g.seats[side].fault; f != nil && g.game.Phase() != match.Over {
		g.apply(match.Forfeit(side, f.reason)) // legal in every phase
		g.note = f.err.Error()
	}
}

func (g *externalGame) apply(c match.Command) error {
	c.At = time.Since(g.began)
	_, err := g.game.Apply(c)
	return err
}

// exchange plays one turn: shots and results.
func (g *externalGame) exchange(side match.Side) {
	shooter := &g.seats[side]
	defer func() {
		if p := recover(); p != nil { // from the built-in bot
			shooter.fault = &fault{match.Resigned, fmt.Errorf("it failed: %v", p)}
			g.settle(side)
		}
	}()
	if mover, ok := shooter.bot.(bots.Mover); ok && g.game.MayMove(side) {
		v := g.game.View(side)
		if err := g.apply(match.Sail(side, mover.Move(v.Helm(side)))); err != nil {
			shooter.fault = &fault{match.OutOfTurn, err}
			g.settle(side)
			return
		}
	}
	cells := g.volley(side)
	g.settle(side)
	if g.game.Phase() == match.Over {
		return
	}
	turns := g.game.View(side).Turns[side]
	if err := g.apply(match.Fire(side, cells...)); err != nil {
		shooter.fault = &fault{match.BadCell, err}
		g.settle(side)
		return
	}
	v := g.game.View(side)
	if g.seats[side.Other()].wire != nil && (v.Phase == match.Battle || v.Reason == match.FleetSunk) {
		g.answer(side.Other(), cells)
		g.settle(side.Other())
		v = g.game.View(side)
	}
	if v.Turns[side] > turns { // otherwise the game ended early, with results missing
		g.sendResults(side, v.Last[side])
	}
}

// volley returns the cells that a side shoots at in its turn.
func (g *externalGame) volley(side match.Side) []match.Cell {
	s := &g.seats[side]
	turn := g.game.Turn()
	began := time.Now()
	defer func() { s.thought += time.Since(began) }()
	if s.wire == nil {
		chart := g.game.Chart(side)
		return chart.Volley(nil, turn.Shots, s.bot.Fire)
	}
	var cells []match.Cell
	for len(cells) < turn.Shots && s.fault == nil {
		var m client.Message
		m, s.fault = s.wire.receive(client.Attack)
		cells = append(cells, m.Cell)
	}
	return cells
}

// answer sends the shots of a turn to a program, and receives the results if the program
// keeps its own fleet.
func (g *externalGame) answer(side match.Side, cells []match.Cell) {
	s := &g.seats[side]
	var lines []byte
	for _, cell := range cells {
		lines = client.Message{Op: client.Attack, Cell: cell}.Append(lines)
	}
	if s.fault = s.wire.write(lines); s.wire.uniform {
		return
	}
	for range cells {
		if s.fault != nil || g.game.Phase() != match.Battle || g.game.ToAct() != side {
			return // the last ship is sunk, or a result is wrong
		}
		var m client.Message
		if m, s.fault = s.wire.receive(client.Result); s.fault != nil {
			return
		}
		switch err := g.apply(match.Answer(side, m.Cell, m.Result)); {
		case errors.Is(err, match.ErrWrongCell):
			s.fault = &fault{match.WrongCell, err}
		case err != nil:
			s.fault = &fault{match.BadParameters, err}
		}
	}
}

// sendResults sends the results of a turn to the shooter.
func (g *externalGame) sendResults(side match.Side, shots []match.Shot) {
	s := &g.seats[side]
	if s.wire == nil {
		for _, shot := range shots {
			s.bot.Observe(shot.Cell, shot.Result)
		}
		return
	}
	var lines []byte
	for _, shot := range shots {
		lines = client.Message{Op: client.Result, Cell: shot.Cell, Result: shot.Result}.Append(lines)
	}
	if f := s.wire.write(lines); f != nil {
		s.fault = f
		g.settle(side) // unless it has won already
	}
}

// outcome returns how the game ended.
func (g *externalGame) outcome() outcome {
	v := g.game.View(match.Nobody)
	o := outcome{winner: v.Winner, reason: v.Reason, note: g.note, events: g.game.Events(), rounds: int32(max(v.Turns[0], v.Turns[1]))}
	if v.Reason == match.Contradiction {
		o.note = "its answers cannot all be true"
	}
	for side := range g.seats {
		o.shots[side] = int32(v.Charts[side].Fired)
		o.thought[side] = g.seats[side].thought
	}
	return o
}
