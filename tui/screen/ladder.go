package screen

import (
	"context"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/lobby/ladder"
	"broadside/lobby/session"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// ladderTable is the ladder of a rule set.
type ladderTable struct {
	*widget.Env
	rules  string
	report *ladder.Report // nil: not read yet
	none   string         // why there is no ladder; empty: there is one
	at     int            // index of the selected player
	refresh
}

// NewLadder returns the ladder of the player's rule set.
func NewLadder(env *widget.Env) widget.Screen {
	return &ladderTable{Env: env, rules: RatedPreset(env.Settings.Rules)}
}

var ladderKeys = struct{ open, rules, back key.Binding }{
	open: widget.Bind("enter", "open", "enter space"), rules: widget.Bind("r", "rules", "r"),
	back: widget.Bind("esc", "back", "esc q backspace"),
}

// Init implements [widget.Initer]. It reads the ladder.
func (s *ladderTable) Init() tea.Cmd {
	rules := s.rules
	s.begin()
	return s.Background(func(ctx context.Context) func() {
		l, err := s.Session.Ladder(ctx, rules)
		return func() {
			if rules != s.rules { // another one was requested meanwhile
				return
			}
			if err != nil {
				s.none = s.ErrorText(err)
				return
			}
			s.none = ""
			s.report, s.at = &l, max(0, min(s.at, len(l.Players)-1))
		}
	})
}

func (s *ladderTable) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case session.Update:
		if s.due(msg) {
			return s.Init()
		}
	case widget.Pick:
		if s.report != nil && msg.Item <= len(s.report.Players) {
			s.at = msg.Item - 1
			return s.open()
		}
	case tea.KeyPressMsg:
		return s.press(msg)
	}
	return nil
}

func (s *ladderTable) press(msg tea.KeyPressMsg) tea.Cmd {
	n := 0
	if s.report != nil {
		n = len(s.report.Players)
	}
	if at, ok := widget.MoveCursor(msg, s.at, n); ok {
		s.at = at
		return nil
	}
	switch k := &ladderKeys; {
	case key.Matches(msg, k.back):
		s.Back()
	case key.Matches(msg, k.rules):
		s.rules, s.report, s.none, s.at = NextPreset(s.rules), nil, "", 0
		return s.Init()
	case key.Matches(msg, k.open) && n > 0:
		return s.open()
	}
	return nil
}

// open opens the page of the selected player.
func (s *ladderTable) open() tea.Cmd {
	return s.Open(&ladderPlayer{Env: s.Env, rules: s.rules, name: s.report.Players[s.at].Name})
}

func (s *ladderTable) View(size widget.Size) widget.View {
	return widget.Page(size, s.Lang.Text("Program ladder"), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: s.Lang.Text("Program ladder") + "  " + s.rules, Focused: true}
		switch {
		case s.none != "":
			b.Rows = widget.Paragraph(s.none, term.Plain, width)
		case s.report == nil:
			b.Rows = []widget.Row{widget.Line(term.Faint.Render(s.Lang.Text("Loading…")))}
		case len(s.report.Players) == 0:
			b.Rows = widget.Paragraph(s.Lang.Text("No match has been played on the ladder in %s yet.", s.rules), term.Plain, width)
		default:
			b.Note = fmt.Sprint(len(s.report.Players))
			b.Rows = []widget.Row{s.columns(width)}
			list := widget.Block{Rows: make([]widget.Row, len(s.report.Players))}
			for i := range list.Rows {
				list.Rows[i] = s.row(i, width)
			}
			return text.Stack(0, b.Draw(width, 2), list.Draw(width, height-2))
		}
		return b.Draw(width, height)
	})
}

// ladderWide is the width from which ratings have their interval, and players their number of matches.
const ladderWide = 72

// columns returns the headings of the columns.
func (s *ladderTable) columns(width int) widget.Row {
	head := widget.Row{Text: term.Faint.Render("    " + s.Lang.Text("name")), Note: s.Lang.Text("rating")}
	if width >= ladderWide {
		head.Note = fmt.Sprintf("%13s %8s", head.Note, s.Lang.Text("matches"))
	}
	return head
}

// row returns a player.
func (s *ladderTable) row(i, width int) widget.Row {
	p := &s.report.Players[i]
	name, style := text.Name(p.Name), term.Strong
	if p.Kind == "bot" {
		name, style = narrate.BotName(s.Lang, p.Name), term.Info
	}
	line := fmt.Sprintf("%3d ", p.Place) + style.Render(text.Pad(name, text.NameWidth))
	online := "•"
	note, _, _ := strings.Cut(p.RatingText(), " ")
	if width >= ladderWide {
		online = s.Lang.Text("online")
		note = fmt.Sprintf("%13s %8d", p.RatingText(), p.Games)
	}
	if p.Online && p.Kind != "bot" {
		line += " " + term.Good.Render(online)
	}
	return widget.Row{Text: line, Note: note, Item: i + 1, Selected: i == s.at}
}

// Actions implements [widget.Screen].
func (s *ladderTable) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *ladderTable) Bindings() []key.Binding {
	k := &ladderKeys
	return []key.Binding{k.open, widget.Choose, k.rules, widget.Help, k.back}
}
