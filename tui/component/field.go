package component

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/sanitize"
	"broadside/internal/term"
	"broadside/tui/format"
)

// Field is a line of text that is being typed, with the editing keys of bubbles'
// textinput. It is drawn here, since textinput draws with colors instead of styles. A
// field takes some kilobytes, so screens make one only when it is needed.
type Field struct {
	input   textinput.Model
	limit   int             // in characters
	accepts func(rune) rune // returns what a typed character becomes; 0: it is rejected
}

// Typed is what has come of a key or of pasted text.
type Typed struct {
	Rejected string // the first character that cannot be in the text
	Full     bool   // there was no room for some
}

// NewField returns a field for text of at most limit characters. Accepts returns what
// a typed character becomes, or 0 to reject it; nil accepts all that can be
// displayed.
func NewField(text string, limit int, accepts func(rune) rune) *Field {
	f := &Field{input: textinput.New(), limit: limit, accepts: accepts}
	f.input.CharLimit = limit
	f.input.KeyMap.Paste.SetEnabled(false) // it would paste the server's clipboard
	f.input.Focus()
	f.Set(text)
	return f
}

// Update handles a key press or pasted text. Of pasted text only the first line
// counts, at most as much as fits into some fields.
func (f *Field) Update(msg tea.Msg) (t Typed) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if msg.Text == "" {
			f.input, _ = f.input.Update(msg)
			return t
		}
		return f.insert(msg.Text)
	case tea.PasteMsg:
		line, _, _ := strings.Cut(strings.TrimSpace(sanitize.Newlines(msg.Content)), "\n")
		return f.insert(line)
	}
	return t
}

// insert inserts what can be in the text.
func (f *Field) insert(text string) (t Typed) {
	var accepted []rune
	for i, r := range text {
		if i > 4*f.limit+64 { // a long text is not meant for a field
			break
		}
		c := r
		if f.accepts != nil {
			c = f.accepts(r)
		} else if format.Clean(string(r), 2) == "" {
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
	if accepted = accepted[:min(len(accepted), max(0, room))]; len(accepted) > 0 {
		f.input, _ = f.input.Update(tea.KeyPressMsg{Code: accepted[0], Text: string(accepted)})
	}
	return t
}

// Text returns what has been typed.
func (f *Field) Text() string { return f.input.Value() }

// Set replaces what has been typed.
func (f *Field) Set(text string) {
	f.input.SetValue(text)
	f.input.CursorEnd()
}

// Caret returns the text with a mark where the next character goes.
func (f *Field) Caret() string {
	text, at := []rune(f.Text()), f.input.Position()
	return string(text[:at]) + "_" + string(text[at:])
}

// View returns the text with a mark where the next character goes, of the width that
// the longest text has.
func (f *Field) View() string {
	text, at := []rune(f.Text()), f.input.Position()
	return term.Strong.Render(string(text[:at])) + term.Key.Render("_") + term.Strong.Render(string(text[at:])) +
		format.Spaces(f.limit-len(text))
}

// Tail returns the text with a mark where the next character goes. If it is wider
// than width, the part around the mark is returned.
func (f *Field) Tail(width int) string {
	text, at := []rune(f.Text()), f.input.Position()
	before, after := text[:at], text[at:]
	for len(before) > 0 && format.Width(string(before)) > width-1 {
		before = before[1:]
	}
	for len(after) > 0 && format.Width(string(before)+string(after)) > width-1 {
		after = after[:len(after)-1]
	}
	return term.Strong.Render(string(before)) + term.Key.Render("_") + term.Strong.Render(string(after))
}
