package widget

import (
	"testing"

	"broadside/internal/i18n"
	"broadside/match"
)

func cellNamed(name string) match.Cell {
	c, err := match.ParseCell(name)
	if err != nil {
		panic(err)
	}
	return c
}

func TestTypedCells(t *testing.T) {
	rules := match.Classic()
	for _, c := range []struct {
		// keys are pressed at E5. cell and text are the cursor and the typed text after that.
		keys, cell, text string
	}{
		{"B7", "B7", "B7"},
		{"b7", "B7", "B7"},
		{"b10", "B10", "B10"},
		{"b07", "B7", "B07"},
		{"j5", "J5", "J5"},
		{"j", "F5", ""},
		{"jj", "G5", ""},
		{"h3", "H3", "H3"}, {"jjh7", "H7", "H7"}, {"j10", "J10", "J10"},
		{"h", "E4", ""}, {"k", "D5", ""}, {"l", "E6", ""}, {"hh", "E3", ""},
		{"B99", "E5", "B99"}, {"B0", "E5", "B0"}, {"b11", "E5", "B11"},
		{"i3", "I3", "I3"},
		{"z", "E5", ""},
		{"z9", "E5", "Z9"},
		{"k1", "E5", "K1"},
		{"A11", "E5", "A11"},
		{"A11<", "A1", "A1"},
		{"A11<<", "E5", "A"},
		{"A11<<<", "E5", ""},
		{"Z9B2", "B2", "B2"},
		{"9", "E5", "9"},
		{"B-7", "E5", "7"},
		{"B7^", "A7", ""},
		{"1234567", "E5", "1234"},
	} {
		env, aim := &Env{Lang: i18n.English}, Aim{Cursor: cellNamed("E5")}
		for _, r := range c.keys {
			switch r {
			case '<':
				RunAction(NewKeyPress("backspace"), aim.EditActions(rules))
			case '^':
				aim.HandleKey(env, "up", rules)
			default:
				aim.HandleKey(env, string(r), rules)
			}
		}
		if aim.Cursor != cellNamed(c.cell) || aim.Typed != c.text {
			t.Errorf("%s: the cursor is at %v and %q is typed, want %s and %q", c.keys, aim.Cursor, aim.Typed, c.cell, c.text)
		}
	}
}
