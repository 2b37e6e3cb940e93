package screen

import (
	"context"
	"fmt"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/tui/component"
	"broadside/tui/format"
)

// leaderboard is the leaderboard screen of a rule set.
type leaderboard struct {
	*component.Env
	rules string
	board session.Board
	list  []session.Standing
	read  bool // list has been read
	at    int  // index of the selected player
}

// kinds are the labels of account kinds.
var kinds = map[session.AccountKind]i18n.Key{session.PersonAccount: "person", session.ProgramAccount: "program", session.BotAccount: "bot"}

// listed is the maximum length of a leaderboard.
const listed = 100

var boardNames = [...]i18n.Key{session.Everybody: "everyone", session.People: "people", session.Machines: "bots-and-programs"}

// NewLeaderboard returns the leaderboard for the player's rule set.
func NewLeaderboard(env *component.Env) component.Screen {
	return &leaderboard{Env: env, rules: RatedPreset(env.Settings.Rules)}
}

var leaderboardKeys = struct{ open, own, rules, board, back key.Binding }{
	open: component.Bind("enter", "profile", "enter space"), own: component.Bind("i", "your-own", "i"),
	rules: component.Bind("r", "rules", "r"), board: component.Bind("tab", "who", "tab b"), back: back("q l backspace"),
}

// Init implements [component.Initer].
func (s *leaderboard) Init() tea.Cmd { return s.load() }

func (s *leaderboard) load() tea.Cmd {
	board, rules := s.board, s.rules
	return s.Later(s, func(ctx context.Context) func() tea.Cmd {
		list, err := session.Ask(ctx, s.Session, session.Leaderboard{Board: board, Rules: rules, Limit: listed})
		return func() tea.Cmd {
			if board != s.board || rules != s.rules { // another board was requested meanwhile
				return nil
			}
			if err != nil {
				s.Log.Error("leaderboard cannot be read", "error", err)
				s.Notice = s.Lang.Text(component.CannotRead)
				return nil
			}
			s.list, s.read = list, true
			s.at = max(0, min(s.at, len(list)-1))
			return nil
		}
	})
}

func (s *leaderboard) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(tea.KeyPressMsg); ok {
		return s.press(msg)
	}
	return nil
}

func (s *leaderboard) press(msg tea.KeyPressMsg) tea.Cmd {
	if at, ok := component.MoveCursor(msg, s.at, len(s.list)); ok {
		s.at = at
		return nil
	}
	switch {
	case key.Matches(msg, leaderboardKeys.rules):
		s.rules = nextPreset(s.rules)
		return s.reload()
	case key.Matches(msg, leaderboardKeys.board):
		s.board = (s.board + 1) % session.Board(len(boardNames))
		return s.reload()
	case key.Matches(msg, leaderboardKeys.open) && s.at < len(s.list):
		return s.Open(NewProfile(s.Env, s.list[s.at].Player, s.rules))
	case key.Matches(msg, leaderboardKeys.own) && s.read:
		if s.State.Me.Account == "" {
			s.Notice = s.Lang.Text("you-are-a-guest-nothing")
			return nil
		}
		return s.Open(NewProfile(s.Env, s.State.Me.Account, s.rules))
	case key.Matches(msg, leaderboardKeys.back):
		s.Home("")
	}
	return nil
}

// reload loads another board.
func (s *leaderboard) reload() tea.Cmd {
	s.read, s.list, s.at = false, nil, 0
	return s.load()
}

// leaderWidth is the width of the list.
const leaderWidth = 62

func (s *leaderboard) View(size component.Size) component.View {
	return component.View{Lines: s.lines(size)}
}

func (s *leaderboard) lines(size component.Size) []string {
	lines := []string{format.Pad(term.Strong.Render(s.Lang.Text("leaderboard"))+"  "+s.rules+" · "+s.Lang.Text(boardNames[s.board]), leaderWidth), ""}
	switch {
	case !s.read:
		return append(lines, term.Faint.Render(s.Lang.Text("loading")))
	case len(s.list) == 0:
		return append(lines, s.Lang.Text("no-players-are-ranked-yet"), "", s.Lang.Text("matches-between-people-with-a"), s.Lang.Text("provisional-ratings-such-as-1512"))
	}
	head := "      " + format.Pad(s.Lang.Text("name"), format.NameWidth+10) + fmt.Sprintf("%13s %8s", s.Lang.Text("rating"), s.Lang.Text("matches"))
	narrow := size.Width < leaderWidth
	if narrow {
		head = "      " + format.Pad(s.Lang.Text("name"), format.NameWidth) + fmt.Sprintf("%13s", s.Lang.Text("rating"))
	}
	lines = append(lines, term.Faint.Render(head))
	var rows []string
	now := time.Now()
	for i, p := range s.list {
		name := format.Name(p.Name)
		row := mark(i == s.at) + fmt.Sprintf("%3d ", i+1) + term.Key.Render(format.Pad(name, format.NameWidth))
		if narrow {
			row += fmt.Sprintf("%13s", ratingText(p, now))
		} else {
			row += "  " + format.Pad(s.Lang.Text(kinds[p.Kind]), 8) + fmt.Sprintf("%13s %8d", ratingText(p, now), p.Games)
			if p.Player == s.State.Me.Account {
				row += "  " + s.Lang.Text("you")
			}
		}
		rows = append(rows, row)
	}
	return append(lines, format.Window(rows, s.at, size.Height-1-7)...)
}

// ratingText returns a rating and its deviation.
func ratingText(s session.Standing, now time.Time) string {
	return fmt.Sprintf("%v ±%.0f", s.Rating, s.At(now).Deviation)
}

func (s *leaderboard) Bindings() []key.Binding {
	k := &leaderboardKeys
	return []key.Binding{chooseKey, k.open, k.own, k.rules, k.board, component.Help, k.back}
}
