package phrase

import (
	"errors"
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/ratelimit"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/match/live"
)

// sentinels maps error values of language-independent packages to messages.
var sentinels = map[error]i18n.Key{
	match.ErrOver:                 "the-match-is-over",
	match.ErrPlacing:              "the-battle-has-not-begun",
	match.ErrReady:                "your-fleet-is-placed-and",
	match.ErrNotYourTurn:          "it-is-not-your-turn",
	match.ErrUnanswered:           "the-last-shot-has-not",
	match.ErrTooMany:              "you-do-not-have-that",
	match.ErrRepeated:             "a-cell-can-be-shot",
	match.ErrNoShot:               "there-is-no-shot-for",
	match.ErrWrongCell:            "the-answer-is-for-another",
	match.ErrOffBoard:             "that-cell-is-not-on",
	match.ErrBadResult:            "a-result-is-1-water",
	match.ErrRemoval:              "the-battle-has-begun-you",
	match.ErrCounts:               "the-match-counts-already-it",
	match.ErrBadCommand:           "that-is-not-a-command",
	match.ErrFleetSize:            "the-number-of-ships-is",
	match.ErrNoMoves:              "ships-do-not-move-in",
	match.ErrMoved:                "your-fleet-may-move-once",
	match.ErrNoShip:               "that-is-not-a-move",
	layoutfile.ErrNoShips:         "there-is-no-ship-in",
	layoutfile.ErrNoSecondHeading: "the-heading-for-player-2",
	live.ErrNoClaim:               "you-cannot-claim-the-win",
	live.ErrTimeOver:              "your-time-is-up-press",
	live.ErrEnded:                 "the-match-has-ended",
	live.ErrReplaced:              "the-match-was-taken-over",
	live.ErrPaused:                "the-match-is-paused-the",
	ratelimit.ErrFull:             "the-server-is-full-right",
	ratelimit.ErrAddressFull:      "too-many-are-here-from",
	ratelimit.ErrTooFast:          "too-many-connections-in-a",
}

// Error returns the message of err in a language, or its English text if it has no
// message.
func Error(l i18n.Language, err error) string { return l.Error(Localize(err)) }

// Localize returns err with its message if err is or wraps an error of package match,
// match/live or limit. It returns other errors unchanged.
func Localize(err error) error {
	var has i18n.Localized
	if err == nil || errors.As(err, &has) {
		return err
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if m := message(e); m.Key != "" {
			return &localized{err, m}
		}
	}
	return err
}

// localized is an error with its message.
type localized struct {
	error
	message i18n.Message
}

// Localized implements [i18n.Localized].
func (e *localized) Localized() i18n.Message { return e.message }

// Unwrap returns the error.
func (e *localized) Unwrap() error { return e.error }

// message returns the message of err itself, ignoring the errors that it wraps.
func message(err error) i18n.Message {
	switch e := err.(type) {
	case *match.LayoutError:
		return layoutMessage(e)
	case *match.MoveError:
		return moveMessage(e)
	case *match.RulesError:
		return rulesMessage(e)
	case *match.TextError:
		return textMessage(e)
	case *layoutfile.LineError:
		return i18n.NewMessage("line-n-x", e.Line, Localize(e.Err))
	case *layoutfile.FleetError:
		return i18n.NewMessage("player-n-x", e.Player, Localize(e.Err))
	}
	for sentinel, text := range sentinels {
		if err == sentinel {
			return i18n.NewMessage(text)
		}
	}
	return i18n.Message{}
}

func layoutMessage(e *match.LayoutError) i18n.Message {
	ship, other := ClassName(e.Class), ClassName(e.Other)
	switch e.Problem {
	case match.NotPlaced:
		return i18n.NewMessage("the-x-n-cells-is", ship, e.Class.Length)
	case match.WrongLength:
		return i18n.NewMessage("the-x-is-n-cells", ship, e.Class.Length, e.Ship.Length)
	case match.OffBoard:
		return i18n.NewMessage("the-x-reaches-over-the", ship)
	case match.Overlaps:
		return i18n.NewMessage("the-x-lies-across-the", ship, other)
	}
	if e.Contact == match.TouchNone {
		return i18n.NewMessage("the-x-touches-the-not", ship, other)
	}
	return i18n.NewMessage("the-x-touches-the-only", ship, other)
}

func moveMessage(e *match.MoveError) i18n.Message {
	ship := ClassName(e.Class)
	switch e.Why {
	case match.FewAfloat:
		return i18n.NewMessage("a-side-with-two-ships")
	case match.ShipSunk:
		return i18n.NewMessage("the-x-is-sunk", ship)
	case match.BeyondEdge:
		return i18n.NewMessage("the-x-would-leave-the", ship)
	case match.UnderFire:
		return i18n.NewMessage("the-x-would-lie-at", ship, e.Cell.String(), match.BlockedShots)
	}
	return i18n.NewMessage("the-x-would-lie-too", ship, ClassName(e.Other))
}

func rulesMessage(e *match.RulesError) i18n.Message {
	switch e.Problem {
	case match.WrongShipCount:
		return i18n.NewMessage("n-ships-choose-n-to", e.Ships, e.Min, e.Max)
	case match.WrongBoardSize:
		return i18n.NewMessage("a-board-of-n-n", e.Size, e.Size, e.Min, e.Max)
	case match.WrongShipLength:
		return i18n.NewMessage("x-has-length-n-ships", e.Class.Name, e.Class.Length, e.Min, e.Max)
	case match.WrongOrder:
		return i18n.NewMessage("the-fleet-lists-x-after", e.Class.Name)
	case match.UnknownContact:
		return i18n.NewMessage("unknown-contact-rule-n", int(e.Contact))
	case match.NegativeClock:
		return i18n.NewMessage("a-clock-of-x-positive", e.Clock)
	case match.MovingSalvo:
		return i18n.NewMessage("salvos-and-moving-ships-cannot")
	case match.BoardTooSmall:
		return i18n.NewMessage("n-ships-do-not-fit", e.Ships, e.Size, e.Size, e.Min)
	case match.NoLayout:
		return i18n.NewMessage("this-fleet-does-not-fit")
	}
	tooDense := i18n.NewMessage("this-fleet-fills-the-board")
	return i18n.NewMessage("x-n-ships-on-n", tooDense, e.Ships, e.Size, e.Size)
}

func textMessage(e *match.TextError) i18n.Message {
	switch e.Problem {
	case match.NotCell:
		return i18n.NewMessage("x-is-not-a-cell", e.Text)
	case match.NotMove:
		return i18n.NewMessage("move-x-write-a-ships", e.Text)
	case match.NotShip:
		return i18n.NewMessage("x-is-not-a-ship",
			e.Text, "cruiser C1 C3", "cruiser C1 E")
	case match.NotClass:
		return i18n.NewMessage("x-is-not-a-type", e.Text, strings.Join(e.Choices, ", "))
	case match.NoneLeft:
		return i18n.NewMessage("one-ship-too-many-this", e.Text)
	case match.NotStraight:
		return i18n.NewMessage("the-x-from-x-to", ClassName(e.Class), e.From.String(), e.To.String())
	case match.BeyondBoard:
		return i18n.NewMessage("x-is-off-the-board-of-n-n", e.Text, e.Size, e.Size)
	case match.WrongHeading:
		return i18n.NewMessage("the-heading-for-player-x", e.Text)
	case match.UnknownRules:
		return i18n.NewMessage("there-are-no-rules-called", e.Text, strings.Join(e.Choices, ", "))
	}
	return i18n.NewMessage("a-layout-file-has-at", e.Max, e.Size)
}

// classes maps the types of ship to their translated names.
var classes = map[string]i18n.Key{
	"carrier": "carrier", "battleship": "battleship", "cruiser": "cruiser", "submarine": "submarine",
	"destroyer": "destroyer", "corvette": "corvette", "minesweeper": "minesweeper", "frigate": "frigate",
	"gunboat": "gunboat", "cutter": "cutter",
}

// ClassName returns the name of a type of ship. A type without a translation keeps its
// name.
func ClassName(c match.Class) i18n.Message {
	if text, ok := classes[c.Name]; ok {
		return i18n.NewMessage(text)
	}
	return i18n.NewMessage("%s", c.Name)
}
