package widget

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Keys lists Bubble Tea key names, separated by spaces.
type Keys string

// namedKeys maps the names of clickable keys to their codes.
var namedKeys = map[string]rune{
	"tab": tea.KeyTab, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace, "space": tea.KeySpace,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "delete": tea.KeyDelete,
}

// NewKeyPress returns the message for a press of the named key, such as "esc", "ctrl+c" or "b".
func NewKeyPress(name string) tea.KeyPressMsg {
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(letter)[0], Mod: tea.ModCtrl}
	}
	if code, ok := namedKeys[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// MoveInMenu returns the cursor position after a key press in a menu of n items. The menu must have items,
// and the cursor moves from the last to the first. The position is -1 if no item is selected.
func MoveInMenu(msg tea.KeyPressMsg, at, n int) int {
	switch msg.String() {
	case "up", "k", "shift+tab":
		return Cycle(max(at, 0), -1, n)
	case "down", "j", "tab":
		return Cycle(at, 1, n)
	}
	return at
}

// MoveInList returns the cursor position after a key press in a list of n items, with ten
// items per page. It returns false if the key does not move the cursor.
func MoveInList(msg tea.KeyPressMsg, at, n int) (int, bool) {
	const page = 10
	switch msg.String() {
	case "up", "k":
		at--
	case "down", "j":
		at++
	case "pgup":
		at -= page
	case "pgdown":
		at += page
	case "home":
		at = 0
	case "end":
		at = n - 1
	default:
		return at, false
	}
	return max(0, min(at, n-1)), true
}

// Cycle returns the index that is by places after at, modulo n.
func Cycle(at, by, n int) int { return ((at+by)%n + n) % n }
