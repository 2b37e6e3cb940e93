package account

import (
	"context"
	"errors"

	"broadside/internal/i18n"
	"broadside/internal/sanitize"
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

// FleetFor returns the layout of a saved fleet. It returns false if the layout does not
// fit the rules.
func FleetFor(r match.Rules, f store.Fleet) (match.Layout, bool) {
	all, err := layoutfile.Parse(r, f.Layout)
	if err != nil || len(all) != 1 {
		return nil, false
	}
	return all[0], true
}

// Fleets manages the saved fleets of an account. Its methods may be called from any
// goroutine and wait for the database. They return ErrFleetAccount for guests.
type Fleets struct {
	store   *store.Store
	account string // empty for guests
}

// Fleets returns the saved fleets of a player.
func (a *Accounts) Fleets(p Player) Fleets { return Fleets{a.cfg.Store, p.Account} }

func (f Fleets) check() error {
	if f.store == nil || f.account == "" {
		return ErrFleetAccount
	}
	return nil
}

// List returns all saved fleets, ordered by name. Layouts that an earlier version saved
// with cells as (x,y) are converted to cells as A1.
func (f Fleets) List(ctx context.Context) ([]store.Fleet, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	all, err := f.store.Fleets.Of(ctx, f.account)
	for i := range all {
		if r, err := match.Preset(all[i].RuleSet); err == nil {
			if l, ok := FleetFor(r, all[i]); ok {
				all[i].Layout = layoutfile.Format(r, l)
			}
		}
	}
	return all, err
}

// Save saves a layout under a name and replaces any fleet with the same name. It returns
// [ErrFleetName], [store.ErrTooManyFleets], or an error if the layout does not fit.
func (f Fleets) Save(ctx context.Context, name string, r match.Rules, l match.Layout) error {
	if err := f.check(); err != nil {
		return err
	}
	if name == "" || len(name) > MaxName || !sanitize.Plain(name, "_-") {
		return ErrFleetName
	}
	if err := r.Check(l); err != nil {
		return err
	}
	err := f.store.Fleets.Save(ctx, store.Fleet{Player: f.account, Name: name, RuleSet: r.Name, Layout: layoutfile.Format(r, l)})
	if errors.Is(err, store.ErrTooManyFleets) {
		return store.ErrTooManyFleets
	}
	return err
}

// Remove removes the named fleet, or returns ErrNoFleet.
func (f Fleets) Remove(ctx context.Context, name string) error {
	if err := f.check(); err != nil {
		return err
	}
	err := f.store.Fleets.Remove(ctx, f.account, name)
	if errors.Is(err, store.ErrNotFound) {
		return ErrNoFleet
	}
	return err
}
