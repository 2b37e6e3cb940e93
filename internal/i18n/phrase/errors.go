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

// sentinels gives the message of each error value of packages that contain no
// language. Messages differ from each other, so that [Sentinels] can tell the errors
// apart.
var sentinels = map[error]i18n.Text{
	match.ErrOver:                 "the match is over",
	match.ErrPlacing:              "the battle has not begun: both fleets must be placed first",
	match.ErrReady:                "your fleet is placed already and cannot be changed now",
	match.ErrNotYourTurn:          "it is not your turn",
	match.ErrUnanswered:           "the last shot has not been answered yet",
	match.ErrTooMany:              "you do not have that many shots in this turn",
	match.ErrRepeated:             "a cell can be shot at only once in a turn",
	match.ErrNoShot:               "there is no shot for you to answer",
	match.ErrWrongCell:            "the answer is for another cell than the one shot at",
	match.ErrOffBoard:             "that cell is not on the board",
	match.ErrBadResult:            "a result is 1 water, 2 hit, 3 sunk or 4 last ship sunk",
	match.ErrRemoval:              "the battle has begun: you can no longer remove your opponent",
	match.ErrCounts:               "the match counts already: it can no longer be aborted",
	match.ErrBadCommand:           "that is not a command of the game",
	match.ErrFleetSize:            "the number of ships is not that of the fleet",
	match.ErrNoMoves:              "ships do not move in this game",
	match.ErrMoved:                "your fleet may move once, after each shot of your opponent and before your own",
	match.ErrNoShip:               "that is not a move of a ship of this fleet",
	match.ErrCommitment:           "a commitment is a SHA-256 in 64 hexadecimal digits",
	match.ErrCommitMoving:         "a commitment proves nothing where ships move: place the fleet with the server",
	match.ErrNoReveal:             "there is no fleet for you to reveal now",
	match.ErrRevealing:            "the last shot has been fired: the match ends when the fleets have been revealed",
	layoutfile.ErrNoShips:         `there is no ship in it: write one a line, such as "cruiser C1 C3"`,
	layoutfile.ErrNoSecondHeading: "the heading for player 2 is missing",
	live.ErrNoClaim:               "you cannot claim the win: your opponent has not been away for too long",
	live.ErrTimeOver:              "your time is up: press enter to fire a random shot",
	live.ErrEnded:                 "the match has ended",
	live.ErrReplaced:              "the match was taken over from elsewhere",
	live.ErrPaused:                "the match is paused: the server cannot save it at the moment",
	ratelimit.ErrFull:             "the server is full right now: please come back in a few minutes",
	ratelimit.ErrAddressFull:      "too many are here from your address already: end one, or come back in a few minutes",
	ratelimit.ErrTooFast:          "too many connections in a short time from your address: come back in a minute",
	ratelimit.ErrGuesses:          "too many wrong codes came from your address: try again in a minute",
	ratelimit.ErrTotalGuesses:     "too many wrong codes are tried on this server: try again in a minute",
}

// Error returns the message of err in a language. An error without a message is
// returned in English, as it is.
func Error(l i18n.Language, err error) string { return l.Error(Localize(err)) }

// Localize returns err with its message, if err is one of the errors of package match,
// match/live or limit, or wraps one. Other errors are returned as they are.
func Localize(err error) error {
	var has i18n.Speaker
	if err == nil || errors.As(err, &has) {
		return err
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if m := message(e); m.Text != "" {
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

// Said implements [i18n.Speaker].
func (e *localized) Said() i18n.Message { return e.message }

// Unwrap returns the error.
func (e *localized) Unwrap() error { return e.error }

// Sentinels returns the error values whose messages err carries. An error that was
// sent to another process is no longer one of them, but still has their messages.
func Sentinels(err error) []error {
	var all []error
	for sentinel, text := range sentinels {
		if errors.Is(err, i18n.Errorf(text)) {
			all = append(all, sentinel)
		}
	}
	return all
}

// message returns the message of an error itself, whatever it wraps.
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
		return i18n.Mean("line %d: %v", e.Line, Localize(e.Err))
	case *layoutfile.FleetError:
		return i18n.Mean("player %d: %v", e.Player, Localize(e.Err))
	}
	for sentinel, text := range sentinels {
		if err == sentinel {
			return i18n.Mean(text)
		}
	}
	return i18n.Message{}
}

func layoutMessage(e *match.LayoutError) i18n.Message {
	ship, other := ClassName(e.Class), ClassName(e.Other)
	switch e.Problem {
	case match.NotPlaced:
		return i18n.Mean("the %s (%d cells) is not placed", ship, e.Class.Length)
	case match.WrongLength:
		return i18n.Mean("the %s is %d cells long, not %d", ship, e.Class.Length, e.Ship.Length)
	case match.OffBoard:
		return i18n.Mean("the %s reaches over the edge of the board", ship)
	case match.Overlaps:
		return i18n.Mean("the %s lies across the %s", ship, other)
	}
	if e.Contact == match.TouchNone {
		return i18n.Mean("the %s touches the %s: ships may not touch, not even at corners", ship, other)
	}
	return i18n.Mean("the %s touches the %s: ships may touch at corners only", ship, other)
}

func moveMessage(e *match.MoveError) i18n.Message {
	ship := ClassName(e.Class)
	switch e.Why {
	case match.FewAfloat:
		return i18n.Mean("a side with two ships or fewer afloat may not move")
	case match.ShipSunk:
		return i18n.Mean("the %s is sunk", ship)
	case match.BeyondEdge:
		return i18n.Mean("the %s would leave the board", ship)
	case match.UnderFire:
		return i18n.Mean("the %s would lie at %s, where one of the last %d shots fell", ship, e.Cell.String(), match.BlockedShots)
	}
	return i18n.Mean("the %s would lie too close to a ship of yours, the %s", ship, ClassName(e.Other))
}

func rulesMessage(e *match.RulesError) i18n.Message {
	switch e.Problem {
	case match.WrongShipCount:
		return i18n.Mean("%d ships: choose %d to %d", e.Ships, e.Min, e.Max)
	case match.WrongBoardSize:
		return i18n.Mean("a board of %d×%d: choose a size from %d to %d", e.Size, e.Size, e.Min, e.Max)
	case match.WrongShipLength:
		return i18n.Mean("%s has length %d: ships are %d to %d cells long", e.Class.Name, e.Class.Length, e.Min, e.Max)
	case match.WrongOrder:
		return i18n.Mean("the fleet lists %s after a shorter ship: list the longest first", e.Class.Name)
	case match.UnknownContact:
		return i18n.Mean("unknown contact rule %d", int(e.Contact))
	case match.NegativeClock:
		return i18n.Mean("a clock of %v: choose 0 for none, or a positive time", e.Clock)
	case match.MovingSalvo:
		return i18n.Mean("salvos and moving ships cannot be combined: choose one of them")
	case match.BoardTooSmall:
		return i18n.Mean("%d ships do not fit on %d×%d: choose a size from %d or fewer ships", e.Ships, e.Size, e.Size, e.Min)
	case match.NoLayout:
		return i18n.Mean("this fleet does not fit on this board: choose fewer ships, a larger board or a looser contact rule")
	}
	tooDense := i18n.Mean("this fleet fills the board too densely to be placed at random: choose fewer ships, a larger board or a looser contact rule")
	return i18n.Mean("%v (%d ships on %d×%d)", tooDense, e.Ships, e.Size, e.Size)
}

func textMessage(e *match.TextError) i18n.Message {
	switch e.Problem {
	case match.NotCell:
		return i18n.Mean("%q is not a cell: give the row's letter and the column's number, such as B7", e.Text)
	case match.NotMove:
		return i18n.Mean("move %q: write a ship's number and one of F, B, C and A, such as 3F, or -", e.Text)
	case match.NotShip:
		return i18n.Mean("%s is not a ship: write its type, its first cell, and its last cell or its direction, such as %q or %q",
			e.Text, "cruiser C1 C3", "cruiser C1 E")
	case match.NotClass:
		return i18n.Mean("%s is not a type of ship in these rules: they have %s", e.Text, strings.Join(e.Choices, ", "))
	case match.NoneLeft:
		return i18n.Mean("one ship too many: this fleet has no further %s", e.Text)
	case match.NotStraight:
		return i18n.Mean("the %s from %v to %v is not straight", ClassName(e.Class), e.From.String(), e.To.String())
	case match.BeyondBoard:
		return i18n.Mean("%s is off the board of %d×%d", e.Text, e.Size, e.Size)
	case match.WrongHeading:
		return i18n.Mean("the heading for player %s comes once, before that player's ships, and player 1 comes first", e.Text)
	case match.UnknownRules:
		return i18n.Mean("there are no rules called %q: choose %s", e.Text, strings.Join(e.Choices, ", "))
	}
	return i18n.Mean("a layout file has at most %d bytes, not %d", e.Max, e.Size)
}

// classes are the types of ship that have a name in every language.
var classes = map[string]i18n.Text{
	"carrier": "carrier", "battleship": "battleship", "cruiser": "cruiser", "submarine": "submarine",
	"destroyer": "destroyer", "corvette": "corvette", "minesweeper": "minesweeper", "frigate": "frigate",
	"gunboat": "gunboat", "cutter": "cutter",
}

// ClassName returns the name of a type of ship. A type that has no translation keeps
// its name.
func ClassName(c match.Class) i18n.Message {
	if text, ok := classes[c.Name]; ok {
		return i18n.Mean(text)
	}
	return i18n.Mean("%s", c.Name)
}
