package tui

import (
	"reflect"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term/look"
	"broadside/match"
)

// choose changes the settings, which are kept with the account.
func (m *Model) choose(next session.Settings) tea.Cmd {
	if reflect.DeepEqual(next, m.settings) {
		return nil
	}
	m.inForce(next)
	kept := m.own.SaveSettings(m.settings)
	return func() tea.Msg {
		select {
		case err := <-kept:
			return keptMsg{err}
		case <-m.ctx.Done():
			return nil
		}
	}
}

// keptMsg tells whether settings are stored.
type keptMsg struct{ err error }

func (m *Model) kept(msg keptMsg) {
	if msg.err != nil {
		m.notice = m.lang.Say("What you have chosen holds until you leave: %s.", msg.err)
	}
}

// wear puts settings into force that were stored.
func (m *Model) wear(s session.Settings) {
	m.inForce(s)
	m.do(session.DoNotDisturb{On: s.DoNotDisturb})
}

// inForce has the screens go by settings.
func (m *Model) inForce(s session.Settings) {
	m.settings = s
	m.SetLook(lookOf(&s))
	m.lang = m.native
	if l, ok := i18n.Parse(s.Language); ok {
		m.lang = l
	}
}

// lookOf is how a person wants the screens to look. What is not known is left
// to the terminal.
func lookOf(s *session.Settings) look.Choice {
	c := look.Choice{Still: s.NoAnimation, NoMouse: s.NoMouse}
	c.Theme, _ = look.ParseTheme(s.Theme)
	c.Glyphs, _ = look.ParseGlyphs(s.Glyphs)
	return c
}

// offeredRules are the rule sets to choose from: the presets, and what the
// person has put together.
func offeredRules(s *session.Settings) []match.Rules {
	var all []match.Rules
	for _, name := range match.Presets() {
		if r, err := match.Preset(name); err == nil {
			all = append(all, r)
		}
	}
	if s.Custom.Name != "" {
		all = append(all, s.Custom)
	}
	return all
}

// scaleOf is the preset whose ratings are shown to who plays by some rules.
func scaleOf(r match.Rules) string {
	if _, err := match.Preset(r.Name); err != nil {
		return match.Classic().Name
	}
	return r.Name
}

// turnRules goes on to another rule set. The clock stays.
func turnRules(s *session.Settings, by int) {
	all := offeredRules(s)
	at := slices.IndexFunc(all, func(r match.Rules) bool { return r.Name == s.Rules.Name })
	s.Rules = all[around(max(0, at), by, len(all))].WithClock(s.Rules.Clock)
}

// clocks are the turn clocks to go through. Others can be typed.
var clocks = []time.Duration{0, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute}

// turnClock goes on to another clock.
func turnClock(s *session.Settings, by int) {
	now := s.Rules.Clock
	at, exact := slices.BinarySearch(clocks, now)
	if !exact && by > 0 {
		by-- // at is the next one already
	}
	s.Rules = s.Rules.WithClock(clocks[around(at%len(clocks), by, len(clocks))])
}

// around is the place by places on in a circle of n.
func around(at, by, n int) int { return ((at+by)%n + n) % n }

// ring rings the terminal's bell, if the person wants to hear it.
func (m *Model) ring() tea.Cmd {
	if !m.settings.Bell {
		return nil
	}
	return tea.Raw(bell)
}

const bell = "\a"

// calls tells whether an update is one that the person at the seat waits for:
// the match begins, it is their turn, or it is over.
func (g *game) calls(before, after *session.MatchUpdate) bool {
	was, is := &before.View, &after.View
	switch {
	case g.own != "": // they sit here together
		return false
	case is.Phase == match.Over:
		return was.Phase == match.Battle
	case is.Phase != match.Battle || is.Turn != g.side:
		return false
	case was.Phase != match.Battle || was.Turn != g.side:
		return true
	}
	// The enemy's whole turn may have come at once.
	return is.Turns[g.side.Other()] != was.Turns[g.side.Other()]
}
