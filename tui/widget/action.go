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
	// Keys may be empty if the row only explains Cap.
	Keys Keys
	// Cap names the keys on the screen. The default is the first key's name.
	Cap i18n.Key
	// Label says what the action does. Actions without a label are not listed.
	Label i18n.Key
	// Off is set if the action is impossible now. It is not listed, and its keys do nothing.
	Off bool
	// Do carries out the action. If it is nil, the screen's Update receives the keys.
	Do func() tea.Cmd
}

// Hints explain keys that the root model or a part of the screen handles.
var (
	HelpHint   = Action{Keys: "?", Label: "help"}
	LeaveHint  = Action{Keys: "ctrl+c", Label: "leave"}
	ChooseHint = Action{Keys: "up down", Cap: "↑↓", Label: "choose"}
	ChangeHint = Action{Keys: "left right", Cap: "←→", Label: "change"}
)

// BackAction returns the action that closes a screen with esc or the given keys.
func BackAction(e *Env, keys Keys) Action {
	return Action{Keys: "esc " + keys, Label: "back", Do: NoCommand(e.Nav.GoBack)}
}

// NoCommand adapts a function without a command to [Action.Do].
func NoCommand(act func()) func() tea.Cmd {
	return func() tea.Cmd {
		act()
		return nil
	}
}

// RunAction carries out the first possible action for a key press. It reports whether there is one.
func RunAction(msg tea.KeyPressMsg, actions []Action) (cmd tea.Cmd, done bool) {
	for i := range actions {
		a := &actions[i]
		if !a.Off && a.Do != nil && slices.Contains(a.Keys.List(), msg.String()) {
			return a.Do(), true
		}
	}
	return nil, false
}

// VisibleActions returns the actions that the bottom bar and the help page list.
func VisibleActions(actions []Action) []Action {
	return slices.DeleteFunc(slices.Clone(actions), func(a Action) bool { return a.Off || a.Label == "" })
}

// List returns the key names.
func (k Keys) List() []string { return strings.Fields(string(k)) }

// keyCaps has the labels of the keys whose names need a translation.
var keyCaps = map[string]i18n.Key{
	"enter": "enter", "esc": "esc", "tab": "tab", "space": "space", "backspace": "backspace", "ctrl+c": "ctrl+c",
}

// CapText returns the action's key cap label.
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
