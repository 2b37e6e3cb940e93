package widget

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/sanitize"
	"broadside/lobby/code"
	"broadside/tui/term"
	"broadside/tui/text"
)

// Field is a single-line text input with the editing keys of bubbles' textinput. It
// draws itself because textinput uses colours instead of styles. A field takes several
// kilobytes, so screens should create one only when they need it.
type Field struct {
	input textinput.Model
	// limit is a number of characters.
	limit int
	// accepts returns the character to insert for a typed one, or 0 to reject it.
	accepts func(rune) rune
}

// InputResult says which characters of a key press or paste were not inserted.
type InputResult struct {
	// Rejected is the first rejected character.
	Rejected string
	// Full is set if some characters did not fit.
	Full bool
}

// NewField returns a field for at most limit characters. Accepts returns the character
// to insert for a typed one, or 0 to reject it. If accepts is nil, the field accepts
// every printable character.
func NewField(text string, limit int, accepts func(rune) rune) *Field {
	f := &Field{input: textinput.New(), limit: limit, accepts: accepts}
	f.input.CharLimit = limit
	// The key would paste the server's clipboard.
	f.input.KeyMap.Paste.SetEnabled(false)
	f.input.Focus()
	f.SetText(text)
	return f
}

// Update handles a key press or pasted text. Of pasted text, it reads only the first line, and of
// very long text only the start.
func (f *Field) Update(msg tea.Msg) (t InputResult) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if msg.Text == "" {
			f.input, _ = f.input.Update(msg)
			return t
		}
		return f.insert(msg.Text)
	case tea.PasteMsg:
		line, _, _ := strings.Cut(strings.TrimSpace(sanitize.NormalizeNewlines(msg.Content)), "\n")
		return f.insert(line)
	}
	return t
}

// UpdateField passes a message to a field. If a character is rejected, the notice is the rule, unless it
// is empty. If a character does not fit, the notice is the limit.
func (e *Env) UpdateField(f *Field, msg tea.Msg, rule i18n.Key) InputResult {
	t := f.Update(msg)
	switch {
	case t.Rejected != "" && rule != "":
		e.Notice = e.Lang.Text(rule)
	case t.Full:
		e.Notice = e.Lang.Text("At most %d characters fit here.", f.limit)
	}
	return t
}

// insert inserts the accepted characters of added.
func (f *Field) insert(added string) (t InputResult) {
	var accepted []rune
	for i, r := range added {
		if i > 4*f.limit+64 {
			// The text is too long to be meant for this field.
			break
		}
		c := r
		if f.accepts != nil {
			c = f.accepts(r)
		} else if text.Clean(string(r), 2) == "" {
			c = 0
		}
		if c != 0 {
			accepted = append(accepted, c)
		} else if t.Rejected == "" {
			t.Rejected = string(r)
		}
	}
	room := f.limit - len([]rune(f.Text()))
	t.Full = len(accepted) > room
	accepted = accepted[:min(len(accepted), max(0, room))]
	if len(accepted) > 0 {
		f.input, _ = f.input.Update(tea.KeyPressMsg{Code: accepted[0], Text: string(accepted)})
	}
	return t
}

// Text returns the typed text. If it were inlined, it would put 8 KB on the stack of each View.
//
//go:noinline
func (f *Field) Text() string {
	return f.input.Value()
}

// SetText replaces the typed text.
func (f *Field) SetText(text string) {
	f.input.SetValue(text)
	f.input.CursorEnd()
}

// TextWithCaret returns the text with a caret.
func (f *Field) TextWithCaret() string {
	text, at := []rune(f.Text()), f.input.Position()
	return string(text[:at]) + "_" + string(text[at:])
}

// View returns the text with a caret, padded to the field's maximum width.
func (f *Field) View() string {
	return text.Pad(f.visibleText(f.limit+1), f.limit+1)
}

// visibleText returns the text with a caret. If it is wider than width, tail returns the part
// around the caret.
func (f *Field) visibleText(width int) string {
	runes, at := []rune(f.Text()), f.input.Position()
	before, after := runes[:at], runes[at:]
	for len(before) > 0 && text.Width(string(before)) > width-1 {
		before = before[1:]
	}
	for len(after) > 0 && text.Width(string(before)+string(after)) > width-1 {
		after = after[:len(after)-1]
	}
	return term.Strong.Render(string(before)) + term.Key.Render("_") + term.Strong.Render(string(after))
}

// CodeLetter returns the letter of a code that a typed character stands for, or 0 to reject it.
func CodeLetter(c rune) rune {
	letters, _ := code.Letters(string(c))
	for _, l := range letters {
		return l
	}
	return 0
}
