package sshd

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/tui/term"
)

// query holds what a terminal has answered to the query in the first frame.
type query struct {
	sent     bool             // the terminal was asked
	terminal term.Terminal    // the terminal after all answers so far
	shown    term.Terminal    // the terminal that the screen knows
	late     <-chan time.Time // fires when the last answer is overdue; nil before the first one
}

// sendQuery makes the first frame ask the terminal, if it can answer.
func sendQuery(frames *term.Writer, events *eventReader, t term.Terminal, kind string) *query {
	text := t.QuerySequences(kind)
	if text != "" {
		frames.SendQuery(text)
		events.answers = time.Now().Add(answerTime)
	}
	return &query{sent: text != "", terminal: t, shown: t}
}

// receive returns the message for the next event of the input, or nil. See [eventReader.next].
func (q *query) receive(events *eventReader, expired bool) tea.Msg {
	e := events.next(expired)
	if a, ok := e.(answer); ok {
		return q.learn(a, events)
	}
	return e
}

// learn uses a control sequence that may be an answer. It returns a message with the terminal
// for the screen, or nil. It waits for the last answer, so that the screen is redrawn once.
func (q *query) learn(a answer, events *eventReader) tea.Msg {
	if !q.sent {
		return nil
	}
	var last bool
	q.terminal, last = q.terminal.ApplyAnswer(string(a))
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

// message returns the terminal as a message, or nil if the screen knows it already.
func (q *query) message() tea.Msg {
	q.late = nil
	if q.terminal == q.shown {
		return nil
	}
	q.shown = q.terminal
	return q.terminal
}

// drain reads the answers that are still to come, because the user's shell would read them otherwise.
func (q *query) drain(ctx context.Context, events *eventReader) {
	for events.awaitsAnswers() && !events.ended {
		select {
		case <-events.input.more:
			q.receive(events, false)
		case <-events.late:
			q.receive(events, true)
		case <-time.After(time.Until(events.answers)):
		case <-ctx.Done():
			return
		}
	}
}
