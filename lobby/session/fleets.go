package session

import (
	"context"
	"errors"

	"broadside/internal/sanitize"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/layoutfile"
)

// fleetStore returns the saved fleets of all players and the player's account. It returns
// ErrFleetAccount for guests.
func (s *Session) fleetStore() (all store.Fleets, accountID string, err error) {
	me := s.Player().Account
	if s.lobby.Store() == nil || me == "" {
		return store.Fleets{}, "", account.ErrFleetAccount
	}
	return s.lobby.Store().Fleets, me, nil
}

// Fleets returns the player's saved fleets, ordered by name. Layouts that an earlier version saved
// with cells as (x,y) are converted to cells as A1.
func (s *Session) Fleets(ctx context.Context) ([]store.Fleet, error) {
	fleets, me, err := s.fleetStore()
	if err != nil {
		return nil, err
	}
	all, err := fleets.ListByPlayer(ctx, me)
	for i := range all {
		if r, err := match.Preset(all[i].RuleSet); err == nil {
			if l, ok := account.ParseFleet(r, all[i]); ok {
				all[i].Layout = layoutfile.Format(r, l)
			}
		}
	}
	return all, err
}

// SaveFleet saves a layout under a name and replaces any fleet with the same name. It returns
// [account.ErrFleetName], [store.ErrTooManyFleets], or an error if the layout does not fit.
func (s *Session) SaveFleet(ctx context.Context, name string, rules match.Rules, layout match.Layout) error {
	fleets, me, err := s.fleetStore()
	if err != nil {
		return err
	}
	if name == "" || len(name) > account.MaxName || !sanitize.HasOnlyAlphanumerics(name, "_-") {
		return account.ErrFleetName
	}
	if err := rules.CheckLayout(layout); err != nil {
		return err
	}
	return fleets.Save(ctx, store.Fleet{Player: me, Name: name, RuleSet: rules.Name, Layout: layoutfile.Format(rules, layout)})
}

// RemoveFleet removes the named fleet, or returns [account.ErrNoFleet].
func (s *Session) RemoveFleet(ctx context.Context, name string) error {
	fleets, me, err := s.fleetStore()
	if err != nil {
		return err
	}
	err = fleets.Remove(ctx, me, name)
	if errors.Is(err, store.ErrNotFound) {
		return account.ErrNoFleet
	}
	return err
}
