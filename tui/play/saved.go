package play

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/tui/widget"
)

// canUseSavedFleets reports whether the player can use saved fleets in this match. If not, it
// shows why.
func (p *placementPage) canUseSavedFleets() bool {
	switch {
	case p.match.hotSeat != nil:
		p.Notice = p.Lang.Text("Hot-seat matches can't use saved fleets.")
	case p.State.Me.Account == "":
		p.Notice = p.ErrorText(account.ErrFleetAccount)
	default:
		return true
	}
	return false
}

// loadNextFleet loads the player's next saved fleet that fits the rules.
func (p *placementPage) loadNextFleet() tea.Cmd {
	if !p.canUseSavedFleets() {
		return nil
	}
	return widget.Query(p.Env, p.Session.Fleets, func(all []store.Fleet, err error) tea.Cmd {
		if p.checkStoreResult(err) {
			p.placeNextFleet(all)
		}
		return nil
	})
}

// placeNextFleet places the saved fleet after the one loaded last, among those that fit the rules.
func (p *placementPage) placeNextFleet(all []store.Fleet) {
	var fits []store.Fleet
	next := 0
	for _, f := range all {
		if _, ok := account.ParseFleet(p.draft.rules, f); ok {
			fits = append(fits, f)
			if f.Name == p.loadedName {
				next = len(fits)
			}
		}
	}
	if len(fits) == 0 {
		p.Notice = p.Lang.Text("You have no saved fleet for these rules: place one and press s to save it.")
		return
	}
	next %= len(fits)
	f := fits[next]
	l, _ := account.ParseFleet(p.draft.rules, f)
	p.draft.setLayout(l)
	p.loadedName = f.Name
	p.Notice = p.Lang.Text("Fleet %s loaded (%d of %d).", f.Name, next+1, len(fits))
}

// openNameInput opens the input for the name of the fleet to save.
func (p *placementPage) openNameInput() {
	if !p.canUseSavedFleets() {
		return
	}
	if !p.draft.isComplete() {
		p.Notice = p.Lang.Text("Place all ships first, then save the fleet.")
		return
	}
	p.nameInput = widget.NewField(p.loadedName, account.MaxName, func(c rune) rune {
		if c > ' ' && c < 0x7f {
			return c
		}
		return 0
	})
}

// saveFleet saves the placed fleet under the typed name.
func (p *placementPage) saveFleet() tea.Cmd {
	// The layout cannot change while the name input is open.
	name, layout := p.nameInput.Text(), p.draft.layout
	save := func(ctx context.Context) error { return p.Session.SaveFleet(ctx, name, p.draft.rules, layout) }
	return widget.Exec(p.Env, save, func(err error) tea.Cmd {
		if p.checkStoreResult(err) {
			p.loadedName, p.nameInput = name, nil
			p.Notice = p.Lang.Text("Fleet %s is saved. Press o to load it.", name)
		}
		return nil
	})
}

// checkStoreResult reports whether reading or saving fleets succeeded while the page is still shown. If it
// failed, it shows why.
func (p *placementPage) checkStoreResult(err error) bool {
	if p.match.page != p || !p.Nav.IsCurrent(p.match) {
		return false
	}
	if err != nil && err != account.ErrFleetName && err != store.ErrTooManyFleets {
		p.Log.Error("cannot read or save fleets", "error", err)
		err = account.ErrStore
	}
	return p.CheckAction(err)
}
