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
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// leaderboard is the leaderboard screen of a rule set.
type leaderboard struct {
	*widget.Env
	rules string
	board store.Category
	list  []store.Standing
	read  bool // list has been read
	at    int  // index of the selected player
}

// listed is the maximum length of a leaderboard.
const listed = 100

var boardNames = [...]i18n.Key{store.Everybody: "everyone", store.People: "people", store.Machines: "bots and programs"}

// NewLeaderboard returns the leaderboard for the player's rule set.
func NewLeaderboard(env *widget.Env) widget.Screen {
	return &leaderboard{Env: env, rules: RatedPreset(env.Settings.Rules)}
}

var leaderboardKeys = struct{ open, own, rules, board, back key.Binding }{
	open: widget.Bind("enter", "profile", "enter space"), own: widget.Bind("i", "your profile", "i"),
	rules: widget.Bind("r", "rules", "r"), board: widget.Bind("tab", "filter", "tab b"), back: back("q l backspace"),
}

// Init implements [widget.Initer]. It reads the leaderboard.
func (s *leaderboard) Init() tea.Cmd {
	board, rules := s.board, s.rules
	return s.Later(s, func(ctx context.Context) func() tea.Cmd {
		list, err := s.Session.Leaderboard(ctx, board, rules, listed)
		return func() tea.Cmd {
			if board != s.board || rules != s.rules { // another board was requested meanwhile
				return nil
			}
			if err != nil {
				s.Log.Error("leaderboard cannot be read", "error", err)
				s.Notice = s.Lang.Text(widget.CannotRead)
				return nil
			}
			s.list, s.read = list, true
			s.at = max(0, min(s.at, len(list)-1))
			return nil
		}
	})
}

func (s *leaderboard) Update(msg tea.Msg) tea.Cmd {
	if p, ok := msg.(widget.Pick); ok && p.Item <= len(s.list) {
		s.at = p.Item - 1
		return s.Open(newProfile(s.Env, s.list[s.at].Player, s.rules))
	}
	if msg, ok := msg.(tea.KeyPressMsg); ok {
		return s.press(msg)
	}
	return nil
}

func (s *leaderboard) press(msg tea.KeyPressMsg) tea.Cmd {
	if at, ok := widget.MoveCursor(msg, s.at, len(s.list)); ok {
		s.at = at
		return nil
	}
	switch {
	case key.Matches(msg, leaderboardKeys.rules):
		s.rules = NextPreset(s.rules)
		return s.reload()
	case key.Matches(msg, leaderboardKeys.board):
		s.board = (s.board + 1) % store.Category(len(boardNames))
		return s.reload()
	case key.Matches(msg, leaderboardKeys.open) && s.at < len(s.list):
		return s.Open(newProfile(s.Env, s.list[s.at].Player, s.rules))
	case key.Matches(msg, leaderboardKeys.own) && s.read:
		if s.State.Me.Account == "" {
			s.Notice = s.Lang.Text("You are a guest and have no profile. Connect with a key to get one.")
			return nil
		}
		return s.Open(newProfile(s.Env, s.State.Me.Account, s.rules))
	case key.Matches(msg, leaderboardKeys.back):
		s.Back()
	}
	return nil
}

// reload loads another board.
func (s *leaderboard) reload() tea.Cmd {
	s.read, s.list, s.at = false, nil, 0
	return s.Init()
}

func (s *leaderboard) View(size widget.Size) widget.View {
	return widget.Page(size, s.Lang.Text("Leaderboard"), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: s.Lang.Text("Leaderboard") + "  " + s.rules, Note: s.Lang.Text(boardNames[s.board]), Focused: true}
		switch {
		case !s.read:
			b.Rows = []widget.Row{widget.Line(term.Faint.Render(s.Lang.Text("Loading…")))}
		case len(s.list) == 0:
			for _, text := range []i18n.Key{"No players are ranked yet.", "Matches against bots and between players with keys are rated.", "Provisional ratings, such as 1512?, are not ranked."} {
				b.Rows = append(b.Rows, widget.Paragraph(s.Lang.Text(text), term.Plain, width)...)
			}
		default:
			head := widget.Row{Text: term.Faint.Render("    " + s.Lang.Text("name")), Note: s.Lang.Text("rating")}
			if width >= leaderboardWide {
				head.Note = fmt.Sprintf("%13s %8s", head.Note, s.Lang.Text("matches"))
			}
			table := widget.Block{Rows: s.rows(width)}
			return text.Stack(0, widget.Block{Title: b.Title, Note: b.Note, Focused: true, Rows: []widget.Row{head}}.Draw(width, 2), table.Draw(width, height-2))
		}
		return b.Draw(width, height)
	})
}

// leaderboardWide is the width from which ratings have their deviation, and players their kind
// and number of matches.
const leaderboardWide = 60

// rows returns the ranked players.
func (s *leaderboard) rows(width int) (rows []widget.Row) {
	now := time.Now()
	for i, p := range s.list {
		name := text.Name(p.Name)
		if p.Kind == store.Bot {
			name = narrate.BotName(s.Lang, p.Name)
		}
		line := fmt.Sprintf("%3d %s ", i+1, term.Info.Render(widget.RankOf(p.Value).Insignia)) + term.Strong.Render(text.Pad(name, text.NameWidth))
		if p.Player == s.State.Me.Account {
			line = fmt.Sprintf("%3d %s ", i+1, term.Info.Render(widget.RankOf(p.Value).Insignia)) + term.Mark.Render(text.Pad(s.Lang.Text("%s (you)", text.Name(p.Name)), text.NameWidth))
		}
		note := p.String()
		if width >= leaderboardWide {
			line += " " + term.Faint.Render(s.Lang.Text(narrate.AccountKind(p.Kind)))
			note = fmt.Sprintf("%13s %8d", narrate.Standing(p, now), p.Games)
		}
		rows = append(rows, widget.Row{Text: line, Note: note, Item: i + 1, Selected: i == s.at})
	}
	return rows
}

// Actions implements [widget.Screen].
func (s *leaderboard) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *leaderboard) Bindings() []key.Binding {
	k := &leaderboardKeys
	return []key.Binding{k.open, widget.Choose, k.own, k.rules, k.board, widget.Help, k.back}
}
