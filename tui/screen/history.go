package screen

import (
	"context"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// history is the list of finished matches of one player or of all players, newest first.
type history struct {
	*widget.Env
	of   string // account ID; empty for all
	name string // of the player, safe to display
	list []store.Summary
	read bool // the first portion has been read
	all  bool // the list is complete
	busy bool // more of the list is being read
	at   int  // index of the selected match
}

// portion is the number of matches to read at a time.
const portion = 50

// NewHistory returns the list of an account's matches, or of all matches if id is empty.
func NewHistory(env *widget.Env, id, name string) widget.Screen {
	s := &history{Env: env, of: id}
	if id != "" {
		s.name = text.Name(name)
	}
	return s
}

var historyKeys = struct{ open, mine, everybody, back key.Binding }{
	open: widget.Bind("enter", "replay", "enter space"), mine: widget.Bind("a", "your matches", "a"),
	everybody: widget.Bind("a", "all matches", "a"), back: back("q g backspace"),
}

// Init implements [widget.Initer].
func (s *history) Init() tea.Cmd {
	s.list, s.read, s.all = nil, false, false
	return s.more()
}

// more reads the next portion of the list, unless a read is in progress.
func (s *history) more() tea.Cmd {
	of, after := s.of, store.Cursor{}
	if len(s.list) > 0 {
		after = s.list[len(s.list)-1].Cursor()
	}
	s.busy = true
	return s.Later(s, func(ctx context.Context) func() tea.Cmd {
		list, err := s.Session.Games(ctx, of, after, portion)
		return func() tea.Cmd {
			s.busy = false
			if err != nil {
				s.Log.Error("list of matches cannot be read", "error", err)
				s.Notice = s.Lang.Text(widget.CannotRead)
				return nil
			}
			s.list, s.read, s.all = append(s.list, list...), true, len(list) < portion
			s.at = max(0, min(s.at, len(s.list)-1))
			return nil
		}
	})
}

func (s *history) Update(msg tea.Msg) tea.Cmd {
	if p, ok := msg.(widget.Pick); ok && p.Item <= len(s.list) {
		s.at = p.Item - 1
		return OpenReplay(s.Env, s, s.list[s.at].ID, 0)
	}
	if msg, ok := msg.(tea.KeyPressMsg); ok {
		return s.press(msg)
	}
	return nil
}

func (s *history) press(msg tea.KeyPressMsg) tea.Cmd {
	if at, ok := widget.MoveCursor(msg, s.at, len(s.list)); ok {
		s.at = at
		if s.at >= len(s.list)-1 && s.read && !s.all && !s.busy {
			return s.more()
		}
		return nil
	}
	switch {
	case key.Matches(msg, historyKeys.back):
		s.Back()
	case s.busy:
	case key.Matches(msg, historyKeys.open) && s.at < len(s.list):
		return OpenReplay(s.Env, s, s.list[s.at].ID, 0)
	case key.Matches(msg, historyKeys.mine):
		return s.other()
	}
	return nil
}

// other switches between the player's own matches and all matches.
func (s *history) other() tea.Cmd {
	switch {
	case s.of != "":
		s.of, s.name = "", ""
	case s.State.Me.Account == "":
		s.Notice = s.Lang.Text("You are a guest, so your matches are not listed separately.")
		return nil
	default:
		s.of, s.name = s.State.Me.Account, text.Name(s.State.Me.Name)
	}
	s.at = 0
	return s.Init()
}

func (s *history) View(size widget.Size) widget.View {
	return widget.Page(size, s.Lang.Text("History"), widget.ListWidth, func(width, height int) []string {
		heading := s.Lang.Text("of everyone")
		if s.name != "" {
			heading = s.Lang.Text("of %s", s.name)
		}
		b := widget.Block{Title: s.Lang.Text("History") + " " + heading, Focused: true}
		switch {
		case !s.read:
			b.Rows = []widget.Row{widget.Line(term.Faint.Render(s.Lang.Text("Loading…")))}
		case len(s.list) == 0:
			b.Rows = []widget.Row{widget.Line(s.Lang.Text("No match has finished yet."))}
		default:
			column := 0
			for _, g := range s.list {
				column = max(column, text.Width(players(s.Lang, g)))
			}
			for i, g := range s.list {
				b.Rows = append(b.Rows, s.row(width, column, i, g))
			}
			id := s.list[s.at].ID
			return b.WithFoot(width, height, term.Faint.Render(text.FirstFitting(width-4, "ID "+id+"   ssh HOST replay "+id, "ID "+id)))
		}
		return b.Draw(width, height)
	})
}

// players returns the names of the players of a match, with a star for the winner.
func players(l i18n.Language, g store.Summary) (names string) {
	for side, seat := range g.Seats {
		name := text.Clean(seat.Name, 16)
		if seat.Kind == store.Bot {
			name = narrate.BotName(l, seat.Name)
		}
		if g.Winner == match.Side(side) {
			name += "*"
		}
		if side == 1 {
			names += " – "
		}
		names += name
	}
	return names
}

// row returns a match as one line. The names have a column of that width if the line is short.
func (s *history) row(width, column, i int, g store.Summary) widget.Row {
	names := players(s.Lang, g)
	about := g.RuleSet
	if s.of != "" {
		about = s.result(g)
	}
	row := widget.Row{Text: text.Pad(names, column) + "  " + about, Note: ago(s.Lang, g.Ended()), Item: i + 1, Selected: i == s.at}
	if width >= 70 {
		row.Text = text.Pad(names, 34) + " " + text.Pad(about, 12) + " " + term.Faint.Render(s.Lang.Text(narrate.Reason(g.Reason)))
	}
	return row
}

// result returns how a match ended for the listed player.
func (s *history) result(g store.Summary) string {
	for side, seat := range g.Seats {
		if seat.Player != s.of {
			continue
		}
		word := s.Lang.Text("lost")
		switch g.Winner {
		case match.Side(side):
			word = s.Lang.Text("won")
		case match.Nobody:
			return s.Lang.Text("nobody won")
		}
		if g.Rated {
			return fmt.Sprintf("%s %+.0f", word, seat.After-seat.Before)
		}
		return word
	}
	return ""
}

// Actions implements [widget.Screen].
func (s *history) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *history) Bindings() []key.Binding {
	whose := historyKeys.mine
	if s.of != "" {
		whose = historyKeys.everybody
	}
	return []key.Binding{historyKeys.open, widget.Choose, whose, widget.Help, historyKeys.back}
}
