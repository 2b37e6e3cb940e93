package arena

import (
	"context"
	"errors"
	"fmt"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/relay/program"
)

// outcome is the result of a game between two sides.
type outcome struct {
	winner       match.Side // Nobody if there is no winner
	reason       match.Reason
	note         string // an error message, or empty
	shots        [2]int32
	rounds       int32
	thinkingTime [2]time.Duration // time to choose cells and moves; 0 if not timed
	events       []match.Event
}

// isForfeit reports whether the loser forfeited the game.
func (o *outcome) isForfeit() bool { return o.winner != match.Nobody && o.reason != match.FleetSunk }

// player plays one side of a game: a bot or a program. If a method returns an error, the side forfeits
// the game.
type player interface {
	// enterGame prepares the player for a game. It returns the layout of its fleet, or nil if the player keeps
	// the fleet and answers for it.
	enterGame(ctx context.Context, side match.Side) (match.Layout, error)
	// nextCommand returns the player's next command: a move, shots or a result.
	nextCommand(g *match.Game, side match.Side) (match.Command, error)
	// showEvents tells the player what has happened since the last call.
	showEvents(side match.Side, events []match.Event) error
	// fail ends the game for a player that has caused an error, and returns why it forfeits the game.
	fail(err error) *program.Fault
}

// playGame plays a game until it is over or ctx ends. It calls shown, which may be nil, when the fleets are
// placed and after each turn, and stops if that returns an error. A player that panics loses. play
// measures the time that the players take only if timed is set. Errors are those of ctx and shown.
func playGame(ctx context.Context, g *match.Game, players [2]player, timed bool, shown func() error) (outcome, error) {
	t := runningGame{game: g, players: players, started: time.Now()}
	for _, p := range players {
		_, bot := p.(*botPlayer)
		t.recordsTimes = t.recordsTimes || !bot
	}
	var failed [2]error
	for side, p := range players {
		command := match.KeepCommand(match.Side(side))
		layout, err := p.enterGame(ctx, match.Side(side))
		if layout != nil {
			command = match.PlaceCommand(match.Side(side), layout)
		}
		failed[side] = errors.Join(err, t.applyCommand(command))
	}
	for side, err := range failed {
		if err != nil {
			t.forfeit(match.Side(side), err)
		}
	}
	t.showEvents()
	for began := time.Now(); g.Phase() == match.Battle && ctx.Err() == nil; {
		if shown != nil && g.IncompleteEvents() == 0 && g.Events()[t.published-1].Kind != match.FleetMoved {
			if err := shown(); err != nil {
				return outcome{}, err
			}
		}
		side, turn := g.ActingSide(), g.Turn()
		t.playTurn(side)
		if timed {
			now := time.Now()
			if !turn.IsPending() {
				t.thinkingTime[side] += now.Sub(began)
			}
			began = now
		}
	}
	if ctx.Err() != nil { // a program may have failed because of this
		return outcome{}, ctx.Err()
	}
	if shown != nil {
		if err := shown(); err != nil {
			return outcome{}, err
		}
	}
	return t.outcome(), nil
}

// runningGame is a game that is being played.
type runningGame struct {
	game         *match.Game
	players      [2]player // by side
	started      time.Time
	recordsTimes bool // events have times; games between bots are the same each time
	published    int  // number of events that the players know
	note         string
	thinkingTime [2]time.Duration
}

func (t *runningGame) applyCommand(c match.Command) error {
	if t.recordsTimes {
		c.At = time.Since(t.started)
	}
	_, err := t.game.Apply(c)
	return err
}

// playTurn lets a side act once.
func (t *runningGame) playTurn(side match.Side) {
	defer func() {
		p := recover()
		if p != nil {
			t.forfeit(side, fmt.Errorf("the bot failed: %v", p))
		}
	}()
	command, err := t.players[side].nextCommand(t.game, side)
	if err == nil {
		if err = t.applyCommand(command); err != nil {
			err = &program.Fault{Reason: breachReason(&command, err), Err: err}
		}
	}
	if err != nil {
		t.forfeit(side, err)
	}
	t.showEvents()
}

// breachReason returns the reason why a side loses whose command is refused.
func breachReason(c *match.Command, err error) match.Reason {
	switch {
	case errors.Is(err, match.ErrWrongCell):
		return match.WrongCell
	case c.Action == match.AnswerShot:
		return match.BadParameters
	case c.Action == match.MoveFleet:
		return match.OutOfTurn
	}
	return match.BadCell
}

// showEvents shows the players the events of complete turns.
func (t *runningGame) showEvents() {
	if t.game.IncompleteEvents() > 0 {
		return
	}
	events := t.game.Events()[t.published:]
	t.published += len(events)
	for side, p := range t.players {
		if err := p.showEvents(match.Side(side), events); err != nil {
			t.forfeit(match.Side(side), err) // unless the game is over already
		}
	}
}

// forfeit ends the game for a side that has failed, unless it is over.
func (t *runningGame) forfeit(side match.Side, err error) {
	fault := t.players[side].fail(err)
	if t.game.Phase() == match.Over {
		return
	}
	t.note = fault.Error()
	t.applyCommand(match.ForfeitCommand(side, fault.Reason)) // legal in every phase
}

// outcome returns how the game ended.
func (t *runningGame) outcome() outcome {
	v := t.game.View(match.Nobody)
	o := outcome{
		winner: v.Winner, reason: v.Reason, note: t.note, thinkingTime: t.thinkingTime, events: t.game.Events(),
		rounds: int32(max(v.Turns[0], v.Turns[1])),
	}
	if v.Reason == match.Contradiction {
		o.note = "its answers cannot all be true"
	}
	for side := range o.shots {
		o.shots[side] = int32(v.Charts[side].Fired)
	}
	return o
}

// botPlayer is a bot as a player.
type botPlayer struct {
	bot    bots.Bot
	layout match.Layout
	chart  match.Chart
	cells  []match.Cell // of the turn
}

func (p *botPlayer) enterGame(context.Context, match.Side) (match.Layout, error) {
	return p.layout, nil
}

func (p *botPlayer) nextCommand(g *match.Game, side match.Side) (match.Command, error) {
	if g.CanMove(side) {
		return match.MoveCommand(side, p.bot.Move(g.FleetStatus(side))), nil
	}
	p.chart = g.Chart(side)
	turn := g.Turn()
	p.cells = p.chart.AppendTargets(p.cells[:0], turn.ShotsLeft(), p.bot.Fire)
	return match.FireCommand(side, p.cells...), nil
}

func (p *botPlayer) showEvents(match.Side, []match.Event) error { return nil }

func (p *botPlayer) fail(err error) *program.Fault {
	fault := &program.Fault{Reason: match.Resigned, Err: err}
	errors.As(err, &fault)
	return fault
}
