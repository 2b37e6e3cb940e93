// Package ratingmode defines whether a match is rated, or why it is casual.
package ratingmode

import (
	"slices"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// Mode says whether a match changes its players' ratings and, if not, why.
type Mode uint8

// The modes. Players choose between the first two.
const (
	Rated Mode = iota
	// Casual matches were made casual by a player, all below by the server.
	Casual
	// CasualGuest means that a player has no account.
	CasualGuest
	// CasualRules means that these rules have no ratings.
	CasualRules
	CasualHotSeat
	// CasualOwner means that both players belong to the same person.
	CasualOwner
	// CasualOften means that the two players have played enough rated matches today.
	CasualOften
	// CasualFleet means that a program keeps its fleet.
	CasualFleet
	// CasualEarly matches ended before they counted; see [match.Game.AlreadyCounts].
	CasualEarly
	// CasualDisputed means that a side's results contradict each other.
	CasualDisputed
)

var names = []string{"rated", "casual", "guest", "rules", store.HotSeat, "owner", store.TooOften, "fleet", "early", store.Disputed}

var reasons = []i18n.Key{
	"", "", "a player has no account", "these rules have no ratings", "both players share one terminal",
	"both players belong to the same person", "these two have played ten rated matches today",
	"a program keeps its fleet to itself", "it ended before it counted", "the results contradict each other",
}

// IsRated reports whether the match changes ratings.
func (m Mode) IsRated() bool { return m == Rated }

// Word returns "rated" or "casual".
func (m Mode) Word() i18n.Key {
	if m == Rated {
		return "rated"
	}
	return "casual"
}

// Reason returns why the match is casual, as a clause without a full stop. It is empty if
// the match is rated or if a player chose to play casually.
func (m Mode) Reason() i18n.Key {
	if int(m) >= len(reasons) {
		return ""
	}
	return reasons[m]
}

// String returns the mode in its stored form.
func (m Mode) String() string {
	if int(m) >= len(names) {
		return "?"
	}
	return names[m]
}

// MarshalText implements encoding.TextMarshaler.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. An unknown reason is read as
// [Casual].
func (m *Mode) UnmarshalText(text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		i = int(Casual)
	}
	*m = Mode(i)
	return nil
}
