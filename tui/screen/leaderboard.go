package screen

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/view"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// leaderboard lists the ranked players of a rule set.
type leaderboard struct {
	*widget.Env
	rules    string
	category store.Category
	list     widget.List[view.RankedPlayer]
}

// maxListed is the maximum length of a leaderboard.
const maxListed = 100

var categoryNames = [...]i18n.Key{
	store.AllPlayers: "everyone", store.People: "people", store.ProgramsAndBots: "bots and programs",
}

func newLeaderboard(env *widget.Env) widget.Screen {
	s := &leaderboard{Env: env, rules: PresetForRating(env.Settings.Rules)}
	s.list.ID = func(p view.RankedPlayer) string { return p.Player }
	s.list.Open = func(p view.RankedPlayer) tea.Cmd { return s.Nav.Open(newProfileScreen(s.Env, p.Player, s.rules)) }
	return s
}

// Init implements [widget.Initializer]. It reads the leaderboard.
func (s *leaderboard) Init() tea.Cmd {
	category, rules, lang := s.category, s.rules, s.Lang
	return s.list.Load(s.Env, func(ctx context.Context) ([]view.RankedPlayer, error) {
		all, err := s.Session.Leaderboard(ctx, category, rules, maxListed)
		return view.LeaderboardRows(lang, all), err
	})
}

func (s *leaderboard) Update(msg tea.Msg) tea.Cmd { return s.list.Update(msg) }

// Actions implements [widget.Screen].
func (s *leaderboard) Actions() []widget.Action {
	return append(s.list.Actions("profile"), []widget.Action{
		{Keys: "i", Label: "your profile", Do: s.openOwnProfile},
		{Keys: "r", Label: "rules", Do: func() tea.Cmd { return s.showLeaderboard(NextPreset(s.rules), s.category) }},
		{Keys: "b", Label: "filter", Do: func() tea.Cmd {
			return s.showLeaderboard(s.rules, (s.category+1)%store.Category(len(categoryNames)))
		}},
		widget.HelpHint,
		widget.BackAction(s.Env, "q backspace"),
	}...)
}

// openOwnProfile opens the player's own profile.
func (s *leaderboard) openOwnProfile() tea.Cmd {
	if s.State.Me.Account == "" {
		s.Notice = s.Lang.Text("You are a guest and have no profile. Connect with a key to get one.")
		return nil
	}
	return s.Nav.Open(newProfileScreen(s.Env, s.State.Me.Account, s.rules))
}

// showLeaderboard reads another leaderboard.
func (s *leaderboard) showLeaderboard(rules string, category store.Category) tea.Cmd {
	s.rules, s.category = rules, category
	s.list.Reset()
	return s.Init()
}

// The widths from which ratings have their deviation, and players their kind and number of matches.
const (
	leaderboardWide = 60
	ladderWide      = 72
)

func (s *leaderboard) View(size widget.Size) widget.View {
	return widget.PageView(size, s.Lang.Text("Leaderboard"), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{
			Title: s.Lang.Text("Leaderboard") + "  " + s.rules, Note: s.Lang.Text(categoryNames[s.category]), Focused: true,
		}
		wide := width >= leaderboardWide
		if len(s.list.Items) > 0 {
			b.Rows = append(b.Rows, ratingHeadings(s.Lang, wide))
		}
		b.Rows = append(b.Rows, s.list.Rows(s.Env, width, height-2, func(_ int, p view.RankedPlayer) widget.Row { return s.row(p, wide) },
			"No players are ranked yet.", "Matches against bots and between players with keys are rated.", "Provisional ratings, such as 1512?, are not ranked.")...)
		return b.Draw(width, height)
	})
}

// ratingHeadings returns the headings of a list of players with ratings.
func ratingHeadings(l i18n.Language, wide bool) widget.Row {
	head := widget.Row{Text: term.Faint.Render("    " + l.Text("name")), Note: l.Text("rating")}
	if wide {
		head.Note = fmt.Sprintf("%13s %8s", head.Note, l.Text("matches"))
	}
	return head
}

// row returns a ranked player.
func (s *leaderboard) row(p view.RankedPlayer, wide bool) widget.Row {
	name, style := text.CleanName(p.DisplayName), term.Strong
	if p.Player == s.State.Me.Account {
		name, style = s.Lang.Text("%s (you)", name), term.Mark
	}
	row := widget.Row{
		Text: fmt.Sprintf("%3d %s ", p.Place, term.Info.Render(widget.RankForRating(p.Value).Insignia)) + style.Render(text.Pad(name, text.NameWidth)),
		Note: p.String(),
	}
	if wide {
		row.Text += " " + term.Faint.Render(p.KindText)
		row.Note = fmt.Sprintf("%13s %8d", p.RatingText, p.Games)
	}
	return row
}
