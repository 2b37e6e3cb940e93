package arena

import (
	"errors"
	"fmt"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/match/audit"
	"broadside/relay/client"
	"broadside/relay/program"
)

// seat is one side of a game with programs: a built-in bot or a program.
type seat struct {
	bot     bots.Bot       // nil for a program
	layout  match.Layout   // of the bot, or of a program that lets the arena place its fleet
	fault   *program.Fault // why the side forfeits the game, or nil
	thought time.Duration

	pool    *programPool // nil for a bot, like program
	program *program.Program
	left    time.Duration // the rest of the program's total time
	uniform bool          // the arena places the program's fleet
	heard   bool          // the program has sent a legal message
}

// playPrograms plays a game in which at least one side is a program. A program's entry in
// players is nil. A program that fails or breaks the protocol loses. playPrograms fills in
// the layouts by player; unknown layouts stay nil. In a duel, a program that has never sent a
// legal message is an error.
func (w *worker) playPrograms(p *pairing, game int, players [2]bots.Bot, layouts *[2]match.Layout) (outcome, bool, error) {
	g := externalGame{worker: w, game: match.NewGame(w.cfg.Rules, audit.Forfeit), began: time.Now()}
	for i, bot := range players {
		s := &g.seats[sideOf(i, game)]
		if bot == nil {
			*s = w.programs[p.players[i]].enter()
		}
		s.bot, s.layout = bot, layouts[i]
	}
	ok, err := g.play()
	settled := g.game.View(match.Nobody).Reason == match.FleetSunk
	for i := range players {
		s := &g.seats[sideOf(i, game)]
		if s.pool == nil {
			continue
		}
		if !s.uniform {
			layouts[i] = nil
		}
		silent := s.pool.leave(s, settled)
		// With more players, the others still have games to play.
		if ok && err == nil && w.cfg.Format == Duel {
			err = silent
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
		if err := g.join(match.Side(side)); err != nil {
			return false, err
		}
	}
	for side := range g.seats {
		s := &g.seats[side]
		if s.program != nil && s.fault == nil {
			s.send(client.Message{Op: client.Start})
		}
		g.settle(match.Side(side))
	}
	for g.game.Phase() == match.Battle && g.worker.ctx.Err() == nil {
		g.exchange(g.game.ToAct())
	}
	// A program may have failed because the arena stops.
	return g.worker.ctx.Err() == nil, nil
}

// join prepares a side for the game.
func (g *externalGame) join(side match.Side) error {
	s, w := &g.seats[side], g.worker
	if s.program != nil && s.fault == nil {
		if err := s.join(w.ctx, w.cfg.Rules, side); err != nil {
			s.fail(err)
		}
		if s.uniform && s.layout == nil { // draw a layout for it
			s.layout = w.cfg.Rules.RandomLayout(w.layouts)
		}
	}
	if s.program != nil && !s.uniform {
		return g.apply(match.Keep(side))
	}
	return g.apply(match.Place(side, s.layout))
}

// settle ends the game if a side has a fault.
func (g *externalGame) settle(side match.Side) {
	if f := g.seats[side].fault; f != nil && g.game.Phase() != match.Over {
		g.apply(match.Forfeit(side, f.Reason)) // legal in every phase
		g.note = f.Error()
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
			shooter.fault = &program.Fault{Reason: match.Resigned, Err: fmt.Errorf("it failed: %v", p)}
			g.settle(side)
		}
	}()
	if shooter.bot != nil && g.game.MayMove(side) {
		v := g.game.View(side)
		if err := g.apply(match.Sail(side, shooter.bot.Move(v.Helm(side)))); err != nil {
			shooter.fault = &program.Fault{Reason: match.OutOfTurn, Err: err}
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
		g.reject(side, match.BadCell, err)
		g.settle(side)
		return
	}
	v := g.game.View(side)
	if g.seats[side.Other()].program != nil && (v.Phase == match.Battle || v.Reason == match.FleetSunk) {
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
	if s.program == nil {
		chart := g.game.Chart(side)
		return chart.Volley(nil, turn.Shots, s.bot.Fire)
	}
	var cells []match.Cell
	for len(cells) < turn.Shots && s.fault == nil {
		cells = append(cells, s.receive(client.Attack).Cell)
	}
	return cells
}

// answer sends the shots of a turn to a program, and receives the results if the program
// keeps its own fleet.
func (g *externalGame) answer(side match.Side, cells []match.Cell) {
	s := &g.seats[side]
	var attacks []client.Message
	for _, cell := range cells {
		attacks = append(attacks, client.Message{Op: client.Attack, Cell: cell})
	}
	if s.send(attacks...); s.uniform {
		return
	}
	for range cells {
		if s.fault != nil || g.game.Phase() != match.Battle || g.game.ToAct() != side {
			return // the last ship is sunk, or a result is wrong
		}
		m := s.receive(client.Result)
		if s.fault != nil {
			return
		}
		switch err := g.apply(match.Answer(side, m.Cell, m.Result)); {
		case errors.Is(err, match.ErrWrongCell):
			g.reject(side, match.WrongCell, err)
		case err != nil:
			g.reject(side, match.BadParameters, err)
		}
	}
}

// reject ends the game for a side whose move breaks a rule.
func (g *externalGame) reject(side match.Side, reason match.Reason, err error) {
	s := &g.seats[side]
	s.fault = &program.Fault{Reason: reason, Err: err}
	if s.program != nil {
		s.fail(s.fault)
	}
}

// sendResults sends the results of a turn to the shooter.
func (g *externalGame) sendResults(side match.Side, shots []match.Shot) {
	s := &g.seats[side]
	if s.program == nil {
		return
	}
	var results []client.Message
	for _, shot := range shots {
		results = append(results, client.Message{Op: client.Result, Cell: shot.Cell, Result: shot.Result})
	}
	s.send(results...)
	g.settle(side) // unless it has won already
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
