package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/session"
)

// savedFleets is what the placement screen knows of the fleets that the person
// keeps.
type savedFleets struct {
	last   string // the name of the one taken last
	naming bool   // the name to save the placed fleet under is being typed
	name   string
}

// takesText tells whether letters are text here.
func (s *placeScreen) takesText() bool { return s.saved.naming }

// keepsFleets tells whether the person can use saved fleets in this match, and
// says why not.
func (m *Model) keepsFleets() bool {
	switch {
	case m.hot != nil:
		m.notice = m.lang.Say("Saved fleets are for matches at a terminal of your own.")
	case m.me.Account == "":
		m.notice = m.sentence(session.ErrFleetAccount)
	default:
		return true
	}
	return false
}

// nextSaved takes the next of the person's fleets that fit the rules.
func (s *placeScreen) nextSaved(m *Model) tea.Cmd {
	if !m.keepsFleets() {
		return nil
	}
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		all, err := session.Ask(ctx, m.own, session.Fleets{})
		return func() tea.Cmd {
			if err != nil {
				m.notice = s.unsaved(m, err)
				return nil
			}
			s.take(m, all)
			return nil
		}
	})
}

// take takes the fleet after the one taken last.
func (s *placeScreen) take(m *Model, all []session.Fleet) {
	var fits []session.Fleet
	next := 0
	for _, f := range all {
		if _, ok := session.FleetFor(s.rules, f); ok {
			fits = append(fits, f)
			if f.Name == s.saved.last {
				next = len(fits)
			}
		}
	}
	if len(fits) == 0 {
		m.notice = m.lang.Say("You have no saved fleet for these rules: place one and save it with s.")
		return
	}
	next %= len(fits)
	f := fits[next]
	l, _ := session.FleetFor(s.rules, f)
	s.fill(l)
	s.saved.last = f.Name
	m.notice = m.lang.Say("Your fleet %s, %d of %d.", f.Name, next+1, len(fits))
}

// startNaming asks for the name to save the placed fleet under.
func (s *placeScreen) startNaming(m *Model) {
	switch {
	case !m.keepsFleets():
	case s.hand < len(s.layout):
		m.notice = m.lang.Say("Place all ships first, then save the fleet.")
	default:
		s.saved.naming, s.saved.name = true, s.saved.last
	}
}

// nameFleet handles a key while the name is typed.
func (s *placeScreen) nameFleet(m *Model, key string) tea.Cmd {
	name := &s.saved.name
	switch key {
	case "esc":
		s.saved.naming = false
	case "ctrl+c":
		s.saved.naming = false
		s.leaving.key(m, key)
	case "backspace":
		if *name != "" {
			*name = (*name)[:len(*name)-1]
		}
	case "enter":
		return s.save(m)
	default:
		if len(key) == 1 && key[0] > ' ' && key[0] < 0x7f && len(*name) < session.MaxName {
			*name += key
		}
	}
	return nil
}

// save keeps the placed fleet under the name that was typed.
func (s *placeScreen) save(m *Model) tea.Cmd {
	save := session.SaveFleet{Name: s.saved.name, Rules: s.rules, Layout: s.layout} // which is whole, and changed by nobody while the name is typed
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		err := m.own.Do(ctx, save)
		return func() tea.Cmd {
			if err != nil {
				m.notice = s.unsaved(m, err)
				return nil
			}
			s.saved = savedFleets{last: save.Name}
			m.notice = m.lang.Say("Your fleet %s is saved: o brings it back.", save.Name)
			return nil
		}
	})
}

// unsaved says why fleets cannot be read or saved.
func (s *placeScreen) unsaved(m *Model, err error) string {
	for _, known := range []error{session.ErrFleetName, session.ErrTooManyFleets} {
		if err == known {
			return m.sentence(err)
		}
	}
	m.log.Error("saved fleets are out of reach", "error", err)
	return m.sentence(session.ErrStore)
}
