package component

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
)

// Keys are names of keys, separated by spaces, as Bubble Tea has them.
type Keys string

// Bind returns a binding of keys. Shown is how the
// bottom bar writes them, and does what they do; both are translated when they are
// drawn.
func Bind(shown, does i18n.Key, keys Keys) key.Binding {
	return key.NewBinding(key.WithKeys(strings.Fields(string(keys))...), key.WithHelp(string(shown), string(does)))
}

// Bindings that the root model handles.
var (
	Help  = Bind("?", "help", "?")
	Leave = Bind("ctrl-c", "leave", "ctrl+c")
)

// special are the keys with a name that can be pressed by clicking.
var special = map[string]rune{"tab": tea.KeyTab, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace}

// KeyPress returns the message of a key, by its name.
func KeyPress(name string) tea.KeyPressMsg {
	if code, ok := special[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// MoveCursor returns where a key moves a cursor in a list of n items, with pages of
// 10; false if it does not move it.
func MoveCursor(msg tea.KeyPressMsg, at, n int) (int, bool) {
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

// Cycle returns the index that is by places away from at in a circle of n.
func Cycle(at, by, n int) int { return ((at+by)%n + n) % n }
