package screen

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/internal/view"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// profileScreen shows a player's ratings and results.
type profileScreen struct {
	*widget.Env
	accountID string
	ruleSet   string
	profile   account.Profile
	isLoaded  bool
	// failure says why the profile cannot be read.
	failure string
	// page is an index in profilePages.
	page int
}

// profilePages label the pages beside the figures.
var profilePages = [...]i18n.Key{"first shots", "career", "ranks"}

// newProfileScreen returns an account's profile, initially for the given rule set.
func newProfileScreen(env *widget.Env, id, rules string) widget.Screen {
	return &profileScreen{Env: env, accountID: id, ruleSet: rules}
}

// Init implements [widget.Initializer].
func (s *profileScreen) Init() tea.Cmd {
	query := func(ctx context.Context) (account.Profile, error) { return s.Session.Profile(ctx, s.accountID, false) }
	return widget.Query(s.Env, query, func(p account.Profile, err error) tea.Cmd {
		if err != nil {
			s.failure = s.ErrorText(err)
			return nil
		}
		s.profile, s.isLoaded = p, true
		return nil
	})
}

func (s *profileScreen) Update(tea.Msg) tea.Cmd { return nil }

// Actions implements [widget.Screen].
func (s *profileScreen) Actions() []widget.Action {
	next := (s.page + 1) % len(profilePages)
	return []widget.Action{
		{Keys: "r", Label: "rules", Do: widget.NoCommand(func() { s.ruleSet = NextPreset(s.ruleSet) })},
		{Keys: "tab", Label: profilePages[next], Do: widget.NoCommand(func() { s.page = next })},
		{Keys: "g enter", Label: "history", Off: !s.isLoaded, Do: func() tea.Cmd {
			return s.Nav.Open(NewHistory(s.Env, s.accountID, s.profile.Player.Name))
		}},
		widget.HelpHint,
		widget.BackAction(s.Env, "q i backspace"),
		{Keys: "c", Label: "offer a match", Off: !s.canOfferMatch(), Do: func() tea.Cmd {
			return s.Nav.Open(NewMatchAgainst(s.Env, s.profile.Player.Name))
		}},
	}
}

// canOfferMatch reports whether the profile is of another player or a program.
func (s *profileScreen) canOfferMatch() bool {
	return s.isLoaded && s.accountID != s.State.Me.Account && s.profile.Player.Kind != store.Bot
}

// profileWidth is the left half's width.
const profileWidth = 36

func (s *profileScreen) View(size widget.Size) widget.View {
	return widget.PageView(size, s.Lang.Text("Profile"), widget.ListWidth, func(width, height int) []string {
		switch {
		case s.failure != "":
			return widget.Block{Rows: widget.ParagraphRows(s.failure, term.Warn, width)}.Draw(width, height)
		case !s.isLoaded:
			return widget.Block{Rows: []widget.Row{widget.TextRow(term.Faint.Render(s.Lang.Text("Loading…")))}}.Draw(width, height)
		}
		page := [len(profilePages)]func(width, height int) []string{s.drawFirstShots, s.drawCareer, s.drawRanks}[s.page]
		return widget.DrawSplit(width, height, profileWidth, height/2+1, s.drawFigures, page)
	})
}

// drawFigures returns the player's rating and results under the rule set.
func (s *profileScreen) drawFigures(width, height int) []string {
	p := &s.profile
	r := p.ForRules(s.ruleSet)
	b := widget.Block{Title: text.CleanName(p.Player.Name), Note: s.ruleSet, Focused: true}
	if p.Player.Kind == store.Bot {
		b.Title = narrate.BotName(s.Lang, p.Player.Name)
	}
	b.Rows = append(b.Rows, widget.TextRow(term.Faint.Render(s.Lang.Text("%s, since %s", narrate.AccountKindName(p.Player.Kind), s.Lang.LongDate(p.Player.Created)))), widget.Row{})
	figure := func(what i18n.Key, value string) {
		b.Rows = append(b.Rows, widget.Row{Text: term.Faint.Render(s.Lang.Text(what)), Note: term.Strong.Render(value)})
	}
	if r.Standing.RuleSet != "" {
		rank := widget.RankForRating(r.Standing.Value)
		figure("rank", rank.Insignia+" "+s.Lang.Text(rank.Name))
		figure("rating", narrate.RatingWithDeviation(r.Standing, time.Now()))
		figure("rated matches", s.Lang.Text("%d", r.Standing.Games))
	} else {
		figure("rating", s.Lang.Text("none yet"))
	}
	figure("matches", s.Lang.Text("%d", r.Games))
	if r.Games > 0 {
		figure("won##number", s.Lang.Text("%d (%s)", r.Won, narrate.Percent(s.Lang, float64(r.Won)/float64(r.Games))))
		figure("hit rate", s.Lang.Text("%s of %d", narrate.PercentWithDecimal(s.Lang, r.HitRate()), r.Shots))
	}
	if r.Reviewed > 0 {
		figure("accuracy", narrate.Percent(s.Lang, r.Accuracy))
	}
	b.Rows = append(append(b.Rows, widget.Row{}), widget.ParagraphRows(s.Lang.Text("results, all rules, newest last"), term.Plain, width)...)
	if len(p.Form) > 0 {
		b.Rows = append(b.Rows, widget.TextRow(widget.RecentResults(p.Form)), widget.TextRow(term.Faint.Render(s.Lang.Text("● won  ○ lost"))))
	} else {
		b.Rows = append(b.Rows, widget.TextRow(term.Faint.Render(s.Lang.Text("no matches yet"))))
	}
	return b.Draw(width, height)
}

// drawFirstShots draws a map of how often each cell was the target of a match's first shots.
func (s *profileScreen) drawFirstShots(width, height int) []string {
	block := widget.Block{Title: s.Lang.Text("Favourite first shots")}
	rules, err := match.Preset(s.ruleSet)
	if err != nil {
		return block.Draw(width, height)
	}
	r := s.profile.ForRules(s.ruleSet)
	most := 0
	for _, n := range r.FirstShots {
		most = max(most, n)
	}
	chart := match.NewChart(rules)
	b := board.NewChart(&chart)
	for c := range rules.Cells().All() {
		n := r.FirstShots[c]
		text := fmt.Sprintf(" %2d", n)
		switch {
		case n == 0:
			text = "  ·"
		case n > 99:
			text = " ++"
		}
		b.SetText(c, text, term.HeatStyle(float64(n)/float64(max(1, most))))
	}
	for _, l := range b.Draw(board.Small.WithDetail(s.Detail), board.WholeWindow(rules.Size)) {
		block.Rows = append(block.Rows, widget.TextRow(l))
	}
	block.Rows = append(block.Rows, widget.TextRow(term.Faint.Render(s.Lang.Text("matches, among the first 5 shots"))))
	best, worst := r.BestFirstShots()
	if len(best) > 0 {
		for _, row := range [][2]string{
			{s.Lang.Text("Best first shots"), view.CellRates(s.Lang, best)},
			{s.Lang.Text("Worst first shots"), view.CellRates(s.Lang, worst)},
		} {
			block.Rows = append(block.Rows, widget.Row{Heading: row[0]}, widget.TextRow(row[1]))
		}
	}
	return block.Draw(width, height)
}

// drawCareer returns the rating over time, the current streak and the results against each opponent.
func (s *profileScreen) drawCareer(width, height int) []string {
	c := &s.profile.Career
	b := widget.Block{Title: s.Lang.Text("Career")}
	streak := view.Streak(s.Lang, c)
	if streak != "" {
		b.Rows = append(b.Rows, widget.Row{Text: term.Faint.Render(s.Lang.Text("current streak")), Note: streak})
	}
	ratings := c.Ratings[s.ruleSet]
	if len(ratings) > 1 {
		graph := term.Good.Render(view.RatingGraph(ratings, width-4))
		b.Rows = append(b.Rows, widget.Row{Heading: s.Lang.Text("Rating over time"), Note: view.RatingRange(ratings)}, widget.TextRow(graph))
	}
	if len(c.Opponents) > 0 {
		b.Rows = append(b.Rows, widget.Row{Heading: s.Lang.Text("Opponents"), Note: s.Lang.Text("won–lost")})
	}
	for _, o := range c.Opponents {
		b.Rows = append(b.Rows, widget.Row{Text: view.LadderName(s.Lang, o.Name), Note: fmt.Sprintf("%d–%d", o.Won, o.Lost)})
	}
	if len(b.Rows) == 0 {
		b.Rows = append(b.Rows, widget.TextRow(term.Faint.Render(s.Lang.Text("no matches yet"))))
	}
	return b.Draw(width, height)
}

// drawRanks returns the ranks with their ratings, the player's own one emphasized.
func (s *profileScreen) drawRanks(width, height int) []string {
	b := widget.Block{Title: s.Lang.Text("Ranks"), Note: s.Lang.Text("rating"), Rows: []widget.Row{{}}}
	own, rated := widget.Rank{}, s.profile.ForRules(s.ruleSet).Standing
	if rated.RuleSet != "" {
		own = widget.RankForRating(rated.Value)
	}
	for _, r := range slices.Backward(widget.Ranks()) {
		row := widget.Row{Text: term.Info.Render(r.Insignia) + "  " + s.Lang.Text(r.Name), Note: s.Lang.Text("from %s", fmt.Sprintf("%.0f", r.MinRating))}
		if r == own {
			row.Text = term.Mark.Render(r.Insignia + "  " + s.Lang.Text(r.Name))
		}
		b.Rows = append(b.Rows, row)
	}
	return b.Draw(width, height)
}
