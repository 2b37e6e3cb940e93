package screen

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/lobby/code"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// privateMatch is the screen where players enter the code of a private match or a seat, or
// create a private match.
type privateMatch struct {
	*widget.Env
	code *widget.Field
	// isWrong is set after a rejected character, so that enter does not create a match.
	isWrong bool
	// busy is set while a code is being tried.
	busy bool
}

// NewPrivate returns the private match screen.
func NewPrivate(env *widget.Env) widget.Screen {
	return &privateMatch{Env: env, code: widget.NewField("", code.ResumeLength, widget.CodeLetter)}
}

// Typing implements [widget.Typist].
func (s *privateMatch) Typing() widget.Typing { return widget.SomeText }

func (s *privateMatch) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(widget.Pick); ok {
		return s.createMatch()
	}
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		t := s.UpdateField(s.code, msg, "")
		if s.isWrong = t.Rejected != ""; s.isWrong {
			s.Notice = s.Lang.Text("No code contains %s: codes have letters and digits only.", text.Clean(t.Rejected, 1))
		}
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *privateMatch) Actions() []widget.Action {
	n, does := len(s.code.Text()), i18n.Key("join")
	switch {
	case n == 0 && s.isWrong:
		does = ""
	case n == 0:
		does = "offer a match"
	case n > code.PrivateLength:
		does = "continue the match"
	}
	return []widget.Action{
		{Keys: "enter", Label: does, Do: s.submitCode},
		{Cap: "A–Z 0–9", Label: "enter a code", Off: n > 0},
		{Keys: "backspace", Label: "undo", Off: n == 0},
		widget.HelpHint,
		widget.BackAction(s.Env, ""),
	}
}

// submitCode uses the typed code. Without one it creates a private match.
func (s *privateMatch) submitCode() tea.Cmd {
	entered := s.code.Text()
	switch {
	case entered == "" && s.isWrong:
		s.isWrong = false
		s.Notice = s.Lang.Text("No code was typed. Type one, or press enter again to offer a match.")
	case entered == "":
		return s.createMatch()
	case s.busy:
	case len(entered) > code.PrivateLength:
		return s.tryCode(func() error { return s.Session.ResumeSeat(entered) })
	default:
		return s.tryCode(func() error { return s.Session.JoinPrivateMatch(entered) })
	}
	return nil
}

// tryCode does an action with the typed code. Until it ends, no other code can be tried.
func (s *privateMatch) tryCode(use func() error) tea.Cmd {
	s.busy = true
	return RunOffer(s.Env, use, func() { s.busy = false })
}

// createMatch opens a private match of the player.
func (s *privateMatch) createMatch() tea.Cmd {
	return ShowOffer(s.Env, s.Session.OpenPrivateMatch(s.Settings.Rules, s.Settings.RatingMode()))
}

func (s *privateMatch) View(size widget.Size) widget.View {
	typed := s.code.Text()
	length := code.PrivateLength
	if len(typed) > length {
		length = code.ResumeLength
	}
	entered := code.GroupLetters(typed+strings.Repeat("_", length-len(typed)), length)
	return widget.FormView(size, s.Lang.Text("Private match"), func(width int) widget.Block {
		b := widget.Block{Title: s.Lang.Text("Private match"), Focused: true, Rows: []widget.Row{{}}}
		b.Rows = append(b.Rows, widget.ParagraphRows(s.Lang.Text("Do you have a match code? Type it and press enter."), term.Plain, width)...)
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Text: text.Center(term.Key.Render(strings.Join(strings.Split(entered, ""), " ")), width-6), Selected: typed != ""}, widget.Row{})
		b.Rows = append(b.Rows, widget.ParagraphRows(s.Lang.Text("Or offer your own match:"), term.Plain, width)...)
		b.Rows = append(b.Rows, widget.Row{Text: s.Lang.Text("offer a match"), Item: 1, Selected: typed == "" && !s.isWrong})
		b.Rows = append(b.Rows, widget.ParagraphRows(s.OfferText(s.Settings.Rules, s.Settings.RatingMode()), term.Faint, width)...)
		b.Rows = append(b.Rows, widget.Row{})
		b.Rows = append(b.Rows, widget.ParagraphRows(s.Lang.Text("Did you leave a match as a guest?")+" "+s.Lang.Text("Type its resume code here to continue."), term.Faint, width)...)
		return b
	})
}
