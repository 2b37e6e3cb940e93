package lobby

import (
	"cmp"
	"slices"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/store/rating"
	"broadside/match"
)

// Stakes say whether a match changes the ratings of its players and, if it does
// not, why.
type Stakes uint8

// The stakes. Players choose between the first two.
const (
	Rated         Stakes = iota // the match changes ratings
	Casual                      // a player has chosen so
	CasualGuest                 // a player has no account
	CasualRules                 // there are no ratings for these rules
	CasualHotSeat               // both players sit at one terminal
	CasualOwner                 // both players belong to the same person
	CasualOften                 // the two have played enough rated matches today
	CasualFleet                 // a program has neither placed its fleet nor committed to it
	CasualEarly                 // it ended before it counted, see [match.Game.Counts]
)

var stakesNames = []string{"rated", "casual", "guest", "rules", "hot-seat", "owner", store.TooOften, "fleet", "early"}

var stakesReasons = []i18n.Text{
	"", "", "a player has no account", "these rules have no ratings", "both players sit at one terminal",
	"both players belong to the same person", "these two have played ten rated matches today",
	"a program keeps its fleet to itself", "it ended before it counted",
}

// Rated reports whether the match changes ratings.
func (s Stakes) Rated() bool { return s == Rated }

// Word returns "rated" or "casual".
func (s Stakes) Word() i18n.Text {
	if s == Rated {
		return "rated"
	}
	return "casual"
}

// Reason returns why the match is casual, as a clause without a full stop. It is
// empty if the match is rated or a player has chosen a casual one.
func (s Stakes) Reason() i18n.Text {
	if int(s) >= len(stakesReasons) {
		return ""
	}
	return stakesReasons[s]
}

// String returns the stakes in a word, as they are stored.
func (s Stakes) String() string {
	if int(s) >= len(stakesNames) {
		return "?"
	}
	return stakesNames[s]
}

// MarshalText implements encoding.TextMarshaler.
func (s Stakes) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. A reason that this version
// does not know is read as [Casual].
func (s *Stakes) UnmarshalText(text []byte) error {
	at := slices.Index(stakesNames, string(text))
	if at < 0 {
		at = int(Casual)
	}
	*s = Stakes(at)
	return nil
}

// stakesOf returns the stakes of a match between two players, one of whom has
// chosen them for both.
func stakesOf(choice Stakes, r match.Rules, players [2]Player) Stakes {
	switch {
	case hotSeat(players):
		return CasualHotSeat
	case choice != Rated:
		return choice
	case players[0].Account == "" || players[1].Account == "":
		return CasualGuest
	case cmp.Or(players[0].Owner, players[0].Account) == cmp.Or(players[1].Owner, players[1].Account):
		return CasualOwner // nobody makes a rating by playing against programs of their own
	case !hasScale(r):
		return CasualRules
	case keepsFleet(players[0]) || keepsFleet(players[1]):
		return CasualFleet
	}
	for _, p := range players {
		if _, ok := rating.OfBot(r.Name, p.Name); p.Kind == Bot && !ok {
			return CasualRules
		}
	}
	return Rated
}

// keepsFleet reports whether nothing fixes a player's fleet before the first
// shot.
func keepsFleet(p Player) bool { return p.Kind == Program && !p.Fixed }

// hasScale tells whether there are ratings for some rules: each preset has a
// scale of its own, and rules that people have made up have none.
func hasScale(r match.Rules) bool {
	preset, err := match.Preset(r.Name)
	return err == nil && preset.Same(r)
}

// knownStakes returns the stakes of a match that was written down, perhaps by an
// earlier version, which knew only whether it was rated.
func knownStakes(rated bool, s Stakes) Stakes {
	if !rated && s == Rated {
		return Casual
	}
	return s
}
