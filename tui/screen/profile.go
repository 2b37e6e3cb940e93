package screen

import (
	"context"
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/component"
	"broadside/tui/format"
)

// profile shows a player's ratings and results.
type profile struct {
	*component.Env
	id    string // account ID
	rules string // rule set of the figures
	data  session.Profile
	read  bool // data has been read
}

// NewProfile returns the profile of an account, initially for the given rule set.
func NewProfile(env *component.Env, id, rules string) component.Screen {
	return &profile{Env: env, id: id, rules: rules}
}

var profileKeys = struct{ rules, games, back key.Binding }{
	rules: component.Bind("r", "rules", "r tab"), games: component.Bind("g", "history", "g enter"), back: back("q i backspace"),
}

// Init implements [component.Initer].
func (s *profile) Init() tea.Cmd {
	ask := session.GetProfile{ID: s.id}
	return s.Later(s, func(ctx context.Context) func() tea.Cmd {
		p, err := session.Ask(ctx, s.Session, ask)
		return func() tea.Cmd {
			if err != nil {
				s.Log.Error("profile cannot be read", "error", err)
				s.Notice = s.Lang.Text(component.CannotRead)
				return nil
			}
			s.data, s.read = p, true
			return nil
		}
	})
}

func (s *profile) Update(msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case key.Matches(press, profileKeys.rules):
		s.rules = nextPreset(s.rules)
	case key.Matches(press, profileKeys.games) && s.read:
		return s.Open(NewHistory(s.Env, s.id, s.data.Player.Name))
	case key.Matches(press, profileKeys.back):
		s.Back()
	}
	return nil
}

// outcomeSigns are one-letter labels for outcomes.
var outcomeSigns = [...]i18n.Key{session.Lost: "l-lost", session.Won: "w-won", session.Drawn: "d-drawn"}

// profileWidth is the width of the left half.
const profileWidth = 36

func (s *profile) View(size component.Size) component.View {
	return component.View{Lines: s.lines(size)}
}

func (s *profile) lines(size component.Size) []string {
	if !s.read {
		return []string{format.Pad(term.Faint.Render(s.Lang.Text("loading")), profileWidth)}
	}
	p := &s.data
	var r session.RulesProfile
	for _, of := range p.Rules {
		if of.Name == s.rules {
			r = of
		}
	}
	left := []string{
		format.Pad(term.Strong.Render(format.Name(p.Player.Name)), profileWidth),
		term.Faint.Render(s.Lang.Text("x-since-x", kinds[p.Player.Kind], s.Lang.Date(p.Player.Created))),
		"", term.Strong.Render(s.rules), "",
	}
	figure := func(what i18n.Key, value string) { left = append(left, format.Pad(s.Lang.Text(what), 16)+value) }
	if r.Standing.Games > 0 {
		figure("rating", ratingText(r.Standing, time.Now()))
		figure("rated-matches", s.Lang.Text("%d", r.Standing.Games))
	} else {
		figure("rating", s.Lang.Text("none-yet"))
	}
	figure("matches", s.Lang.Text("%d", r.Games))
	if r.Games > 0 {
		figure("won", s.Lang.Text("%d (%.0f %%)", r.Won, 100*float64(r.Won)/float64(r.Games)))
		figure("hit-rate", s.Lang.Text("x-percent-of-n", 100*r.HitRate(), r.Shots))
	}
	if r.Reviewed > 0 {
		figure("accuracy", phrase.Percent(s.Lang, r.Accuracy))
	}
	var form []string
	for i := len(p.Form) - 1; i >= 0; i-- { // newest on the right
		style := term.Bad
		switch p.Form[i] {
		case session.Won:
			style = term.Good
		case session.Drawn:
			style = term.Warn
		}
		form = append(form, style.Render(s.Lang.Text(outcomeSigns[p.Form[i]])))
	}
	left = append(left, "", s.Lang.Text("results-all-rules-newest-last"), strings.Join(form, " "))
	if len(form) > 0 {
		left = append(left, term.Faint.Render(s.Lang.Text("w-won-l-lost-d")))
	} else {
		left = append(left, term.Faint.Render(s.Lang.Text("no-matches-yet")))
	}
	return format.Columns(size.Width, left, s.openings(s.rules, r.Openings), 4)
}

// openings draws a map of how often each cell was the target of a match's first shots.
func (s *profile) openings(name string, openings map[match.Cell]int) []string {
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
		b.Write(c, text, term.Heat(float64(n)/float64(max(1, most))))
	}
	lines := append([]string{"   " + term.Strong.Render(s.Lang.Text("favourite-first-shots"))}, b.Draw(board.Compact, board.Whole(rules.Size))...)
	return append(lines, term.Faint.Render("   "+s.Lang.Text("matches-with-it-in-the")))
}

func (s *profile) Bindings() []key.Binding {
	return []key.Binding{profileKeys.rules, profileKeys.games, component.Help, profileKeys.back}
}
