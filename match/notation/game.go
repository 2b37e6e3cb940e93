package notation

import (
	"errors"
	"strings"
	"time"

	"broadside/match"
)

// Game is a finished game.
type Game struct {
	ID      string
	Started time.Time // the notation has whole seconds, in UTC; zero: unknown
	Rated   bool
	Names   [2]string // by side; the second shoots first
	Rules   match.Rules
	Events  []match.Event // see [match.Replay]; the notation leaves out their times
}

// ErrUnfinished is returned for a game that has not ended.
var ErrUnfinished = errors.New("the game has not ended")

// fleet is the known part of a side's fleet.
type fleet struct {
	kind   match.Kind // FleetPlaced, FleetKept, or 0 if the fleet is missing
	layout match.Layout
}

// fleetsOf returns the fleets of both sides.
func fleetsOf(events []match.Event) (fleets [2]fleet) {
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case match.FleetPlaced:
			fleets[e.Side] = fleet{kind: e.Kind, layout: e.Layout()}
		case match.FleetKept:
			fleets[e.Side] = fleet{kind: e.Kind}
		}
	}
	return fleets
}

// step is a command at the end of a game, after the last shot.
type step struct {
	name   string // one of the names below
	side   match.Side
	reason match.Reason
}

// The names of steps.
const (
	abort   = "abort"
	forfeit = "forfeit"
	void    = "void"
)

// stepsOf returns the steps of a game: the commands that do not follow from fleets and shots.
func stepsOf(events []match.Event) (steps []step) {
	before := match.Event{}
	for _, e := range events {
		switch e.Kind {
		case match.GameAborted:
			steps = append(steps, step{abort, e.Side, e.Reason})
		case match.GameEnded:
			if !follows(before.Kind, e) {
				steps = append(steps, ending(e))
			}
		}
		before = e
	}
	return steps
}

// follows reports whether the end of a game follows from the event before it, without another
// command.
func follows(before match.Kind, e match.Event) bool {
	switch before {
	case match.GameAborted:
		return true
	case match.AnswersDisputed:
		return e.Reason == match.Contradiction || e.Reason == match.FleetSunk
	}
	return e.Reason == match.FleetSunk
}

// ending returns the step that causes the end of a game.
func ending(e match.Event) step {
	if e.Side == match.Nobody {
		return step{name: void, reason: e.Reason}
	}
	return step{forfeit, e.Side.Other(), e.Reason}
}

// signs are the characters after the cell of a shot.
const (
	byClock    = '@' // the clock fired
	sunk       = '#'
	last       = '!' // the last ship was sunk
	unanswered = '?'
	disputed   = '%' // the results of the side shot at cannot all be true
)

// appendShots appends all shots, with their results, and all moves of ships, in order.
func appendShots(b []byte, events []match.Event) []byte {
	var waiting []match.Event // shots of a turn that have no result yet
	for _, e := range events {
		switch e.Kind {
		case match.FleetMoved:
			b = append(append(b, '['), e.Move.String()...)
			if e.Auto {
				b = append(b, byClock)
			}
			b = append(b, ']')
		case match.ShotFired:
			waiting = append(waiting, e)
		case match.ShotAnswered:
			if len(waiting) > 0 {
				b = appendShot(b, waiting[0], e.Result)
				waiting = waiting[:copy(waiting, waiting[1:])]
			}
		case match.AnswersDisputed:
			b = append(b, disputed)
		}
	}
	for _, e := range waiting {
		b = appendShot(b, e, 0)
	}
	return b
}

// appendShot appends a shot: the cell, in upper case if it is a hit, and signs. The result is 0
// if there is none.
func appendShot(b []byte, fired match.Event, r match.Result) []byte {
	cell := fired.Cell.String()
	if r <= match.Water {
		cell = strings.ToLower(cell)
	}
	b = append(b, cell...)
	if fired.Auto {
		b = append(b, byClock)
	}
	switch r {
	case 0:
		b = append(b, unanswered)
	case match.Sunk:
		b = append(b, sunk)
	case match.LastSunk:
		b = append(b, last)
	}
	return b
}
