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
	Names   [2]string // by side; the second fires first
	Rules   match.Rules
	Events  []match.Event // see [match.Replay]; the notation leaves out their times
}

// ErrUnfinished is returned for a game that has not ended.
var ErrUnfinished = errors.New("the game has not ended")

// signs are the characters after the cell of a shot.
const (
	byClock    = '@' // the clock fired
	sunk       = '#'
	last       = '!' // the last ship was sunk
	unanswered = '?'
	disputed   = '%' // the results of the side fired at cannot all be true
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
