package play

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/session"
	"broadside/tui/component"
)

var savedKeys = struct{ save, erase, cancel key.Binding }{
	save: component.Bind("enter", "save-the-fleet", "enter"), erase: component.Bind("backspace", "take-back", ""),
	cancel: component.Bind("esc", "do-not-save", "esc"),
}

// hasSaved reports whether the player can use saved fleets in this match; if not, it
// shows why.
func (s *place) hasSaved() bool {
	switch {
	case s.hot != nil:
		s.Notice = s.Lang.Text("saved-fleets-are-not-available")
	case s.State.Me.Account == "":
		s.Notice = s.ErrorText(session.ErrFleetAccount)
	default:
		return true
	}
	return false
}

// loadNext loads the next of the player's fleets that fit the rules.
func (s *place) loadNext() tea.Cmd {
	if !s.hasSaved() {
		return nil
	}
	return s.later(s, func(ctx context.Context) func() tea.Cmd {
		all, err := session.Ask(ctx, s.Session, session.Fleets{})
		return func() tea.Cmd {
			if err != nil {
				s.Notice = s.fleetError(err)
				return nil
			}
			s.load(all)
			return nil
		}
	})
}

// load places the fleet after the one that was loaded last.
func (s *place) load(all []session.Fleet) {
	var fits []session.Fleet
	next := 0
	for _, f := range all {
		if _, ok := session.FleetFor(s.rules, f); ok {
			fits = append(fits, f)
			if f.Name == s.saved {
				next = len(fits)
			}
		}
	}
	if len(fits) == 0 {
		s.Notice = s.Lang.Text("you-have-no-saved-place")
		return
	}
	next %= len(fits)
	f := fits[next]
	l, _ := session.FleetFor(s.rules, f)
	s.fill(l)
	s.saved = f.Name
	s.Notice = s.Lang.Text("your-fleet-x-n-of", f.Name, next+1, len(fits))
}

// startNaming asks for the name to save the placed fleet under.
func (s *place) startNaming() {
	switch {
	case !s.hasSaved():
	case !s.done():
		s.Notice = s.Lang.Text("place-all-ships-first-then")
	default:
		s.name = component.NewField(s.saved, session.MaxName, fleetNameChar)
	}
}

// fleetNameChar returns what a typed character becomes in the name of a fleet.
func fleetNameChar(c rune) rune {
	if c > ' ' && c < 0x7f {
		return c
	}
	return 0
}

// typeName handles a key while the name is typed.
func (s *place) typeName(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, savedKeys.cancel):
		s.name = nil
	case key.Matches(msg, savedKeys.save):
		return s.save()
	default:
		s.name.Update(msg)
	}
	return nil
}

// save saves the placed fleet under the name that was typed.
func (s *place) save() tea.Cmd {
	save := session.SaveFleet{Name: s.name.Text(), Rules: s.rules, Layout: s.layout} // which does not change while the name is typed
	return s.later(s, func(ctx context.Context) func() tea.Cmd {
		err := s.Session.Do(ctx, save)
		return func() tea.Cmd {
			if err != nil {
				s.Notice = s.fleetError(err)
				return nil
			}
			s.saved, s.name = save.Name, nil
			s.Notice = s.Lang.Text("your-fleet-x-is-saved", save.Name)
			return nil
		}
	})
}

// fleetError says why fleets cannot be read or saved.
func (s *place) fleetError(err error) string {
	for _, known := range []error{session.ErrFleetName, session.ErrTooManyFleets} {
		if err == known {
			return s.ErrorText(err)
		}
	}
	s.Log.Error("saved fleets cannot be read or saved", "error", err)
	return s.ErrorText(session.ErrStore)
}
