package widget

import (
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
)

// Prompt is a line where a text is typed, such as a name. While a screen shows one, its other keys do
// nothing. A nil Prompt is closed.
type Prompt struct {
	*Field
	Title  i18n.Key // of the text
	Label  i18n.Key // what enter does
	Rule   i18n.Key // shown when a character is rejected; may be empty
	Submit func(text string) tea.Cmd
}

// Actions returns the actions of the prompt. Close closes it.
func (p *Prompt) Actions(close func()) []Action {
	return []Action{
		{Keys: "enter", Label: p.Label, Do: func() tea.Cmd { return p.Submit(p.Text()) }},
		{Keys: "esc", Label: "back", Do: NoCommand(close)},
	}
}

// Typing returns the meaning of keys on the screen of the prompt.
func (p *Prompt) Typing() Typing {
	if p == nil {
		return NoText
	}
	return SomeText
}

// Line returns the line.
func (p *Prompt) Line(l i18n.Language) string { return l.Text(p.Title) + "  " + p.View() }
