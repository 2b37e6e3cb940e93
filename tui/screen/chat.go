package screen

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby/chat"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// chatScreen is the screen of the lobby's chat, with an input line.
type chatScreen struct {
	*widget.Env
	input widget.ChatInput
	// selected is the selected line's number, or 0 if none is selected.
	selected int
	// room is the number of lines that fit.
	room int
}

// NewChat returns the screen of the lobby's chat.
func NewChat(env *widget.Env) widget.Screen {
	s := &chatScreen{Env: env, input: widget.ChatInput{Env: env, Chat: env.LobbyChat, StaysOpen: true}}
	s.input.Open()
	return s
}

// Typing implements [widget.Typist].
func (s *chatScreen) Typing() widget.Typing { return widget.AllText }

func (s *chatScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.Pick:
		lines := s.visibleLines()
		if msg.Item <= len(lines) {
			s.selected = lines[msg.Item-1].Number
		}
	case tea.KeyPressMsg, tea.PasteMsg:
		return s.input.Update(msg)
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *chatScreen) Actions() []widget.Action {
	return append([]widget.Action{
		{Keys: "ctrl+c", Do: func() tea.Cmd { return tea.Quit }},
		{Keys: "esc", Do: widget.NoCommand(s.Nav.GoBack)},
		{Keys: "up", Do: widget.NoCommand(func() { s.moveSelection(-1) })},
		{Keys: "down", Do: widget.NoCommand(func() { s.moveSelection(1) })},
		{Keys: "tab", Off: s.selected == 0, Do: s.muteSelected},
	}, s.input.Actions()...)
}

// muteSelected mutes the selected line's author.
func (s *chatScreen) muteSelected() tea.Cmd {
	lines := s.LobbyChat.Lines
	i := slices.IndexFunc(lines, func(l chat.Line) bool { return l.Number == s.selected })
	if i < 0 || lines[i].From.ID == s.State.Me.ID {
		return s.input.CycleMute(nil)
	}
	return s.input.CycleMute(&lines[i].From)
}

// moveSelection selects another visible line, or none when moving below the last one.
func (s *chatScreen) moveSelection(by int) {
	lines := s.visibleLines()
	if len(lines) == 0 {
		return
	}
	at := slices.IndexFunc(lines, func(l chat.Line) bool { return l.Number == s.selected })
	if at < 0 {
		at = len(lines)
	}
	at = max(0, at+by)
	s.selected = 0
	if at < len(lines) {
		s.selected = lines[at].Number
	}
}

// visibleLines returns the lines that fit.
func (s *chatScreen) visibleLines() []chat.Line {
	lines := s.LobbyChat.Lines
	return lines[max(0, len(lines)-s.room):]
}

func (s *chatScreen) View(size widget.Size) widget.View {
	view := widget.PageView(size, s.Lang.Text("Lobby chat"), widget.ListWidth, func(width, height int) []string {
		s.room = max(0, height-4)
		b := widget.Block{Title: s.Lang.Text("Lobby chat"), Focused: true}
		all := s.visibleLines()
		if len(all) == 0 {
			b.Rows = append(b.Rows, widget.TextRow(term.Faint.Render(s.Lang.Text("No messages yet."))))
		}
		for i, l := range all {
			b.Rows = append(b.Rows, widget.Row{Text: text.Clean(s.ChatLineText(l), width-6), Item: i + 1, Selected: l.Number == s.selected})
		}
		return b.DrawWithHint(width, height, term.Faint.Render(s.Lang.Text("↑↓: select a line. Tab: mute its author, mute permanently, unmute.")))
	})
	view.Input = s.input.View(size.Width - 2)
	return view
}
