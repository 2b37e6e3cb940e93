package widget

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
)

// Aim is the cursor on a board. Arrow keys, letters, clicks and typed cell names move it.
// A cell name is a letter, then a number. While the typed text names a cell of the board,
// the cursor is there. Enter acts on the typed text, or on the cursor if there is none:
// see [Aim.Accept].
//
// Lowercase letters can be moves (h to l) or other commands of a screen. They act at
// once. If a digit follows, the letter becomes the start of a name and the move is
// undone. On large boards, rows after L need capital letters.
type Aim struct {
	At     match.Cell // the cursor; may be [board.Nowhere] until it moves
	Text   string     // what was typed
	from   match.Cell // the cursor before typing
	letter string     // the last key, if it was a letter that is also a command
	chosen bool       // the player has moved the cursor, so another click on it fires
}

// Center returns the cell in the middle of the board.
func Center(r match.Rules) match.Cell { return match.At((r.Size-1)/2, (r.Size-1)/2) }

// CursorKeys maps keys to cursor movements.
var CursorKeys = map[string]match.Heading{
	"up": match.North, "down": match.South, "left": match.West, "right": match.East,
	"k": match.North, "j": match.South, "h": match.West, "l": match.East,
}

// MaxCellName is the maximum input length in characters, longer than any cell name.
const MaxCellName = 4

// Key handles a key that moves the cursor, types a cell or, with esc, discards the typed
// text. It reports whether it handled the key. If no cell of the board starts with the
// typed text, it shows a notice.
func (a *Aim) Key(e *Env, key string, r match.Rules) bool {
	if key == "esc" && a.Text != "" {
		a.At = a.from
		a.Clear()
		return true
	}
	at := a.At
	if at == board.Nowhere {
		at = Center(r)
	}
	at, ok := a.read(key, at, r)
	if !ok {
		return false
	}
	a.At, a.chosen = at, true
	if !a.startsCell(r) {
		e.Notice = a.noSuchCell(e.Lang, r)
	}
	return true
}

// read returns the cursor after a key, and whether the key moves it or types a cell.
func (a *Aim) read(key string, at match.Cell, r match.Rules) (match.Cell, bool) {
	letter := IsLetter(key)
	if h, ok := CursorKeys[key]; ok {
		a.Clear()
		if letter {
			a.letter, a.from = strings.ToUpper(key), at
		}
		if next := at.Step(h, 1); r.Contains(next) {
			return next, true
		}
		return at, true
	}
	switch {
	case key == "backspace" && a.Text != "":
		a.Text = a.Text[:len(a.Text)-1]
		return a.named(r), true
	case IsDigit(key):
		a.digit(key, at)
		return a.named(r), true
	case letter && key <= "l": // capitals sort before lowercase letters
		a.Clear()
		a.Text, a.from = strings.ToUpper(key), at
		return at, true
	case letter: // possibly a command
		a.Clear()
		a.letter, a.from = strings.ToUpper(key), at
	case key != "enter" && key != "space":
		a.Clear()
	}
	return at, false
}

// digit appends a digit to the input, or to the letter before it.
func (a *Aim) digit(key string, at match.Cell) {
	switch {
	case a.Text != "":
	case a.letter != "":
		a.Text = a.letter
	default:
		a.from = at
	}
	a.letter = ""
	if len(a.Text) < MaxCellName {
		a.Text += key
	}
}

// named returns the named cell, or the cursor before typing.
func (a *Aim) named(r match.Rules) match.Cell {
	if named, err := match.ParseCell(a.Text); err == nil && r.Contains(named) {
		return named
	}
	return a.from
}

// startsCell reports whether a cell of the board starts with the typed text.
func (a *Aim) startsCell(r match.Rules) bool {
	for cell := range r.Board().All() {
		if strings.HasPrefix(cell.String(), a.Text) {
			return true
		}
	}
	return false
}

func (a *Aim) noSuchCell(l i18n.Language, r match.Rules) string {
	return l.Text("There is no cell %s: choose A1 to %s.", text.Clean(a.Text, MaxCellName), match.At(r.Size-1, r.Size-1).String())
}

// Click moves the cursor to a cell and reports whether to fire: the first click aims, and
// a second one on the same cell fires. A click that only focuses the window therefore
// never fires.
func (a *Aim) Click(at match.Cell) (fires bool) {
	fires = a.chosen && a.At == at
	a.Clear()
	a.At, a.chosen = at, true
	return fires
}

// Accept reports whether enter may act on the cursor. If the typed text is not a cell
// of the board, it shows a notice and returns false. It keeps the text, so pressing
// enter again has no effect either.
func (a *Aim) Accept(e *Env, r match.Rules) bool {
	a.letter = ""
	if !a.Valid(r) {
		e.Notice = a.noSuchCell(e.Lang, r)
		return false
	}
	a.Clear()
	return true
}

// Valid reports whether the input is empty or a cell of the board.
func (a *Aim) Valid(r match.Rules) bool {
	named, err := match.ParseCell(a.Text)
	return a.Text == "" || err == nil && r.Contains(named)
}

// Clear clears the input.
func (a *Aim) Clear() { a.Text, a.letter = "", "" }

// Pristine reports whether nothing was typed since the cursor moved.
func (a *Aim) Pristine() bool { return a.Text == "" && a.letter == "" }

// Typed returns the typed text with two spaces before it, or "".
func (a *Aim) Typed(l i18n.Language) string {
	if a.Text == "" {
		return ""
	}
	return "  " + l.Text("Cell: %s", a.Text+"_")
}

// Target returns the target that enter fires at, or asks for one.
func (a *Aim) Target(l i18n.Language, c *match.Chart) string {
	if !a.OnTarget(c) {
		return l.Text("Choose a target.")
	}
	return l.Text("Press enter to fire at %s.", term.HeadingHere.Render(a.At.String()))
}

// OnTarget reports whether enter would fire at a cell where a shot can reveal anything new.
func (a *Aim) OnTarget(c *match.Chart) bool { return a.Valid(c.Rules) && WorthFiring(c, a.At) }

// WorthFiring reports whether a shot at a cell can reveal anything new.
func WorthFiring(c *match.Chart, at match.Cell) bool {
	return c.Rules.Moving || !c.Shots.Has(at) && !c.Deduced.Has(at)
}

// TypeCell returns the binding for typing a cell, with a cell of the board as the label.
func TypeCell(r match.Rules) key.Binding {
	b := Bind("B7", "type a cell", "")
	b.SetHelp(match.At(min(6, r.Size-1), 1).String(), b.Help().Desc)
	return b
}

// IsDigit reports whether a key is a digit.
func IsDigit(key string) bool { return len(key) == 1 && key[0] >= '0' && key[0] <= '9' }

// IsLetter reports whether a key is a letter from A to Z.
func IsLetter(key string) bool {
	return len(key) == 1 && strings.ToUpper(key) >= "A" && strings.ToUpper(key) <= "Z"
}
