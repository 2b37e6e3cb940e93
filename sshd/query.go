package sshd

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/tui/term"
)

// query holds what a terminal has answered to the query in the first frame.
type query struct {
	sent     bool             // the terminal was asked
	terminal term.Terminal    // the terminal after all answers so far
	shown    term.Terminal    // the terminal that the model knows
	late     <-chan time.Time // fires when the last answer is overdue; nil before the first one
}

// sendQuery makes the first frame ask the terminal, if it can answer.
func (p *program) sendQuery(t term.Terminal, events *eventReader) {
	text := t.Query(p.session.user.Term)
	p.query = query{sent: text != "", terminal: t, shown: t}
	if p.query.sent {
		p.frames.SendQuery(text)
		events.answers = time.Now().Add(answerTime)
	}
}

// learn uses a control sequence that may be an answer. It returns a message with the terminal
// for the model, or nil. It waits for the last answer, so that the screen is redrawn once.
func (p *program) learn(a answer, events *eventReader) tea.Msg {
	q := &p.query
	if !q.sent {
		return nil
	}
	var last bool
	q.terminal, last = q.terminal.Learn(string(a))
	if !last && events.awaitsAnswers() {
		events.answers = time.Now().Add(answerTime)
		q.late = time.After(answerTime)
		return nil
	}
	if last {
		events.answers = time.Time{}
	}
	return q.message()
}

// message returns the terminal as a message, or nil if the model knows it already.
func (q *query) message() tea.Msg {
	q.late = nil
	if q.terminal == q.shown {
		return nil
	}
	q.shown = q.terminal
	return q.terminal
}

// drainAnswers reads the answers that are still to come, because the user's shell would read them
// otherwise.
func (p *program) drainAnswers(events *eventReader) {
	for events.awaitsAnswers() && !events.ended {
		select {
		case <-events.input.more:
			p.input(events, false)
		case <-events.late:
			p.input(events, true)
		case <-time.After(time.Until(events.answers)):
		case <-p.session.ctx.Done():
			return
		}
	}
}
