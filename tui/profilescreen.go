package tui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term/look"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/format"
)

// profileScreen is what there is to know of a player.
type profileScreen struct {
	id      string // of the account
	rules   string // whose figures are shown
	back    screen
	profile session.Profile
	read    bool // profile is there
}

func (s *profileScreen) load(m *Model) tea.Cmd {
	ask := session.GetProfile{ID: s.id}
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		p, err := session.Ask(ctx, m.own, ask)
		return func() tea.Cmd {
			if err != nil {
				m.log.Error("profile cannot be read", "error", err)
				m.notice = m.lang.Say(cannotRead)
				return nil
			}
			s.profile, s.read = p, true
			return nil
		}
	})
}

func (s *profileScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "r", "tab":
		s.rules = nextPreset(s.rules)
	case "g", "enter":
		if s.read {
			return m.visitShelf(&gamesScreen{of: s.id, name: format.Name(s.profile.Player.Name), back: s})
		}
	case "esc", "q", "i", "backspace":
		m.comeBack(s.back)
	case "ctrl+c":
		return tea.Quit
	}
	return nil
}

// outcomeSigns are how matches ended, as letters.
var outcomeSigns = [...]i18n.Text{session.Lost: "L ¦ lost", session.Won: "W ¦ won", session.Drawn: "D ¦ drawn"}

// profileWidth is the width of the left half.
const profileWidth = 36

func (s *profileScreen) draw(m *Model) []string {
	t := looks()
	if !s.read {
		return []string{format.Pad(t.faint.Render(m.lang.Say("It is coming.")), profileWidth)}
	}
	p := &s.profile
	var r session.RulesProfile
	for _, of := range p.Rules {
		if of.Name == s.rules {
			r = of
		}
	}
	left := []string{
		format.Pad(t.strong.Render(format.Name(p.Player.Name)), profileWidth),
		t.faint.Render(m.lang.Say("%s, since %s", kinds[p.Player.Kind], m.lang.Date(p.Player.Created))),
		"", t.strong.Render(s.rules), "",
	}
	figure := func(what i18n.Text, value string) { left = append(left, format.Pad(m.lang.Say(what), 16)+value) }
	if r.Standing.Games > 0 {
		figure("rating", ratingText(r.Standing, time.Now()))
		figure("rated games", m.lang.Say("%d", r.Standing.Games))
	} else {
		figure("rating", m.lang.Say("none yet"))
	}
	figure("games", m.lang.Say("%d", r.Games))
	if r.Games > 0 {
		figure("won", m.lang.Say("%d (%.0f %%)", r.Won, 100*float64(r.Won)/float64(r.Games)))
		figure("hit rate", m.lang.Say("%.1f %% of %d", 100*r.HitRate(), r.Shots))
	}
	var form []string
	for i := len(p.Form) - 1; i >= 0; i-- { // the newest at the right, as people read
		style := t.bad
		switch p.Form[i] {
		case session.Won:
			style = t.good
		case session.Drawn:
			style = t.warn
		}
		form = append(form, style.Render(m.lang.Say(outcomeSigns[p.Form[i]])))
	}
	left = append(left, "", m.lang.Say("form, all rules, the newest last"), strings.Join(form, " "))
	if len(form) > 0 {
		left = append(left, t.faint.Render(m.lang.Say("W won  L lost  D drawn")))
	} else {
		left = append(left, t.faint.Render(m.lang.Say("no games yet")))
	}
	return format.Columns(m.width, left, m.openingsMap(s.rules, r.Openings), 4)
}

// openingsMap draws how often the first shots of matches went where.
func (m *Model) openingsMap(name string, openings map[match.Cell]int) []string {
	rules, err := match.Preset(name)
	if err != nil {
		return nil
	}
	most := 0
	for _, n := range openings {
		most = max(most, n)
	}
	b := board.Map(rules.Size)
	for c := range rules.Board().All() {
		n := openings[c]
		text := fmt.Sprintf(" %2d", n)
		switch {
		case n == 0:
			text = "  ·"
		case n > 99:
			text = " ++"
		}
		b.Write(c, text, look.Heat(float64(n)/float64(max(1, most))))
	}
	lines := append([]string{"   " + looks().strong.Render(m.lang.Say("FAVOURITE FIRST SHOTS"))}, b.Draw(board.Compact, board.Whole(rules.Size))...)
	return append(lines, looks().faint.Render("   "+m.lang.Say("games with it in the first five")))
}

func (s *profileScreen) hints(*Model) []i18n.Text {
	return []i18n.Text{"r", "rules", "g", "games", "?", "help", "esc", "back"}
}
