package notation

import (
	"errors"
	"strings"
	"time"

	"broadside/match"
)

// Game is a finished game and its players.
type Game struct {
	ID string
	// Started is written in whole seconds, in UTC. It is zero if unknown.
	Started time.Time
	Rated   bool
	// Names has the players' names by side. The second side fires first.
	Names [2]string
	Rules match.Rules
	// Events is the game's history, as for [match.Replay]. The notation leaves out their times.
	Events []match.Event
}

// ErrUnfinished is returned for a game that has not ended.
var ErrUnfinished = errors.New("the game has not ended")

// These signs follow a shot's cell.
const (
	// byClock means that the clock fired.
	byClock = '@'
	sunk    = '#'
	// last means that the last ship was sunk.
	last       = '!'
	unanswered = '?'
	// disputed means that the results of the side fired at cannot all be true.
	disputed = '%'
)

// appendShots appends all shots, with their results, and all moves of ships, in order.
func appendShots(b []byte, events []match.Event) []byte {
	// waiting has the turn's shots that have no result yet.
	var waiting []match.Event
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

// appendShot appends a shot's cell, in upper case if it is a hit, and signs. The result is 0 if
// there is none.
func appendShot(b []byte, fired match.Event, r match.Result) []byte {
	cell := fired.Cell.String()
	if r <= match.Miss {
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
