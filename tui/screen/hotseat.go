package screen

import (
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/account"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// hotSeat asks the two players at this terminal for their names.
type hotSeat struct {
	*widget.Env
	names [2]*widget.Field
	// index is that of the name being typed.
	index int
}

// NewHotSeat returns the screen that starts a hot-seat match.
func NewHotSeat(env *widget.Env) widget.Screen {
	return &hotSeat{Env: env, names: [2]*widget.Field{
		widget.NewField(text.Clean(env.State.Me.Name, account.MaxName), account.MaxName, nil),
		widget.NewField("", account.MaxName, nil),
	}}
}

// Typing implements [widget.Typist].
func (s *hotSeat) Typing() widget.Typing { return widget.SomeText }

func (s *hotSeat) Update(msg tea.Msg) tea.Cmd {
	if p, ok := msg.(widget.Pick); ok {
		s.index = p.Item - 1
	}
	s.UpdateField(s.names[s.index], msg, "")
	return nil
}

// Actions implements [widget.Screen].
func (s *hotSeat) Actions() []widget.Action {
	return []widget.Action{
		{Keys: "enter", Label: "next", Do: widget.NoCommand(s.confirmName)},
		{Keys: "tab up down", Label: "other name", Do: widget.NoCommand(func() { s.index = 1 - s.index })},
		widget.HelpHint,
		widget.BackAction(s.Env, ""),
	}
}

// confirmName moves to the second name, or starts the match.
func (s *hotSeat) confirmName() {
	names := [2]string{s.names[0].Text(), s.names[1].Text()}
	if s.index == 0 && names[0] != "" {
		s.index = 1
		return
	}
	s.CheckAction(s.Session.StartHotSeat(names, s.Settings.Rules))
}

func (s *hotSeat) View(size widget.Size) widget.View {
	return widget.FormView(size, s.Lang.Text("Hot seat"), func(width int) widget.Block {
		b := widget.Block{Title: s.Lang.Text("Hot seat"), Note: narrate.MatchTerms(s.Lang, s.Settings.Rules), Focused: true, Rows: []widget.Row{{}}}
		b.Rows = append(b.Rows, widget.ParagraphRows(s.Lang.Text("Two players take turns at this terminal."), term.Plain, width)...)
		b.Rows = append(b.Rows, widget.Row{})
		for i, question := range []i18n.Key{"Player 1 (defends first)", "Player 2 (fires first)"} {
			name := s.names[i].Text()
			if i == s.index {
				name = s.names[i].TextWithCaret()
			}
			b.Rows = append(b.Rows, widget.Row{Text: s.Lang.Text(question), Note: term.Key.Render(name), Item: i + 1, Selected: i == s.index})
		}
		return b
	})
}
