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
	// winner is Nobody if there is no winner.
	winner match.Side
	reason match.Reason
	// note is an error message, or empty.
	note   string
	shots  [2]int32
	rounds int32
	// thinkingTime is 0 if the game was not timed.
	thinkingTime [2]time.Duration
	events       []match.Event
}

// isForfeit reports whether the loser forfeited the game.
func (o *outcome) isForfeit() bool { return o.winner != match.Nobody && o.reason != match.FleetSunk }

// player plays one side of a game: a bot or a program. If a method returns an error, the side forfeits
// the game.
type player interface {
	// enterGame prepares the player for a game. It returns the fleet's layout, or nil if the player keeps
	// the fleet and answers for it.
	enterGame(ctx context.Context, side match.Side) (match.Layout, error)
	// nextCommand returns the player's next command: a move, shots or a result.
	nextCommand(g *match.Game, side match.Side) (match.Command, error)
	// showEvents shows the player what has happened since the last call.
	showEvents(side match.Side, events []match.Event) error
	// fail stops a player that has caused an error, and returns why it forfeits the game.
	fail(err error) *program.Fault
}

// playGame plays a game until it is over or ctx ends. It calls onTurn, which may be nil, when the fleets
// are placed and after each turn, and stops if onTurn returns an error. A player that panics loses. Only
// if timed is set, playGame measures the time that the players take. Errors are those of ctx and onTurn.
func playGame(ctx context.Context, g *match.Game, players [2]player, timed bool, onTurn func() error) (outcome, error) {
	if onTurn == nil {
		onTurn = func() error { return nil }
	}
	r := runningGame{game: g, players: players, started: time.Now()}
	r.placeFleets(ctx)
	for began := time.Now(); g.Phase() == match.Battle && ctx.Err() == nil; {
		if g.IncompleteEvents() == 0 && g.Events()[r.shownEvents-1].Kind != match.FleetMoved {
			if err := onTurn(); err != nil {
				return outcome{}, err
			}
		}
		side, turn := g.ActingSide(), g.Turn()
		r.playCommand(side)
		if timed {
			now := time.Now()
			if !turn.IsPending() {
				r.thinkingTime[side] += now.Sub(began)
			}
			began = now
		}
	}
	// A program may have failed because of this.
	if ctx.Err() != nil {
		return outcome{}, ctx.Err()
	}
	if err := onTurn(); err != nil {
		return outcome{}, err
	}
	return r.outcome(), nil
}

// runningGame is a game that is being played.
type runningGame struct {
	game *match.Game
	// players has the players by side.
	players [2]player
	started time.Time
	// hasTimes means that events have times. It is false if both players are bots.
	hasTimes bool
	// shownEvents is the number of events that the players know.
	shownEvents  int
	note         string
	thinkingTime [2]time.Duration
}

// placeFleets prepares the players and places their fleets.
func (r *runningGame) placeFleets(ctx context.Context) {
	for _, p := range r.players {
		_, isBot := p.(*botPlayer)
		r.hasTimes = r.hasTimes || !isBot
	}
	var failed [2]error
	for side, p := range r.players {
		command := match.KeepCommand(match.Side(side))
		layout, err := p.enterGame(ctx, match.Side(side))
		if layout != nil {
			command = match.PlaceCommand(match.Side(side), layout)
		}
		failed[side] = errors.Join(err, r.applyCommand(command))
	}
	for side, err := range failed {
		if err != nil {
			r.forfeitGame(match.Side(side), err)
		}
	}
	r.showEvents()
}

func (r *runningGame) applyCommand(c match.Command) error {
	if r.hasTimes {
		c.At = time.Since(r.started)
	}
	_, err := r.game.Apply(c)
	return err
}

// playCommand asks a side for its next command and applies it. The side forfeits the game if that fails.
func (r *runningGame) playCommand(side match.Side) {
	defer func() {
		p := recover()
		if p != nil {
			r.forfeitGame(side, fmt.Errorf("the bot failed: %v", p))
		}
	}()
	command, err := r.players[side].nextCommand(r.game, side)
	if err == nil {
		if err = r.applyCommand(command); err != nil {
			err = &program.Fault{Reason: breachReason(&command, err), Err: err}
		}
	}
	if err != nil {
		r.forfeitGame(side, err)
	}
	r.showEvents()
}

// breachReason returns why a side loses whose command is refused.
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

// showEvents shows the players the new events, once their turn is complete.
func (r *runningGame) showEvents() {
	if r.game.IncompleteEvents() > 0 {
		return
	}
	events := r.game.Events()[r.shownEvents:]
	r.shownEvents += len(events)
	for side, p := range r.players {
		if err := p.showEvents(match.Side(side), events); err != nil {
			r.forfeitGame(match.Side(side), err)
		}
	}
}

// forfeitGame ends the game for a side that has failed, unless it is over.
func (r *runningGame) forfeitGame(side match.Side, err error) {
	fault := r.players[side].fail(err)
	if r.game.Phase() == match.Over {
		return
	}
	r.note = fault.Error()
	// This is legal in every phase.
	r.applyCommand(match.ForfeitCommand(side, fault.Reason))
}

// outcome returns how the game ended.
func (r *runningGame) outcome() outcome {
	v := r.game.View(match.Nobody)
	o := outcome{
		winner: v.Winner, reason: v.Reason, note: r.note, thinkingTime: r.thinkingTime, events: r.game.Events(),
		rounds: int32(max(v.Turns[0], v.Turns[1])),
	}
	if v.Reason == match.Contradiction {
		o.note = "the results cannot all be true"
	}
	for side := range o.shots {
		o.shots[side] = int32(v.Charts[side].Fired)
	}
	return o
}

type botPlayer struct {
	bot    bots.Bot
	layout match.Layout
	chart  match.Chart
	// cells has the cells fired at in this turn.
	cells []match.Cell
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
