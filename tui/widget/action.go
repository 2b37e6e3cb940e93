package widget

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
)

// Action is something that a player can do on a screen. A screen lists its actions in one
// table, from which key presses, the bottom bar and the help page follow.
type Action struct {
	Keys  Keys           // without keys, the row only explains Cap
	Cap   i18n.Key       // how the keys are called; empty: as the first of them
	Label i18n.Key       // what the action does; empty: neither the bar nor the help shows it
	Off   bool           // impossible now: not shown, and its keys do nothing
	Do    func() tea.Cmd // nil: the screen's Update receives the keys
}

// Hints explain keys that the root model or a part of the screen handles.
var (
	HelpHint   = Action{Keys: "?", Label: "help"}
	LeaveHint  = Action{Keys: "ctrl+c", Label: "leave"}
	ChooseHint = Action{Keys: "up down", Cap: "↑↓", Label: "choose"}
	ChangeHint = Action{Keys: "left right", Cap: "←→", Label: "change"}
)

// BackAction closes a screen with esc or the given keys.
func BackAction(n Navigator, keys Keys) Action {
	return Action{Keys: "esc " + keys, Label: "back", Do: NoCommand(n.GoBack)}
}

// NoCommand returns the function of an action that has no command.
func NoCommand(act func()) func() tea.Cmd {
	return func() tea.Cmd {
		act()
		return nil
	}
}

// RunAction carries out the first possible action with a key. It reports whether there is one.
func RunAction(msg tea.KeyPressMsg, actions []Action) (cmd tea.Cmd, done bool) {
	for i := range actions {
		a := &actions[i]
		if !a.Off && a.Do != nil && slices.Contains(a.Keys.List(), msg.String()) {
			return a.Do(), true
		}
	}
	return nil, false
}

// VisibleActions returns the actions for the bottom bar and the help page.
func VisibleActions(actions []Action) []Action {
	return slices.DeleteFunc(slices.Clone(actions), func(a Action) bool { return a.Off || a.Label == "" })
}

// List returns the names of the keys.
func (k Keys) List() []string { return strings.Fields(string(k)) }

// keyCaps are the labels of keys that are not called as in Bubble Tea.
var keyCaps = map[string]i18n.Key{
	"enter": "enter", "esc": "esc", "tab": "tab", "space": "space", "backspace": "backspace", "ctrl+c": "ctrl+c",
}

// CapText returns how the keys of an action are called.
func (a *Action) CapText(l i18n.Language) string {
	if a.Cap != "" {
		return l.Text(a.Cap)
	}
	first, _, _ := strings.Cut(string(a.Keys), " ")
	if name, ok := keyCaps[first]; ok {
		return l.Text(name)
	}
	return first
}
