package screen

import (
	"context"
	"fmt"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// profile shows a player's ratings and results.
type profileScreen struct {
	*widget.Env
	id    string // account ID
	rules string // rule set of the figures
	data  account.Profile
	read  bool // data has been read
}

// newProfile returns the profile of an account, initially for the given rule set.
func newProfile(env *widget.Env, id, rules string) widget.Screen {
	return &profileScreen{Env: env, id: id, rules: rules}
}

var profileKeys = struct{ rules, games, back key.Binding }{
	rules: widget.Bind("r", "rules", "r tab"), games: widget.Bind("g", "history", "g enter"), back: back("q i backspace"),
}

// Init implements [widget.Initer].
func (s *profileScreen) Init() tea.Cmd {
	id := s.id
	return s.Later(s, func(ctx context.Context) func() tea.Cmd {
		p, err := s.Session.Profile(ctx, id, false)
		return func() tea.Cmd {
			if err != nil {
				s.Log.Error("profile cannot be read", "error", err)
				s.Notice = s.Lang.Text(widget.CannotRead)
				return nil
			}
			s.data, s.read = p, true
			return nil
		}
	})
}

func (s *profileScreen) Update(msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case key.Matches(press, profileKeys.rules):
		s.rules = NextPreset(s.rules)
	case key.Matches(press, profileKeys.games) && s.read:
		return s.Open(NewHistory(s.Env, s.id, s.data.Player.Name))
	case key.Matches(press, profileKeys.back):
		s.Back()
	}
	return nil
}

// profileWidth is the width of the left half.
const profileWidth = 36

func (s *profileScreen) View(size widget.Size) widget.View {
	return widget.Page(size, s.Lang.Text("Profile"), widget.ListWidth, func(width, height int) []string {
		if !s.read {
			return widget.Block{Rows: []widget.Row{widget.Line(term.Faint.Render(s.Lang.Text("Loading…")))}}.Draw(width, height)
		}
		return widget.Split(width, height, profileWidth, height/2+1, s.figures, s.openings)
	})
}

// figures returns the player's rating and results under the rule set.
func (s *profileScreen) figures(width, height int) []string {
	p := &s.data
	r := p.Of(s.rules)
	b := widget.Block{Title: text.Name(p.Player.Name), Note: s.rules, Focused: true}
	if p.Player.Kind == store.Bot {
		b.Title = narrate.BotName(s.Lang, p.Player.Name)
	}
	b.Rows = append(b.Rows, widget.Line(term.Faint.Render(s.Lang.Text("%s, since %s", narrate.AccountKind(p.Player.Kind), s.Lang.Date(p.Player.Created)))), widget.Row{})
	figure := func(what i18n.Key, value string) {
		b.Rows = append(b.Rows, widget.Row{Text: term.Faint.Render(s.Lang.Text(what)), Note: term.Strong.Render(value)})
	}
	if r.Standing.RuleSet != "" {
		rank := widget.RankOf(r.Standing.Value)
		figure("rank", rank.Insignia+" "+s.Lang.Text(rank.Name))
		figure("rating", narrate.Standing(r.Standing, time.Now()))
		figure("rated matches", s.Lang.Text("%d", r.Standing.Games))
	} else {
		figure("rating", s.Lang.Text("none yet"))
	}
	figure("matches", s.Lang.Text("%d", r.Games))
	if r.Games > 0 {
		figure("won##number", s.Lang.Text("%d (%s)", r.Won, narrate.Percent(s.Lang, float64(r.Won)/float64(r.Games))))
		figure("hit rate", s.Lang.Text("%s of %d", narrate.ExactPercent(s.Lang, r.HitRate()), r.Shots))
	}
	if r.Reviewed > 0 {
		figure("accuracy", narrate.Percent(s.Lang, r.Accuracy))
	}
	b.Rows = append(append(b.Rows, widget.Row{}), widget.Paragraph(s.Lang.Text("results, all rules, newest last"), term.Plain, width)...)
	if len(p.Form) > 0 {
		b.Rows = append(b.Rows, widget.Line(widget.Form(p.Form)), widget.Line(term.Faint.Render(s.Lang.Text("● won  ○ lost"))))
	} else {
		b.Rows = append(b.Rows, widget.Line(term.Faint.Render(s.Lang.Text("no matches yet"))))
	}
	return b.Draw(width, height)
}

// openings draws a map of how often each cell was the target of a match's first shots.
func (s *profileScreen) openings(width, height int) []string {
	block := widget.Block{Title: s.Lang.Text("Favourite first shots")}
	rules, err := match.Preset(s.rules)
	if err != nil {
		return block.Draw(width, height)
	}
	r := s.data.Of(s.rules)
	most := 0
	for _, n := range r.Openings {
		most = max(most, n)
	}
	b := board.Map(rules)
	for c := range rules.Board().All() {
		n := r.Openings[c]
		text := fmt.Sprintf(" %2d", n)
		switch {
		case n == 0:
			text = "  ·"
		case n > 99:
			text = " ++"
		}
		b.Write(c, text, term.Heat(float64(n)/float64(max(1, most))))
	}
	for _, l := range b.Draw(board.Small.In(s.Detail), board.Whole(rules.Size)) {
		block.Rows = append(block.Rows, widget.Line(l))
	}
	block.Rows = append(block.Rows, widget.Line(term.Faint.Render(s.Lang.Text("matches, among the first 5 shots"))))
	return block.Draw(width, height)
}

// Actions implements [widget.Screen].
func (s *profileScreen) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *profileScreen) Bindings() []key.Binding {
	return []key.Binding{profileKeys.rules, profileKeys.games, widget.Help, profileKeys.back}
}
