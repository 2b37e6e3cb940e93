package match

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// EventKind is the kind of an event.
type EventKind uint8

// These are the kinds of events.
const (
	// FleetPlaced means that Side has placed Layout.
	FleetPlaced EventKind = iota + 1
	// FleetKept means that Side is ready and reports results itself.
	FleetKept
	// BattleStarted means that both sides are ready, and Side fires first.
	BattleStarted
	// ShotFired means that Side fired at Cell.
	ShotFired
	// ShotAnswered means that Side gave Result for the shot at Cell.
	ShotAnswered
	// AnswersDisputed means that Side's results cannot all be true.
	AnswersDisputed
	// GameEnded means that Side won for Reason. Side is Nobody if no one won.
	GameEnded
	// FleetMoved means that Side made Move, which may be Stay, after a shot at it.
	FleetMoved
	// GameAborted means that Side ended the match for Reason before it counted.
	GameAborted
)

var eventNames = []string{
	"", "placed", "kept", "begun", "fired", "answered", "disputed", "ended", "moved",
	"aborted",
}

// Reason is why a match ended.
type Reason uint8

// These are the reasons. Those from Malformed to LineTooLong are breaches of the protocol by a
// program.
const (
	// FleetSunk means that the loser's last ship was sunk.
	FleetSunk Reason = iota + 1
	// Resigned means that the loser resigned.
	Resigned
	// Left means that the loser left and did not return in time.
	Left
	// Closed means that the server ended the match.
	Closed
	// Endless means that a side fired more shots than [Rules.ShotLimit].
	Endless
	// Contradiction means that the loser's results cannot all be true.
	Contradiction
	// Silent means that the loser sent nothing within the time for a turn.
	Silent
	// Hangup means that the loser's connection was closed.
	Hangup
	// Unread means that the loser did not read its messages.
	Unread
	// Malformed means that the loser sent a line that is not a command.
	Malformed
	// BadOpcode means that the loser sent an unknown opcode.
	BadOpcode
	// BadParameters means that the loser sent a wrong number of parameters, or an unknown result.
	BadParameters
	// BadCell means that the loser sent a cell off the board.
	BadCell
	// OutOfTurn means that the loser sent a message out of turn.
	OutOfTurn
	// WrongCell means that the loser sent a result for a cell that was not fired at.
	WrongCell
	// LineTooLong means that the loser sent a line over the limit.
	LineTooLong
	// Aborted means that a side ended the match before it counted. No one won.
	Aborted
	// Removed means that a private match's owner removed the other player before the battle. No one won.
	Removed
)

var reasonNames = []string{
	"", "sunk", "resigned", "left", "closed", "endless", "contradiction", "silent", "hangup", "unread",
	"malformed", "opcode", "parameters", "cell", "turn", "wrong-cell", "too-long",
	"aborted", "removed",
}

// Event is something that happened in a match. Its kind determines which fields are used.
type Event struct {
	Kind   EventKind
	Side   Side
	Cell   Cell
	Result Result
	// Auto reports whether the clock acted for the side.
	Auto   bool
	Reason Reason
	Move   Move
	// At is the time since the match was created. It is encoded in milliseconds.
	At time.Duration
	// layout is a pointer because a slice would double Event's size.
	layout *Layout
}

// NewPlacedEvent returns the event that a side has placed its fleet. The layout must not be changed
// afterwards.
func NewPlacedEvent(side Side, l Layout, at time.Duration) Event {
	return Event{Kind: FleetPlaced, Side: side, At: at, layout: &l}
}

// Layout returns the layout of a FleetPlaced event, or nil if the event's reader may not see it.
// It must not be changed.
func (e *Event) Layout() Layout {
	if e.layout == nil {
		return nil
	}
	return *e.layout
}

// SalvoShots returns a turn's shots and their results. events[0] must be the turn's first result.
func SalvoShots(events []Event) []Shot {
	var shots []Shot
	for _, e := range events {
		if e.Kind != ShotAnswered || e.Side != events[0].Side {
			break
		}
		shots = append(shots, Shot{Cell: e.Cell, Result: e.Result})
	}
	return shots
}

// ContinuesSalvo reports whether events[n] belongs to the [SalvoShots] of an earlier event.
func ContinuesSalvo(events []Event, n int) bool {
	return n > 0 && events[n].Kind == ShotAnswered && events[n-1].Kind == ShotAnswered && events[n].Side == events[n-1].Side
}

// command returns the command that causes the event, if there is one. Other events follow
// from the game's state.
func (e Event) command() (Command, bool) {
	c := Command{
		Side: e.Side, Cells: []Cell{e.Cell}, Cell: e.Cell, Result: e.Result, Auto: e.Auto, Reason: e.Reason, Move: e.Move,
		Layout: e.Layout(), At: e.At,
	}
	switch e.Kind {
	case FleetPlaced:
		c.Action = PlaceFleet
	case FleetKept:
		c.Action = KeepFleet
	case ShotFired:
		c.Action = FireShot
	case ShotAnswered:
		c.Action = AnswerShot
	case FleetMoved:
		c.Action = MoveFleet
	case GameAborted:
		c.Action = AbortGame
	case GameEnded:
		if e.Side == Nobody {
			c.Action = VoidGame
		} else {
			c.Action, c.Side = ForfeitGame, e.Side.Other()
		}
	default:
		return Command{}, false
	}
	return c, true
}

func (e Event) equal(o Event) bool {
	return e.Kind == o.Kind && e.Side == o.Side && e.Cell == o.Cell && e.Result == o.Result &&
		e.Auto == o.Auto && e.Reason == o.Reason && e.Move == o.Move && e.At == o.At &&
		slices.Equal(e.Layout(), o.Layout())
}

// ErrHistory is returned for events that are not the history of any match.
var ErrHistory = errors.New("these events are not the history of a match")

// Replay rebuilds a game from its rules and events. It applies the commands that caused
// the events and requires them to produce exactly the same events, so it detects
// tampering.
func Replay(r Rules, mode AuditMode, events []Event) (*Game, error) {
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrHistory, err)
	}
	g := NewGame(r, mode)
	if err := g.ApplyEvents(events); err != nil {
		return nil, err
	}
	return g, nil
}

// ApplyEvents continues a game as [Replay] does. The events must start with those that the game
// already has. After an error the game must not be used.
func (g *Game) ApplyEvents(events []Event) error {
	for len(g.events) < len(events) {
		n := len(g.events)
		c, ok := events[n].command()
		if !ok {
			return fmt.Errorf("%w: event %d cannot come here", ErrHistory, n+1)
		}
		made, err := g.Apply(c)
		if err != nil {
			return fmt.Errorf("%w: event %d: %w", ErrHistory, n+1, err)
		}
		if len(g.events) > len(events) || !slices.EqualFunc(made, events[n:len(g.events)], Event.equal) {
			return fmt.Errorf("%w: event %d is not what follows from the ones before", ErrHistory, n+1)
		}
	}
	return nil
}

// String returns the reason as encodings write it.
func (r Reason) String() string {
	if int(r) >= len(reasonNames) {
		return "?"
	}
	return reasonNames[r]
}

// MarshalText implements encoding.TextMarshaler.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *Reason) UnmarshalText(text []byte) error {
	parsed, ok := ParseReason(string(text))
	if !ok {
		return fmt.Errorf("unknown reason %.40q", text)
	}
	*r = parsed
	return nil
}

// ParseReason is the inverse of [Reason.String]. It returns false for an unknown reason. It also accepts
// the reasons of earlier versions.
func ParseReason(s string) (Reason, bool) {
	if isFailedReveal(s) {
		return Contradiction, true
	}
	i := slices.Index(reasonNames, s)
	return Reason(max(0, i)), i > 0
}

// canForfeit reports whether a side can lose for this reason with ships afloat.
func (r Reason) canForfeit() bool {
	return r == Resigned || r == Left || r.IsBreach()
}

// IsBreach reports whether the reason is a breach of the line protocol by the loser,
// including lost connections and timeouts.
func (r Reason) IsBreach() bool { return r >= Contradiction && r < Aborted }

// IsVoid reports whether the match ended without a result. The server ended it, or a side did
// before it counted.
func (r Reason) IsVoid() bool { return r == Closed || r == Aborted || r == Removed }
