package screen

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby/account"
	"broadside/match"
	"broadside/tui/widget"
)

// offeredRules returns the available rule sets: the presets and the player's custom
// rules.
func offeredRules(s *account.Settings) []match.Rules {
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

// RatedPreset returns the preset whose ratings apply to rules r.
func RatedPreset(r match.Rules) string {
	if _, err := match.Preset(r.Name); err != nil {
		return match.Classic().Name
	}
	return r.Name
}

// changeRules selects another rule set and keeps the clock.
func changeRules(s *account.Settings, by int) {
	all := offeredRules(s)
	at := slices.IndexFunc(all, func(r match.Rules) bool { return r.Name == s.Rules.Name })
	s.Rules = all[widget.Cycle(max(0, at), by, len(all))].WithClock(s.Rules.Clock)
}

// clocks are the predefined turn clocks. Other values can be typed.
var clocks = []time.Duration{0, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute}

// changeClock selects another clock.
func changeClock(s *account.Settings, by int) {
	now := s.Rules.Clock
	at, exact := slices.BinarySearch(clocks, now)
	if !exact && by > 0 {
		by-- // at is already the next one
	}
	s.Rules = s.Rules.WithClock(clocks[widget.Cycle(at%len(clocks), by, len(clocks))])
}

// NextRules selects the next rule set, NextClock the next clock.
func NextRules(env *widget.Env) tea.Cmd {
	next := env.Settings
	changeRules(&next, 1)
	return env.ChangeSettings(next)
}

func NextClock(env *widget.Env) tea.Cmd {
	next := env.Settings
	changeClock(&next, 1)
	return env.ChangeSettings(next)
}
