package tui

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/match"
)

// typing is a cell's name as it is typed: a letter, then a number. While it names
// a cell of the board, the cursor is there. Enter acts on what is typed, and on
// the cursor only if nothing is: see [typing.chosen].
//
// Small letters can be moves (h to l) or other commands of a screen. They act at
// once; if a digit follows, the letter was the beginning of a name, and a move is
// taken back. Rows after L, on large boards, have capital letters.
type typing struct {
	text   string     // what has been typed
	letter string     // the last key, if it was a letter with a meaning of its own
	from   match.Cell // where the cursor was before
}

// moves are the keys that move a cursor.
var moves = map[string]match.Heading{
	"up": match.North, "down": match.South, "left": match.West, "right": match.East,
	"k": match.North, "j": match.South, "h": match.West, "l": match.East,
}

// maxTyped bounds what is typed, in characters: no name of a cell is as long.
const maxTyped = 4

// key handles a key that moves the cursor or types a cell. It returns the
// cursor's new place and whether the key was one of those.
func (t *typing) key(key string, at match.Cell, r match.Rules) (match.Cell, bool) {
	letter := len(key) == 1 && strings.ToUpper(key) >= "A" && strings.ToUpper(key) <= "Z"
	if h, ok := moves[key]; ok {
		t.clear()
		if letter {
			t.letter, t.from = strings.ToUpper(key), at
		}
		if next := at.Step(h, 1); r.Contains(next) {
			return next, true
		}
		return at, true
	}
	switch {
	case key == "backspace" && t.text != "":
		t.text = t.text[:len(t.text)-1]
		return t.cursor(r), true
	case len(key) == 1 && key[0] >= '0' && key[0] <= '9':
		t.digit(key, at)
		return t.cursor(r), true
	case letter && key <= "l": // all capitals sort before
		t.clear()
		t.text, t.from = strings.ToUpper(key), at
		return at, true
	case letter: // it may be a command
		t.clear()
		t.letter, t.from = strings.ToUpper(key), at
	case key != "enter" && key != "space":
		t.clear()
	}
	return at, false
}

// digit adds a digit to what is typed, or to the letter before it.
func (t *typing) digit(key string, at match.Cell) {
	switch {
	case t.text != "":
	case t.letter != "":
		t.text = t.letter
	default:
		t.from = at
	}
	if t.letter = ""; len(t.text) < maxTyped {
		t.text += key
	}
}

// cursor is the cell that is named, or else where the cursor was before.
func (t *typing) cursor(r match.Rules) match.Cell {
	if named, err := match.ParseCell(t.text); err == nil && r.Contains(named) {
		return named
	}
	return t.from
}

// chosen returns whether enter may act on the cursor, which is at the typed cell
// if there is one. If what is typed is no cell of the board, it says so and
// returns false. The text stays then, so that pressing enter again does nothing
// either.
func (t *typing) chosen(m *Model, r match.Rules) bool {
	t.letter = ""
	if !t.fits(r) {
		last := match.At(r.Size-1, r.Size-1).String()
		m.notice = m.lang.Say("There is no cell %s: cells go from A1 to %s.", t.text, last)
		return false
	}
	t.clear()
	return true
}

// fits reports whether what is typed is a cell of the board, or nothing.
func (t *typing) fits(r match.Rules) bool {
	named, err := match.ParseCell(t.text)
	return t.text == "" || err == nil && r.Contains(named)
}

func (t *typing) clear() { t.text, t.letter = "", "" }

// shown is what is typed, for a line of the screen; empty if nothing is.
func (t *typing) shown(l i18n.Language) string {
	if t.text == "" {
		return ""
	}
	return l.Say("Cell: %s", t.text+"_")
}
