package play

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// leaving is the question whether to resign, or to remove the opponent.
type leaving struct {
	asked    bool
	removing bool // of the opponent, from the player's private match
	busy     bool // the opponent is being removed
}

// key handles the keys for leaving, and reports whether it handled the key.
func (l *leaving) key(m *Match, key string) (cmd tea.Cmd, handled bool) {
	switch {
	case l.asked && m.Lang.Yes(key):
		l.asked = false
		if l.removing {
			return l.remove(m), true
		}
		m.Check(m.Session.Resign(m.game.side))
	case l.asked:
		l.asked = false
	case key == "q" || key == "esc":
		l.asked, l.removing = true, false
	case key == "m" && !l.busy && m.State.MayRemoveOpponent(&m.game.last.View):
		l.asked, l.removing = true, true
	default:
		return nil, false
	}
	return nil, true
}

// remove removes the opponent.
func (l *leaving) remove(m *Match) tea.Cmd {
	l.busy = true
	return m.Later(nil, func(ctx context.Context) func() tea.Cmd {
		err := m.Session.RemoveOpponent(ctx)
		return func() tea.Cmd {
			l.busy = false
			if err != nil {
				m.Notice = m.ErrorText(err)
			}
			return nil
		}
	})
}

// interrupt asks the question. If it was asked already, interrupt leaves immediately. A player
// with a key can come back.
func (l *leaving) interrupt(m *Match) tea.Cmd {
	if l.asked {
		m.Session.LeaveMatch(true)
		m.Sync()
		return tea.Quit
	}
	l.asked, l.removing = true, false
	return nil
}

// lines returns the question in lines of at most width, or none if it was not asked.
func (l *leaving) lines(m *Match, width int) []string {
	if !l.asked {
		return nil
	}
	if l.removing {
		question := term.Warn.Render(m.Lang.Text("Remove %s from your match?", m.game.opponent)) + " "
		if m.State.RemovalAborts(&m.game.last.View) {
			question += m.Lang.Text("It counts as your abort.") + " "
		}
		return text.Wrap(question+m.Lang.Text("Press y to remove them, or any other key to continue."), width)
	}
	if m.State.WouldAbort(&m.game.last.View) {
		return text.Wrap(term.Warn.Render(m.Lang.Text("Abort this match?"))+" "+m.Lang.Text("It does not count yet. Press y to abort it, or any other key to continue."), width)
	}
	return text.Wrap(term.Warn.Render(m.Lang.Text("Resign this match?"))+" "+m.Lang.Text("Press y to resign, or any other key to continue."), width)
}

// line returns the question on one line.
func (l *leaving) line(m *Match, width int) string { return strings.Join(l.lines(m, width), " ") }

var leavingKeys = struct{ askResign, askAbort, resign, abort, leave, remove, confirmed, other key.Binding }{
	askResign: widget.Bind("q", "resign", "q"), askAbort: widget.Bind("q", "abort", "q"),
	resign: widget.Bind("y##yes", "resign", "y"), abort: widget.Bind("y##yes", "abort", "y"),
	leave:  widget.Bind("ctrl+c", "leave now", "ctrl+c"),
	remove: widget.Bind("m", "remove the opponent", "m"), confirmed: widget.Bind("y##yes", "remove", "y"),
	other: widget.Bind("any other key", "continue", "esc"),
}

// leaveKey returns the key that asks whether to leave the match.
func leaveKey(m *Match) key.Binding {
	if m.State.WouldAbort(&m.game.last.View) {
		return leavingKeys.askAbort
	}
	return leavingKeys.askResign
}

// addRemoveBinding appends the key for removing the opponent to bindings, if removal is possible.
func (l *leaving) addRemoveBinding(m *Match, bindings ...key.Binding) []key.Binding {
	if !m.State.MayRemoveOpponent(&m.game.last.View) {
		return bindings
	}
	return append(bindings, leavingKeys.remove)
}

// bindings returns the keys that answer the question.
func (l *leaving) bindings(m *Match) []key.Binding {
	switch {
	case l.removing:
		return []key.Binding{leavingKeys.confirmed, leavingKeys.other}
	case m.State.WouldAbort(&m.game.last.View):
		return []key.Binding{leavingKeys.abort, leavingKeys.leave, leavingKeys.other}
	}
	return []key.Binding{leavingKeys.resign, leavingKeys.leave, leavingKeys.other}
}
