package play

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// question is a question to the player before something that cannot be undone. To leave a match is to resign
// it, or to abort it before it counts.
type question uint8

const (
	noQuestion question = iota
	leaveMatch
	removeOpponent
	endHotSeat
)

// askFunc returns a function that asks a question, for an action.
func (m *Match) askFunc(q question) func() tea.Cmd {
	return widget.NoCommand(func() { m.question = q })
}

// leaveAction returns the action that asks whether to leave the match.
func (m *Match) leaveAction() widget.Action {
	return widget.Action{Keys: "q esc", Label: m.leaveVerb(), Do: m.askFunc(leaveMatch)}
}

// leaveVerb says what leaving the match means now.
func (m *Match) leaveVerb() i18n.Key {
	if m.game.info.Pace > 0 && m.question == noQuestion {
		return "leave"
	}
	if m.State.WouldResigningAbort(&m.game.last.View) {
		return "abort"
	}
	return "resign"
}

// removeOpponentAction returns the action that asks whether to remove the opponent. It is off if that is not possible.
func (m *Match) removeOpponentAction() widget.Action {
	possible := !m.isRemovalUnderway && m.State.CanRemoveOpponent(&m.game.last.View)
	return widget.Action{Keys: "m", Label: "remove the opponent", Off: !possible, Do: m.askFunc(removeOpponent)}
}

// questionActions returns the actions that answer the current question. Any other key withdraws the question.
func (m *Match) questionActions() []widget.Action {
	verb := m.leaveVerb()
	switch m.question {
	case removeOpponent:
		verb = "remove"
	case endHotSeat:
		verb = "end match"
	}
	leave := func() tea.Cmd {
		m.Nav.LeaveToLobby(m.dueText())
		return nil
	}
	return []widget.Action{
		{Keys: "enter q", Label: "leave", Off: m.question != leaveMatch || m.game.info.Pace == 0, Do: leave},
		{Keys: widget.Keys("y " + m.Lang.Text("y##yes")), Cap: "y##yes", Label: verb, Do: m.confirmQuestion},
		{Keys: "ctrl+c", Label: "leave now", Off: m.question == removeOpponent},
		{Keys: "esc", Cap: "any other key", Label: "continue"},
	}
}

// confirmQuestion does what the current question asks about.
func (m *Match) confirmQuestion() tea.Cmd {
	asked := m.question
	m.question = noQuestion
	switch asked {
	case removeOpponent:
		m.isRemovalUnderway = true
		return widget.Exec(m.Env, m.Session.RemoveOpponent, func(err error) tea.Cmd {
			m.isRemovalUnderway = false
			m.CheckAction(err)
			return nil
		})
	case endHotSeat:
		m.CheckAction(m.Session.AbortMatch())
	default:
		m.CheckAction(m.Session.Resign(m.game.side))
	}
	return nil
}

// Interrupt implements [widget.Interrupter]. It asks whether to leave a running match. If
// that was asked already, it leaves immediately. A player with a key can come back.
func (m *Match) Interrupt() tea.Cmd {
	switch {
	case m.phase == finished:
		return tea.Quit
	case m.question != noQuestion:
		m.Session.LeaveMatch(true)
		m.RefreshState()
		return tea.Quit
	case m.phase == handingOver:
		m.question = endHotSeat
	default:
		m.question = leaveMatch
	}
	return nil
}

// questionText returns the question, or "" if none was asked.
func (m *Match) questionText() string {
	var question, rest i18n.Key
	switch {
	case m.question == noQuestion:
		return ""
	case m.question == removeOpponent:
		removal := term.Warn.Render(m.Lang.Text("Remove %s from your match?", m.game.opponent)) + " "
		if m.State.WouldRemovalAbort(&m.game.last.View) {
			removal += m.Lang.Text("This counts as aborting the match.") + " "
		}
		return removal + m.Lang.Text("Press y to remove them, or any other key to continue.")
	case m.question == endHotSeat:
		question, rest = "End this match?", "Press y to end it without a winner, or any other key to continue."
	case m.State.WouldResigningAbort(&m.game.last.View):
		question, rest = "Abort this match?", "It does not count yet. Press y to abort it, or any other key to continue."
	case m.game.info.Pace > 0:
		return m.dueText() + " " + m.Lang.Text("Press enter to leave, y to resign, or any other key to continue.")
	default:
		question, rest = "Resign this match?", "Press y to resign, or any other key to continue."
	}
	return term.Warn.Render(m.Lang.Text(question)) + " " + m.Lang.Text(rest)
}

// dueText says that a correspondence match waits, and for how long.
func (m *Match) dueText() string {
	left := narrate.TimeLeft(m.Lang, time.Until(m.game.last.Deadline))
	switch {
	case m.game.last.Deadline.IsZero():
		return m.Lang.Text("The match waits for you.")
	case !m.IsMyTurn():
		return m.Lang.Text("The match waits: %s has %s.", m.game.opponent, left)
	case m.game.last.View.Phase == match.Placing:
		return m.Lang.Text("The match waits for you. Your fleet is due in %s.", left)
	}
	return m.Lang.Text("The match waits for you. Your next shot is due in %s.", left)
}

// questionLines returns the question in lines of at most width.
func (m *Match) questionLines(width int) []string { return text.Wrap(m.questionText(), width) }
