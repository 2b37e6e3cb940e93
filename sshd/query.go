package sshd

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/tui/term"
)

// query holds a terminal's answers to the query in the first frame.
type query struct {
	// sent is set if the terminal was asked.
	sent bool
	// terminal is what the answers so far say, and known is what the screen has been told.
	terminal term.Terminal
	known    term.Terminal
	// answerTimeout fires when the last answer is overdue. It is nil before the first answer.
	answerTimeout <-chan time.Time
}

// newQuery makes the first frame ask the terminal, if it can answer.
func newQuery(frames *term.Writer, events *eventReader, t term.Terminal, kind string) *query {
	text := t.QuerySequences(kind)
	if text != "" {
		frames.SendQuery(text)
		events.answerDeadline = time.Now().Add(answerTime)
	}
	return &query{sent: text != "", terminal: t, known: t}
}

// nextMessage returns the message for the input's next event, or nil. See [eventReader.next].
func (q *query) nextMessage(events *eventReader, expired bool) tea.Msg {
	e := events.next(expired)
	if a, ok := e.(answer); ok {
		return q.handleAnswer(a, events)
	}
	return e
}

// handleAnswer reads a control sequence that may be an answer. It returns the terminal as a message for the
// screen, or nil. It waits for the last answer, so that the screen is redrawn only once.
func (q *query) handleAnswer(a answer, events *eventReader) tea.Msg {
	if !q.sent {
		return nil
	}
	var last bool
	q.terminal, last = q.terminal.ApplyAnswer(string(a))
	if !last && events.isAwaitingAnswer() {
		events.answerDeadline = time.Now().Add(answerTime)
		q.answerTimeout = time.After(answerTime)
		return nil
	}
	if last {
		events.answerDeadline = time.Time{}
	}
	return q.reportTerminal()
}

// reportTerminal returns the terminal as a message, or nil if the screen knows it already.
func (q *query) reportTerminal() tea.Msg {
	q.answerTimeout = nil
	if q.terminal == q.known {
		return nil
	}
	q.known = q.terminal
	return q.terminal
}

// drainAnswers reads the answers that are still to come. Otherwise the user's shell would read them.
func (q *query) drainAnswers(ctx context.Context, events *eventReader) {
	for events.isAwaitingAnswer() && !events.ended {
		select {
		case <-events.input.readable:
			q.nextMessage(events, false)
		case <-events.timeout:
			q.nextMessage(events, true)
		case <-time.After(time.Until(events.answerDeadline)):
		case <-ctx.Done():
			return
		}
	}
}
