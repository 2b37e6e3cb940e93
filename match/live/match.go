package live

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"broadside/match"
	"broadside/match/audit"
)

// Config configures a match.
type Config struct {
	ID    string // for logs and records
	Rules match.Rules
	Seats [2]SeatConfig
	Audit audit.Mode
	// Abortable matches have no winner if a side resigns or leaves before they
	// count; see [match.Game.Counts].
	Abortable bool
	Rand      *rand.Rand   // for shots fired by the clock; owned by the match after Start
	Log       *slog.Logger // nil: no log
	// Interrupted means that the match continues after a restart or failover, with the
	// events in History. Players of seats with Grace or Return are away until they attach.
	Interrupted bool
	History     []match.Event
	// Append saves events before Ending is called and before any reader sees them. The
	// match waits for it with its clocks stopped. After an error it is called again with
	// the same events until ctx ends; then the match ends here and the events are not
	// published. The last event of a match that ends because ctx has ended is not
	// appended. The first call is on the match's goroutine and must not block. Append may
	// be nil.
	Append func(ctx context.Context, events []match.Event) error
	// Waits means that Append and Ending may block, so the match calls them on other
	// goroutines, one at a time. Append must return soon after ctx ends.
	Waits bool
	// Ending is called when the game is over and before any reader sees that. The match
	// waits for it, so it should have a time limit. It may be nil.
	Ending func(Record)
	// Shot is called on the match's goroutine when a shot has been published, with the time
	// since the seat fired. It must not block. It may be nil.
	Shot func(took time.Duration)
	// Ended is called after Done is closed, at the very end of the match's goroutine. It
	// may be nil.
	Ended func()
}

// Match is a match that runs or has ended. Its methods are safe for concurrent use.
type Match struct {
	id       string
	seats    [2]*Seat
	inbox    chan request
	done     chan struct{} // closed when the match's goroutine has ended
	feed     feed          // for spectators; it has its own lock
	referee  *referee      // belongs to the match's goroutine; constant after done
	watchers int           // belongs to the match's goroutine: number of spectators
}

// Start runs a match between two seats in a new goroutine. The match ends when the game is
// over, or without a winner when ctx ends; the caller waits for [Config].Ended or
// [Match.Done]. Start returns an error if the rules or the history are invalid.
func Start(ctx context.Context, cfg Config) (*Match, error) {
	m := &Match{id: cfg.ID, inbox: make(chan request, 8), done: make(chan struct{})}
	for side := range m.seats {
		m.seats[side] = &Seat{match: m, side: match.Side(side)}
	}
	var err error
	if m.referee, err = newReferee(m, cfg); err != nil {
		return nil, fmt.Errorf("starting a match: %w", err)
	}
	go func() {
		m.referee.run(ctx)
		m.end()
	}()
	return m, nil
}

// end releases everything at the end of the match's goroutine.
func (m *Match) end() {
	for _, q := range m.referee.waiting {
		m.afterwards(q)
	}
	close(m.done)
	m.drain()
	if ended := m.referee.cfg.Ended; ended != nil {
		ended()
	}
}

// ID returns the ID from the Config.
func (m *Match) ID() string { return m.id }

// Seat returns the handle of one side, First or Second.
func (m *Match) Seat(side match.Side) *Seat { return m.seats[side] }

// Done returns a channel that is closed when the match and its goroutine have ended.
func (m *Match) Done() <-chan struct{} { return m.done }

// Record waits for the end of the match and returns its record.
func (m *Match) Record() Record {
	<-m.done
	r := m.referee
	return r.record(r.game.Events()[:r.told])
}

// Abort ends the match without a winner.
func (m *Match) Abort() {
	m.post(request{do: command, side: match.Nobody, command: match.Void(match.Closed)})
}

// post passes a request to the referee. It may wait for room in the inbox while the referee
// handles earlier requests.
func (m *Match) post(r request) {
	select {
	case m.inbox <- r:
	case <-m.done:
		m.afterwards(r)
		return
	}
	// If the referee has ended in the meantime, nothing else reads the inbox.
	select {
	case <-m.done:
		m.drain()
	default:
	}
}

// drain handles requests that arrived too late for the referee.
func (m *Match) drain() {
	for {
		select {
		case r := <-m.inbox:
			m.afterwards(r)
		default:
			return
		}
	}
}

// afterwards handles a request after the match: readers get their first and last update, and
// commands do nothing.
func (m *Match) afterwards(r request) {
	switch r.do {
	case attach:
		m.referee.welcome(&r)
		r.mailbox.put(m.referee, nil, nil)
		r.mailbox.close(ErrEnded)
	case settle:
		if m.referee.ctx.Err() != nil {
			r.settled <- ErrUnsettled
		} else {
			r.settled <- nil
		}
	case since:
		r.events <- m.referee.eventsOf(r.side, r.from)
	case watch:
		m.feed.admit(m.referee, r.spectator)
	}
}

// discard is the default log.
var discard = slog.New(slog.DiscardHandler)
