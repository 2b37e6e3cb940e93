package widget

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Keys lists Bubble Tea key names, separated by spaces.
type Keys string

// namedKeys maps the keys with names that can be clicked to their codes.
var namedKeys = map[string]rune{
	"tab": tea.KeyTab, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace, "space": tea.KeySpace,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "delete": tea.KeyDelete,
}

// NewKeyPress returns the key message for a key name.
func NewKeyPress(name string) tea.KeyPressMsg {
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(letter)[0], Mod: tea.ModCtrl}
	}
	if code, ok := namedKeys[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// MoveInMenu returns the new cursor position in a menu of n items, which must not be empty: the last
// one precedes the first. At is -1 if none is selected.
func MoveInMenu(msg tea.KeyPressMsg, at, n int) int {
	switch msg.String() {
	case "up", "k", "shift+tab":
		return Cycle(max(at, 0), -1, n)
	case "down", "j", "tab":
		return Cycle(at, 1, n)
	}
	return at
}

// MoveInList returns the new cursor position in a long list of n items, with 10
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

// Cycle returns the index by places after at, modulo n.
func Cycle(at, by, n int) int { return ((at+by)%n + n) % n }
