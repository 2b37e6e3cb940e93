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
func (s *place) canUseSavedFleets() bool {
	switch {
	case s.match.hotSeat != nil:
		s.Notice = s.Lang.Text("Hot-seat matches can't use saved fleets.")
	case s.State.Me.Account == "":
		s.Notice = s.ErrorText(account.ErrFleetAccount)
	default:
		return true
	}
	return false
}

// loadNextFleet loads the player's next saved fleet that fits the rules.
func (s *place) loadNextFleet() tea.Cmd {
	if !s.canUseSavedFleets() {
		return nil
	}
	return widget.Query(s.Env, s.Session.Fleets, func(all []store.Fleet, err error) tea.Cmd {
		if s.checkStoreResult(err) {
			s.placeNextFleet(all)
		}
		return nil
	})
}

// placeNextFleet places the saved fleet after the one loaded last, among those that fit the rules.
func (s *place) placeNextFleet(all []store.Fleet) {
	var fits []store.Fleet
	next := 0
	for _, f := range all {
		if _, ok := account.ParseFleet(s.draft.rules, f); ok {
			fits = append(fits, f)
			if f.Name == s.loadedName {
				next = len(fits)
			}
		}
	}
	if len(fits) == 0 {
		s.Notice = s.Lang.Text("You have no saved fleet for these rules: place one and press s to save it.")
		return
	}
	next %= len(fits)
	f := fits[next]
	l, _ := account.ParseFleet(s.draft.rules, f)
	s.draft.setLayout(l)
	s.loadedName = f.Name
	s.Notice = s.Lang.Text("Fleet %s loaded (%d of %d).", f.Name, next+1, len(fits))
}

// openNameInput opens the input for the name of the fleet to save.
func (s *place) openNameInput() {
	switch {
	case !s.canUseSavedFleets():
	case !s.draft.isComplete():
		s.Notice = s.Lang.Text("Place all ships first, then save the fleet.")
	default:
		s.nameInput = widget.NewField(s.loadedName, account.MaxName, func(c rune) rune {
			if c > ' ' && c < 0x7f {
				return c
			}
			return 0
		})
	}
}

// saveFleet saves the placed fleet under the typed name.
func (s *place) saveFleet() tea.Cmd {
	// The layout cannot change while the name input is open.
	name, layout := s.nameInput.Text(), s.draft.layout
	save := func(ctx context.Context) error { return s.Session.SaveFleet(ctx, name, s.draft.rules, layout) }
	return widget.Exec(s.Env, save, func(err error) tea.Cmd {
		if s.checkStoreResult(err) {
			s.loadedName, s.nameInput = name, nil
			s.Notice = s.Lang.Text("Fleet %s is saved. Press o to load it.", name)
		}
		return nil
	})
}

// checkStoreResult reports whether reading or saving fleets succeeded while the page is still shown. If it
// failed, it shows why.
func (s *place) checkStoreResult(err error) bool {
	if s.match.page != s || !s.Nav.IsCurrent(s.match) {
		return false
	}
	if err != nil && err != account.ErrFleetName && err != store.ErrTooManyFleets {
		s.Log.Error("saved fleets cannot be read or saved", "error", err)
		err = account.ErrStore
	}
	return s.CheckAction(err)
}
