package widget

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
)

// Aim is the cursor on a board. Arrow keys, letters, clicks and typed cell names move it.
// A cell name is a letter, then a number. While the typed text names a cell of the board,
// the cursor is there. Enter acts on the typed text, or on the cursor if nothing was typed.
// See [Aim.ConfirmInput].
//
// Lowercase letters can move the cursor (h to l) or be other commands of a screen. They act
// immediately. If a digit follows, the letter becomes the start of a name, and the cursor moves
// back. On large boards, rows after L need capital letters.
type Aim struct {
	// Cursor may be [board.Nowhere] until it moves.
	Cursor match.Cell
	Typed  string
	// before is the cursor before typing.
	before match.Cell
	// letter is the last key if it was a letter that is also a command.
	letter string
	// hasMoved is set once the player has moved the cursor, so another click on it fires.
	hasMoved bool
}

// CenterCell returns a cell in the middle of the board.
func CenterCell(r match.Rules) match.Cell { return match.NewCell((r.Size-1)/2, (r.Size-1)/2) }

// CursorKeys maps keys to cursor movements.
var CursorKeys = map[string]match.Heading{
	"up": match.North, "down": match.South, "left": match.West, "right": match.East,
	"k": match.North, "j": match.South, "h": match.West, "l": match.East,
}

// MaxCellName is the maximum input length in characters, longer than any cell name.
const MaxCellName = 4

// AimHint explains the keys that move the cursor.
var AimHint = Action{Keys: "up down left right h j k l", Cap: "↑↓←→ hjkl", Label: "aim"}

// TypeHint explains typing with the name of a cell on the board.
func TypeHint(r match.Rules) Action {
	hint := Action{Cap: "B7", Label: "type a cell"}
	if r.Size < 7 {
		hint.Cap = "B5"
	}
	return hint
}

// EditActions returns the actions that erase typed text.
func (a *Aim) EditActions(r match.Rules) []Action {
	erase := func() {
		a.Typed = a.Typed[:len(a.Typed)-1]
		a.Cursor = a.typedCell(r)
	}
	discard := func() {
		a.Cursor = a.before
		a.ClearInput()
	}
	return []Action{
		{Keys: "backspace", Off: a.Typed == "", Do: NoCommand(erase)},
		{Keys: "esc", Off: a.Typed == "", Do: NoCommand(discard)},
	}
}

// HandleKey handles a key that moves the cursor or types a cell, and reports whether it handled
// the key. If no cell of the board starts with the typed text, it shows a notice.
func (a *Aim) HandleKey(e *Env, key string, r match.Rules) bool {
	at, ok := a.applyKey(key, r)
	if !ok {
		return false
	}
	a.Cursor, a.hasMoved = at, true
	if !a.isCellPrefix(r) {
		e.Notice = a.noSuchCellText(e.Lang, r)
	}
	return true
}

// applyKey returns the cursor after a key, and whether the key moves it or types a cell.
func (a *Aim) applyKey(key string, r match.Rules) (match.Cell, bool) {
	at, letter := a.Cursor, IsLetter(key)
	if h, ok := CursorKeys[key]; ok {
		a.ClearInput()
		if letter {
			a.letter, a.before = strings.ToUpper(key), at
		}
		if at == board.Nowhere {
			at = CenterCell(r)
		}
		next := at.Step(h, 1)
		if r.Contains(next) {
			return next, true
		}
		return at, true
	}
	switch {
	case IsDigit(key):
		a.addDigit(key)
		return a.typedCell(r), true
	case letter && key <= "l":
		// Letters up to l, and all capitals, which sort before them, start a name.
		a.ClearInput()
		a.Typed, a.before = strings.ToUpper(key), at
		return at, true
	case letter:
		// The letter may be a command.
		a.ClearInput()
		a.letter, a.before = strings.ToUpper(key), at
	case key != "enter" && key != "space":
		a.ClearInput()
	}
	return at, false
}

// addDigit appends a digit to the typed text, or to the letter that may be a command.
func (a *Aim) addDigit(key string) {
	if a.Typed == "" {
		a.Typed = a.letter
		if a.letter == "" {
			a.before = a.Cursor
		}
	}
	a.letter = ""
	if len(a.Typed) < MaxCellName {
		a.Typed += key
	}
}

// typedCell returns the cell that the typed text names, up to the first space, or the cursor before typing.
func (a *Aim) typedCell(r match.Rules) match.Cell {
	name, _, _ := strings.Cut(a.Typed, " ")
	if named, err := match.ParseCell(name); err == nil && r.Contains(named) {
		return named
	}
	return a.before
}

// isCellPrefix reports whether a cell of the board starts with the typed text.
func (a *Aim) isCellPrefix(r match.Rules) bool {
	for cell := range r.Cells().All() {
		if strings.HasPrefix(cell.String(), a.Typed) {
			return true
		}
	}
	return false
}

func (a *Aim) noSuchCellText(l i18n.Language, r match.Rules) string {
	last := match.NewCell(r.Size-1, r.Size-1).String()
	return l.Text("There is no cell %s: choose A1 to %s.", text.Clean(a.Typed, MaxCellName), last)
}

// Click moves the cursor to a cell and reports whether to fire. The first click aims, and
// a second one on the same cell fires. So a click that only focuses the window never fires.
func (a *Aim) Click(at match.Cell) (fires bool) {
	fires = a.hasMoved && a.Cursor == at
	a.ClearInput()
	a.Cursor, a.hasMoved = at, true
	return fires
}

// ConfirmInput reports whether enter may act on the cursor, and clears the typed text. If the text is
// not a cell of the board, it shows a notice, keeps the text and returns false.
func (a *Aim) ConfirmInput(e *Env, r match.Rules) bool {
	a.letter = ""
	if !a.IsValid(r) {
		e.Notice = a.noSuchCellText(e.Lang, r)
		return false
	}
	a.ClearInput()
	return true
}

// IsValid reports whether the typed text is empty or a cell of the board.
func (a *Aim) IsValid(r match.Rules) bool {
	named, err := match.ParseCell(a.Typed)
	return a.Typed == "" || err == nil && r.Contains(named)
}

// ClearInput forgets the typed text and letter.
func (a *Aim) ClearInput() { a.Typed, a.letter = "", "" }

// IsPristine reports whether nothing was typed since the cursor moved.
func (a *Aim) IsPristine() bool { return a.Typed == "" && a.letter == "" }

// InputText returns the typed text with two spaces before it, or "".
func (a *Aim) InputText(l i18n.Language) string {
	if a.Typed == "" {
		return ""
	}
	return "  " + l.Text("Cell: %s", a.Typed+"_")
}

// TargetText names the target that enter fires at, or asks the player to choose one.
func (a *Aim) TargetText(l i18n.Language, c *match.Chart) string {
	if !a.HasUsefulTarget(c) {
		return l.Text("Choose a target.")
	}
	return l.Text("Press enter to fire at %s.", term.HeadingHere.Render(a.Cursor.String()))
}

// HasUsefulTarget reports whether enter would fire at a cell where a shot can reveal anything new.
func (a *Aim) HasUsefulTarget(c *match.Chart) bool {
	return a.IsValid(c.Rules) && narrate.WastedShotReason(c, 1, a.Cursor).Key == ""
}

// IsDigit reports whether a key is a digit.
func IsDigit(key string) bool { return len(key) == 1 && key[0] >= '0' && key[0] <= '9' }

// IsLetter reports whether a key is a letter from A to Z.
func IsLetter(key string) bool {
	return len(key) == 1 && strings.ToUpper(key) >= "A" && strings.ToUpper(key) <= "Z"
}
