package screen

import (
	"context"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/match"
	"broadside/tui/component"
	"broadside/tui/format"
)

// games is the list of finished matches of one player or of all players, newest first.
type games struct {
	*component.Env
	of   string // account ID; empty for all
	name string // of the player, safe to display
	list []session.Summary
	read bool // the first portion has been read
	all  bool // the list is complete
	busy bool // more of the list is being read
	at   int  // index of the selected match
}

// portion is the number of matches to read at a time.
const portion = 50

// NewGames returns the list of an account's matches, or of all matches if id is empty.
func NewGames(env *component.Env, id, name string) component.Screen {
	s := &games{Env: env, of: id}
	if id != "" {
		s.name = format.Name(name)
	}
	return s
}

var gamesKeys = struct{ open, mine, everybody, back key.Binding }{
	open: component.Bind("enter", "replay", "enter space"), mine: component.Bind("a", "yours", "a"),
	everybody: component.Bind("a", "everyones", "a"), back: back("q g backspace"),
}

// Init implements [component.Initer].
func (s *games) Init() tea.Cmd {
	s.list, s.read, s.all = nil, false, false
	return s.more()
}

// more reads the next portion of the list, unless a read is in progress.
func (s *games) more() tea.Cmd {
	games := session.Games{Of: s.of, Limit: portion}
	if len(s.list) > 0 {
		games.After = s.list[len(s.list)-1].Cursor()
	}
	s.busy = true
	return s.Later(s, func(ctx context.Context) func() tea.Cmd {
		list, err := session.Ask(ctx, s.Session, games)
		return func() tea.Cmd {
			s.busy = false
			if err != nil {
				s.Log.Error("list of games cannot be read", "error", err)
				s.Notice = s.Lang.Text(component.CannotRead)
				return nil
			}
			s.list, s.read, s.all = append(s.list, list...), true, len(list) < portion
			s.at = max(0, min(s.at, len(s.list)-1))
			return nil
		}
	})
}

func (s *games) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(tea.KeyPressMsg); ok {
		return s.press(msg)
	}
	return nil
}

func (s *games) press(msg tea.KeyPressMsg) tea.Cmd {
	if at, ok := component.MoveCursor(msg, s.at, len(s.list)); ok {
		s.at = at
		if s.at >= len(s.list)-1 && s.read && !s.all && !s.busy {
			return s.more()
		}
		return nil
	}
	switch {
	case key.Matches(msg, gamesKeys.back):
		s.Back()
	case s.busy:
	case key.Matches(msg, gamesKeys.open) && s.at < len(s.list):
		return OpenReplay(s.Env, s, s.list[s.at].ID)
	case key.Matches(msg, gamesKeys.mine):
		return s.other()
	}
	return nil
}

// other switches between the player's own matches and all matches.
func (s *games) other() tea.Cmd {
	switch {
	case s.of != "":
		s.of, s.name = "", ""
	case s.State.Me.Account == "":
		s.Notice = s.Lang.Text("you-are-a-guest-your")
		return nil
	default:
		s.of, s.name = s.State.Me.Account, format.Name(s.State.Me.Name)
	}
	s.at = 0
	return s.Init()
}

// gamesWidth is the width of the list.
const gamesWidth = 74

func (s *games) View(size component.Size) component.View { return component.View{Lines: s.lines(size)} }

func (s *games) lines(size component.Size) []string {
	heading := s.Lang.Text("of-everyone")
	if s.name != "" {
		heading = s.Lang.Text("of-x", s.name)
	}
	lines := []string{format.Pad(term.Strong.Render(s.Lang.Text("games-title"))+"  "+heading, gamesWidth), ""}
	switch {
	case !s.read:
		return append(lines, term.Faint.Render(s.Lang.Text("loading-the-list")))
	case len(s.list) == 0:
		return append(lines, s.Lang.Text("no-match-has-ended-yet"))
	}
	var rows []string
	for i, g := range s.list {
		rows = append(rows, mark(i == s.at)+s.row(size, g))
	}
	lines = append(lines, format.Window(rows, s.at, size.Height-3-6)...)
	return append(lines, "", term.Faint.Render("ID "+s.list[s.at].ID+"   ssh HOST replay "+s.list[s.at].ID))
}

// row returns a match as one line, with a star for the winner.
func (s *games) row(size component.Size, g session.Summary) string {
	names := ""
	for side, seat := range g.Seats {
		name := format.Clean(seat.Name, 16)
		if g.Winner == match.Side(side) {
			name += "*"
		}
		if side == 1 {
			names += " – "
		}
		names += name
	}
	about := g.RuleSet
	if s.of != "" {
		about = s.result(g)
	}
	if size.Width < gamesWidth {
		return term.Key.Render(names) + "  " + about + term.Faint.Render("  "+ago(s.Lang, g.Ended()))
	}
	return term.Key.Render(format.Pad(names, 38)) + " " + format.Pad(about, 12) + term.Faint.Render(" "+format.Pad(s.Lang.Text(phrase.Reason(g.Reason)), 12)+fmt.Sprintf("%10s", ago(s.Lang, g.Ended())))
}

// result returns how a match ended for the listed player.
func (s *games) result(g session.Summary) string {
	for side, seat := range g.Seats {
		if seat.Player != s.of {
			continue
		}
		word := s.Lang.Text("lost-in-a-list")
		switch g.Winner {
		case match.Side(side):
			word = s.Lang.Text("won-in-a-list")
		case match.Nobody:
			return s.Lang.Text("nobody-won")
		}
		if g.Rated {
			return fmt.Sprintf("%s %+.0f", word, seat.After-seat.Before)
		}
		return word
	}
	return ""
}

func (s *games) Bindings() []key.Binding {
	whose := gamesKeys.mine
	if s.of != "" {
		whose = gamesKeys.everybody
	}
	return []key.Binding{chooseKey, gamesKeys.open, whose, component.Help, gamesKeys.back}
}
