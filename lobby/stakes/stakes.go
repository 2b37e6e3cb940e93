// Package stakes defines whether a match is rated or why it is casual.
package stakes

import (
	"slices"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// Stakes records whether a match changes the ratings of its players and, if not, why.
type Stakes uint8

// The stakes. Players choose between the first two.
const (
	Rated          Stakes = iota // the match changes ratings
	Casual                       // chosen by a player
	CasualGuest                  // a player has no account
	CasualRules                  // these rules have no ratings
	CasualHotSeat                // both players share a terminal
	CasualOwner                  // both players belong to the same person
	CasualOften                  // the two players have played enough rated matches today
	CasualFleet                  // a program keeps its fleet
	CasualEarly                  // the match ended before it counted; see [match.Game.AlreadyCounts]
	CasualDisputed               // a side's answers cannot all be true
)

var names = []string{"rated", "casual", "guest", "rules", store.HotSeat, "owner", store.TooOften, "fleet", "early", store.Disputed}

var reasons = []i18n.Key{
	"", "", "a player has no account", "these rules have no ratings", "both players share one terminal",
	"both players belong to the same person", "these two have played ten rated matches today",
	"a program keeps its fleet to itself", "it ended before it counted", "the results contradict each other",
}

// Rated reports whether the match changes ratings.
func (s Stakes) Rated() bool { return s == Rated }

// Word returns "rated" or "casual".
func (s Stakes) Word() i18n.Key {
	if s == Rated {
		return "rated"
	}
	return "casual"
}

// Reason returns why the match is casual, as a clause without a full stop. It is empty if
// the match is rated or if a player chose to play casually.
func (s Stakes) Reason() i18n.Key {
	if int(s) >= len(reasons) {
		return ""
	}
	return reasons[s]
}

// String returns the stakes as a word, in the form in which they are stored.
func (s Stakes) String() string {
	if int(s) >= len(names) {
		return "?"
	}
	return names[s]
}

// MarshalText implements encoding.TextMarshaler.
func (s Stakes) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. An unknown reason is read as
// [Casual].
func (s *Stakes) UnmarshalText(text []byte) error {
	at := slices.Index(names, string(text))
	if at < 0 {
		at = int(Casual)
	}
	*s = Stakes(at)
	return nil
}
