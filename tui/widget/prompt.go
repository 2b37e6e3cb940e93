package widget

import (
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
)

// Prompt is an input line for a short text, such as a name. While a screen shows one, its other keys do
// nothing. A nil Prompt is closed.
type Prompt struct {
	Field *Field
	Title i18n.Key
	// Label says what enter does.
	Label i18n.Key
	// Rule is the notice for a rejected character. If it is empty, there is no notice.
	Rule   i18n.Key
	Submit func(text string) tea.Cmd
}

// Actions returns the prompt's actions. The back action calls close.
func (p *Prompt) Actions(close func()) []Action {
	return []Action{
		{Keys: "enter", Label: p.Label, Do: func() tea.Cmd { return p.Submit(p.Field.Text()) }},
		{Keys: "esc", Label: "back", Do: NoCommand(close)},
	}
}

// Typing returns the meaning of keys on a screen with this prompt.
func (p *Prompt) Typing() Typing {
	if p == nil {
		return NoText
	}
	return SomeText
}

// Line returns the title and the input field.
func (p *Prompt) Line(l i18n.Language) string { return l.Text(p.Title) + "  " + p.Field.View() }
