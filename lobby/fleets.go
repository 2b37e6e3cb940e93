package lobby

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/match"
	"broadside/match/layoutfile"
)

// Why a fleet is not kept, in sentences for the person.
var (
	ErrFleetName    = i18n.Errorf("the name of a fleet is 1 to 16 letters, digits, - and _")
	ErrFleetAccount = i18n.Errorf("saved fleets need an account: come with a key")
	ErrNoFleet      = i18n.Errorf("you have no saved fleet of that name")
	ErrTwoFleets    = i18n.Errorf("these are the fleets of two players: give one, without headings")
)

// FleetFor is a fleet that is kept as a layout, if it is one of the rules.
func FleetFor(r match.Rules, f store.Fleet) (match.Layout, bool) {
	all, err := layoutfile.Parse(r, f.Layout)
	if err != nil || len(all) != 1 {
		return nil, false
	}
	return all[0], true
}

// Fleets are what the owners of accounts keep of their layouts. All methods may
// be called from any goroutine and wait for the disk; their errors are sentences
// for the person, or tell that the disk cannot be reached.
type Fleets struct {
	Store   *store.Store
	Account string // empty for guests, who keep nothing
}

// Fleets are those that a player keeps.
func (l *Lobby) Fleets(p Player) Fleets { return Fleets{l.cfg.Store, p.Account} }

// List returns all saved fleets, by name. Layouts that an earlier version saved
// with cells as (x,y) are rewritten with cells as A1.
func (f Fleets) List(ctx context.Context) ([]store.Fleet, error) {
	if f.Store == nil || f.Account == "" {
		return nil, ErrFleetAccount
	}
	all, err := f.Store.Fleets.Of(ctx, f.Account)
	for i := range all {
		if r, err := match.Preset(all[i].RuleSet); err == nil {
			if l, ok := FleetFor(r, all[i]); ok {
				all[i].Layout = layoutfile.Format(r, l)
			}
		}
	}
	return all, err
}

var fleetName = regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9_-]{1,%d}$`, MaxName))

// Save keeps a layout of the rules, in place of one of the same name. A name may
// be refused, ErrFleetName, and one fleet too many, [store.ErrTooManyFleets].
func (f Fleets) Save(ctx context.Context, name string, r match.Rules, l match.Layout) error {
	if f.Store == nil || f.Account == "" {
		return ErrFleetAccount
	}
	if !fleetName.MatchString(name) {
		return ErrFleetName
	}
	if err := r.Check(l); err != nil {
		return err
	}
	err := f.Store.Fleets.Save(ctx, store.Fleet{Player: f.Account, Name: name, RuleSet: r.Name, Layout: layoutfile.Format(r, l)})
	if errors.Is(err, store.ErrTooManyFleets) {
		return store.ErrTooManyFleets
	}
	return err
}

// Remove forgets the fleet of a name, or ErrNoFleet.
func (f Fleets) Remove(ctx context.Context, name string) error {
	if f.Store == nil || f.Account == "" {
		return ErrFleetAccount
	}
	err := f.Store.Fleets.Remove(ctx, f.Account, name)
	if errors.Is(err, store.ErrNotFound) {
		return ErrNoFleet
	}
	return err
}
