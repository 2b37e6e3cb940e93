package account

import (
	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/match"
	"broadside/match/layoutfile"
)

// Errors of saved fleets.
var (
	ErrFleetName    = i18n.Errorf("the name of a fleet is 1 to 16 letters, digits, - and _")
	ErrFleetAccount = i18n.Errorf("saved fleets need an account: connect with an SSH key")
	ErrNoFleet      = i18n.Errorf("you have no saved fleet with that name")
	ErrTwoFleets    = i18n.Errorf("this file has two fleets: provide just one, without headings")
)

// ParseFleet returns a saved fleet's layout, or false if it does not fit the rules.
func ParseFleet(r match.Rules, f store.Fleet) (match.Layout, bool) {
	all, err := layoutfile.Parse(r, f.Layout)
	if err != nil || len(all) != 1 {
		return nil, false
	}
	return all[0], true
}
