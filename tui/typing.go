package tui

import (
	"strings"

	"broadside/match"
)

// typing is how people name a cell by keys: a letter, then a number. What is
// typed moves the cursor there as soon as it names a cell.
//
// The letters h to l are rows as well as moves. They move at once; if a digit
// follows, the move is taken back and the letter was a row. Rows after L, on large
// boards, have capital letters only: small ones are commands.
type typing struct {
	text string     // what has been typed of a cell's name
	from match.Cell // where the cursor was before the letter
}

// moves are the keys that move a cursor.
var moves = map[string]match.Heading{
	"up": match.North, "down": match.South, "left": match.West, "right": match.East,
	"k": match.North, "j": match.South, "h": match.West, "l": match.East,
}

// key handles a key that moves the cursor or types a cell. It returns the
// cursor's new place and whether the key was one of those.
func (t *typing) key(key string, at match.Cell, r match.Rules) (match.Cell, bool) {
	if h, ok := moves[key]; ok {
		t.start(key, at, r)
		if next := at.Step(h, 1); r.Contains(next) {
			return next, true
		}
		return at, true
	}
	switch {
	case key == "backspace" && t.text != "":
		t.text = t.text[:len(t.text)-1]
		return at, true
	case len(key) == 1 && key[0] >= '0' && key[0] <= '9' && t.text != "":
		named, err := match.ParseCell(t.text + key)
		if err == nil && r.Contains(named) {
			t.text += key
			return named, true
		}
		if t.text += key; len(t.text) > 3 {
			t.text = ""
		}
		return t.from, true
	case t.start(key, at, r):
		return at, true
	}
	t.text = ""
	return at, false
}

// start begins a cell's name, if the key is the letter of a row.
func (t *typing) start(key string, at match.Cell, r match.Rules) bool {
	t.text = ""
	if len(key) != 1 {
		return false
	}
	letter := strings.ToUpper(key)
	if letter != key && key > "l" { // small ones are commands
		return false
	}
	if letter < "A" || int(letter[0]-'A') >= r.Size {
		return false
	}
	t.text, t.from = letter, at
	return true
}

// shown is what the person should see of their typing.
func (t *typing) shown() string {
	if t.text == "" {
		return ""
	}
	return t.text + "_"
}
