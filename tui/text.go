package tui

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"broadside/match"
	"broadside/tui/look"
)

// clean makes text from elsewhere fit for a screen: no control or format
// characters, no combining marks, and at most width cells wide.
func clean(s string, width int) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
			return -1
		}
		return r
	}, s)
	return ansi.Truncate(s, width, "…")
}

// Clean is text from elsewhere in one line of at most width cells, fit for a
// terminal.
func Clean(s string, width int) string { return clean(s, width) }

// nameWidth is the most that a name takes on the screen.
const nameWidth = 20

// clock is a duration as minutes and seconds, rounded up.
func clock(d time.Duration) string {
	s := int((max(0, d) + time.Second - 1) / time.Second)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// clockName is a turn clock as a setting.
func clockName(d time.Duration) string {
	if d == 0 {
		return "off"
	}
	return fmt.Sprintf("%d seconds", int(d/time.Second))
}

// rulesLine says what a rule set is about.
func rulesLine(r match.Rules) string {
	touch := map[match.Contact]string{
		match.TouchNone: "no contact", match.TouchCorners: "corners may touch", match.TouchAny: "ships may touch",
	}[r.Contact]
	return fmt.Sprintf("%s: %d ships, %s", r.Name, len(r.Fleet), touch)
}

// told is the answer to a shot as people say it.
func told(r match.Result) string {
	switch r {
	case match.Water:
		return "water"
	case match.Hit:
		return "hit!"
	case match.Sunk:
		return "hit and sunk!"
	}
	return "the last ship is sunk!"
}

// shotLine tells of a shot. The shooter is named at the beginning of the
// sentence, or in the middle if the clock fired.
func shotLine(beginning, middle string, at match.Cell, r match.Result, auto bool) string {
	if auto {
		return "Time ran out for " + middle + ": a random shot at " + at.String() + ": " + told(r)
	}
	return beginning + " fired at " + at.String() + ": " + told(r)
}

// endingSeen says why a match ended, for spectators.
func endingSeen(v *match.View, names [2]string) string {
	if v.Winner == match.Nobody {
		if v.Reason == match.Endless {
			return "The match went on for too long."
		}
		return "The match was ended by the server."
	}
	winner, loser := names[v.Winner], names[v.Winner.Other()]
	switch v.Reason {
	case match.FleetSunk:
		return "The last ship of " + loser + " is sunk."
	case match.Resigned:
		return loser + " has resigned."
	case match.Left, match.Hangup:
		return loser + " has left."
	case match.Silent:
		return loser + " did not move in time."
	case match.Contradiction:
		return "The answers of " + loser + " contradicted each other."
	}
	if v.Reason.Breach() {
		return loser + " broke the protocol (" + v.Reason.String() + ")."
	}
	return winner + " is the winner."
}

// shotsSeen says how much was fired, for spectators.
func shotsSeen(v *match.View, names [2]string) string {
	return fmt.Sprintf("%s fired %s, %s fired %d.", names[match.First],
		plural(v.Charts[match.First].Fired, "shot", "shots"), names[match.Second], v.Charts[match.Second].Fired)
}

// ending says why a match ended, for one of its sides.
func ending(v *match.View, side match.Side, opponent string) string {
	won := v.Winner == side
	pick := func(ifWon, ifLost string) string {
		if won {
			return ifWon
		}
		return ifLost
	}
	switch v.Reason {
	case match.FleetSunk:
		return pick("You have sunk every ship of "+opponent+".", opponent+" has sunk your last ship.")
	case match.Resigned:
		return pick(opponent+" has resigned.", "You have resigned.")
	case match.Left, match.Hangup:
		return pick(opponent+" has left and did not come back.", "You were away for too long.")
	case match.Closed:
		return "The server has ended the match. Nobody won."
	case match.Endless:
		return "The match went on for too long. Nobody won."
	case match.Silent:
		return pick(opponent+" did not move in time.", "You did not move in time.")
	case match.Contradiction:
		return pick("The answers of "+opponent+" contradicted each other.", "Your answers contradicted each other.")
	}
	if v.Reason.Breach() {
		return pick(opponent+" is a program that broke the protocol ("+v.Reason.String()+").", "You broke the protocol.")
	}
	return ""
}

// plural is a number with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// textWide is the number of cells that a line takes.
func textWide(s string) int { return look.Width(s) }
