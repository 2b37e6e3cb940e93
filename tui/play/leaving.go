package play

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// leaving is the question whether to resign, or to remove the opponent.
type leaving struct {
	match    *Match
	asked    bool
	removing bool // of the opponent, from the player's private match
	busy     bool // the opponent is being removed
}

func (l *leaving) ask(removing bool) { l.asked, l.removing = true, removing }

// leaveAction asks whether to leave the match.
func (l *leaving) leaveAction() widget.Action {
	return widget.Action{Keys: "q esc", Label: l.verb(), Do: widget.Do(func() { l.ask(false) })}
}

// verb says what leaving the match means now.
func (l *leaving) verb() i18n.Key {
	if l.match.State.WouldAbort(&l.match.game.last.View) {
		return "abort"
	}
	return "resign"
}

// removeAction asks whether to remove the opponent, where that is possible.
func (l *leaving) removeAction() widget.Action {
	possible := !l.busy && l.match.State.MayRemoveOpponent(&l.match.game.last.View)
	return widget.Action{Keys: "m", Label: "remove the opponent", Off: !possible, Do: widget.Do(func() { l.ask(true) })}
}

// answers returns the actions that answer the question. Any other key withdraws it.
func (l *leaving) answers() []widget.Action {
	verb := l.verb()
	if l.removing {
		verb = "remove"
	}
	return []widget.Action{
		yesAction(l.match.Env, verb, l.confirm),
		{Keys: "ctrl+c", Label: "leave now", Off: l.removing},
		{Keys: "esc", Cap: "any other key", Label: "continue"},
	}
}

// yesAction returns the action that answers yes in the player's language.
func yesAction(e *widget.Env, label i18n.Key, do func() tea.Cmd) widget.Action {
	return widget.Action{Keys: widget.Keys("y " + e.Lang.Text("y##yes")), Cap: "y##yes", Label: label, Do: do}
}

// confirm does what the player was asked.
func (l *leaving) confirm() tea.Cmd {
	l.asked = false
	if l.removing {
		return l.remove()
	}
	l.match.Check(l.match.Session.Resign(l.match.game.side))
	return nil
}

// remove removes the opponent.
func (l *leaving) remove() tea.Cmd {
	l.busy = true
	return l.match.Later(nil, func(ctx context.Context) func() tea.Cmd {
		err := l.match.Session.RemoveOpponent(ctx)
		return func() tea.Cmd {
			l.busy = false
			if err != nil {
				l.match.Notice = l.match.ErrorText(err)
			}
			return nil
		}
	})
}

// interrupt asks the question. If it was asked already, interrupt leaves immediately. A player
// with a key can come back.
func (l *leaving) interrupt() tea.Cmd {
	if l.asked {
		l.match.Session.LeaveMatch(true)
		l.match.Sync()
		return tea.Quit
	}
	l.ask(false)
	return nil
}

// lines returns the question in lines of at most width, or none if it was not asked.
func (l *leaving) lines(width int) []string {
	m := l.match
	v := &m.game.last.View
	if !l.asked {
		return nil
	}
	if l.removing {
		question := term.Warn.Render(m.Lang.Text("Remove %s from your match?", m.game.opponent)) + " "
		if m.State.RemovalAborts(v) {
			question += m.Lang.Text("It counts as your abort.") + " "
		}
		return text.Wrap(question+m.Lang.Text("Press y to remove them, or any other key to continue."), width)
	}
	question, rest := i18n.Key("Resign this match?"), i18n.Key("Press y to resign, or any other key to continue.")
	if m.State.WouldAbort(v) {
		question, rest = "Abort this match?", "It does not count yet. Press y to abort it, or any other key to continue."
	}
	return text.Wrap(term.Warn.Render(m.Lang.Text(question))+" "+m.Lang.Text(rest), width)
}

// line returns the question on one line.
func (l *leaving) line(width int) string { return strings.Join(l.lines(width), " ") }
