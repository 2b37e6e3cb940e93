package widget

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
)

// CellInput is a typed cell name: a letter, then a number. While it names a cell of
// the board, the cursor is there. Enter acts on the typed text, or on the cursor if
// there is none: see [CellInput.Accept].
//
// Lowercase letters can be moves (h to l) or other commands of a screen. They act at
// once. If a digit follows, the letter becomes the start of a name and the move is
// undone. On large boards, rows after L need capital letters.
type CellInput struct {
	Text   string     // what was typed
	From   match.Cell // the cursor before typing
	letter string     // the last key, if it was a letter that is also a command
}

// CursorKeys maps keys to cursor movements.
var CursorKeys = map[string]match.Heading{
	"up": match.North, "down": match.South, "left": match.West, "right": match.East,
	"k": match.North, "j": match.South, "h": match.West, "l": match.East,
}

// maxCellName is the maximum input length in characters, longer than any cell name.
const maxCellName = 4

// Key handles a key that moves the cursor or types a cell. It returns the new cursor
// position and whether it handled the key.
func (t *CellInput) Key(key string, at match.Cell, r match.Rules) (match.Cell, bool) {
	letter := IsLetter(key)
	if h, ok := CursorKeys[key]; ok {
		t.Clear()
		if letter {
			t.letter, t.From = strings.ToUpper(key), at
		}
		if next := at.Step(h, 1); r.Contains(next) {
			return next, true
		}
		return at, true
	}
	switch {
	case key == "backspace" && t.Text != "":
		t.Text = t.Text[:len(t.Text)-1]
		return t.cursor(r), true
	case IsDigit(key):
		t.Digit(key, at)
		return t.cursor(r), true
	case letter && key <= "l": // capitals sort before lowercase letters
		t.Clear()
		t.Text, t.From = strings.ToUpper(key), at
		return at, true
	case letter: // possibly a command
		t.Clear()
		t.letter, t.From = strings.ToUpper(key), at
	case key != "enter" && key != "space":
		t.Clear()
	}
	return at, false
}

// Digit appends a digit to the input, or to the letter before it.
func (t *CellInput) Digit(key string, at match.Cell) {
	switch {
	case t.Text != "":
	case t.letter != "":
		t.Text = t.letter
	default:
		t.From = at
	}
	if t.letter = ""; len(t.Text) < maxCellName {
		t.Text += key
	}
}

// Escape handles esc while a cell is typed: it clears the input and moves the cursor back. It reports
// whether it handled the key.
func (t *CellInput) Escape(key string, at *match.Cell) bool {
	if key != "esc" || t.Text == "" {
		return false
	}
	*at = t.From
	t.Clear()
	return true
}

// Check shows a notice if no cell on the board starts with the typed text.
func (t *CellInput) Check(e *Env, r match.Rules) { CheckCell(e, t.Text, r) }

// CheckCell shows a notice if no cell on the board starts with a text.
func CheckCell(e *Env, typed string, r match.Rules) {
	for cell := range r.Board().All() {
		if strings.HasPrefix(cell.String(), strings.ToUpper(typed)) {
			return
		}
	}
	e.Notice = e.Lang.Text("there-is-no-cell-x", text.Clean(typed, maxCellName), match.At(r.Size-1, r.Size-1).String())
}

// TypeCell returns the binding for typing a cell, with a cell of the board as the label.
func TypeCell(r match.Rules) key.Binding {
	b := Bind("B7", "type-a-cell", "")
	b.SetHelp(match.At(min(6, r.Size-1), 1).String(), b.Help().Desc)
	return b
}

// cursor returns the named cell, or the cursor position before typing.
func (t *CellInput) cursor(r match.Rules) match.Cell {
	if named, err := match.ParseCell(t.Text); err == nil && r.Contains(named) {
		return named
	}
	return t.From
}

// Accept reports whether enter may act on the cursor. If the typed text is not a cell
// of the board, it shows a notice and returns false. It keeps the text, so pressing
// enter again has no effect either.
func (t *CellInput) Accept(e *Env, r match.Rules) bool {
	t.letter = ""
	if !t.Valid(r) {
		last := match.At(r.Size-1, r.Size-1).String()
		e.Notice = e.Lang.Text("there-is-no-cell-x", t.Text, last)
		return false
	}
	t.Clear()
	return true
}

// Valid reports whether the input is empty or a cell of the board.
func (t *CellInput) Valid(r match.Rules) bool {
	named, err := match.ParseCell(t.Text)
	return t.Text == "" || err == nil && r.Contains(named)
}

// Clear clears the input.
func (t *CellInput) Clear() { t.Text, t.letter = "", "" }

// Pristine reports whether nothing was typed since the cursor moved.
func (t *CellInput) Pristine() bool { return t.Text == "" && t.letter == "" }

// View returns the typed text, or "".
func (t *CellInput) View(l i18n.Language) string {
	if t.Text == "" {
		return ""
	}
	return l.Text("cell-x", t.Text+"_")
}

// IsDigit reports whether a key is a digit.
func IsDigit(key string) bool { return len(key) == 1 && key[0] >= '0' && key[0] <= '9' }

// IsLetter reports whether a key is a letter from A to Z.
func IsLetter(key string) bool {
	return len(key) == 1 && strings.ToUpper(key) >= "A" && strings.ToUpper(key) <= "Z"
}

// Target returns the target that enter fires at, or asks for one.
func (t *CellInput) Target(l i18n.Language, c *match.Chart, at match.Cell) string {
	if !WorthFiring(c, at) || !t.Valid(c.Rules) {
		return l.Text("choose-a-target")
	}
	return l.Text("fire-at-x-with-enter", term.HeadingHere.Render(at.String()))
}

// WorthFiring reports whether a shot at a cell can reveal anything new.
func WorthFiring(c *match.Chart, at match.Cell) bool {
	return c.Rules.Moving || !c.Shots.Has(at) && !c.Deduced.Has(at)
}
