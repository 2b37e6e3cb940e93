package screen

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/lobby/account"
	"broadside/tui/component"
	"broadside/tui/format"
	"broadside/tui/term"
)

// hotSeat asks the two players at this terminal for their names.
type hotSeat struct {
	*component.Env
	names [2]*component.Field
	at    int // index of the name being typed
}

// NewHotSeat returns the screen that starts a hot-seat match.
func NewHotSeat(env *component.Env) component.Screen {
	return &hotSeat{Env: env, names: [2]*component.Field{
		component.NewField(format.Clean(env.State.Me.Name, account.MaxName), account.MaxName, nil),
		component.NewField("", account.MaxName, nil),
	}}
}

var hotSeatKeys = struct{ next, other, back key.Binding }{
	next: component.Bind("enter", "next", "enter"), other: component.Bind("tab", "the-other-name", "tab up down"), back: back(""),
}

// Typing implements [component.Typist].
func (s *hotSeat) Typing() component.Typing { return component.SomeText }

func (s *hotSeat) Update(msg tea.Msg) tea.Cmd {
	if p, ok := msg.(component.Pick); ok {
		s.at = p.Item - 1
	}
	if msg, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.Matches(msg, hotSeatKeys.next):
			s.enter()
		case key.Matches(msg, hotSeatKeys.other):
			s.at = 1 - s.at
		case key.Matches(msg, hotSeatKeys.back):
			s.Back()
		default:
			s.typed(msg)
		}
	}
	return nil
}

// Paste implements [component.Paster].
func (s *hotSeat) Paste(text string) bool {
	s.typed(tea.PasteMsg{Content: text})
	return true
}

func (s *hotSeat) typed(msg tea.Msg) {
	s.Type(s.names[s.at], msg, "")
}

// enter moves to the second name, or starts the match.
func (s *hotSeat) enter() {
	names := [2]string{s.names[0].Text(), s.names[1].Text()}
	if s.at == 0 && names[0] != "" {
		s.at = 1
		return
	}
	s.Check(s.Session.HotSeat(names, s.Settings.Rules))
}

func (s *hotSeat) View(size component.Size) component.View {
	return component.FormPage(size, s.Lang.Text("hot-seat"), func(width int) component.Block {
		b := component.Block{Title: s.Lang.Text("hot-seat"), Note: phrase.Terms(s.Lang, s.Settings.Rules), Focused: true, Rows: []component.Row{{}}}
		b.Rows = append(b.Rows, component.Paragraph(s.Lang.Text("two-players-share-this-terminal"), term.Plain, width)...)
		b.Rows = append(b.Rows, component.Row{})
		for i, question := range []i18n.Key{"player-1-defends-first", "player-2-shoots-first"} {
			name := s.names[i].Text()
			if i == s.at {
				name = s.names[i].Caret()
			}
			b.Rows = append(b.Rows, component.Row{Text: s.Lang.Text(question), Note: term.Key.Render(name), Item: i + 1, Selected: i == s.at})
		}
		return b
	})
}

func (s *hotSeat) Bindings() []key.Binding {
	return []key.Binding{hotSeatKeys.next, hotSeatKeys.other, component.Help, hotSeatKeys.back}
}
