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

// Config describes a match to be run.
type Config struct {
	ID    string // for logs and records
	Rules match.Rules
	Seats [2]SeatConfig
	Audit audit.Mode
	// Abortable matches have no winner if a side resigns or leaves before they
	// count, see [match.Game.Counts].
	Abortable bool
	Rand      *rand.Rand   // for what the clocks do; the match's own from Start on
	Log       *slog.Logger // nil: no log
	// Interrupted means that the match goes on after a restart or a failover. History
	// is what had happened in it. The players of seats with Grace or Return are away
	// until they attach.
	Interrupted bool
	History     []match.Event
	// Append saves what has happened, before Ending and before any reader is told: the
	// match waits for it, with its clocks stopped. After an error it is called again
	// with the same events, until ctx ends; then the match ends here, and nobody is
	// told of the events. The last event of a match that ends because ctx has ended is
	// not appended. Append is called on the match's goroutine first and must not wait
	// then. It may be nil.
	Append func(ctx context.Context, events []match.Event) error
	// Waits means that Append and Ending may wait for other machines, so the match
	// calls them on other goroutines, one at a time. Append must return soon after ctx
	// has ended.
	Waits bool
	// Ending is called once the game is over and before any reader is told of
	// it: the match waits for it, so it should bound its time. It may be nil.
	Ending func(Record)
	// Shot is called when a seat's shot has been told to all, with the time that
	// took since the seat fired, on the match's goroutine. It must not wait. It
	// may be nil.
	Shot func(took time.Duration)
	// Ended is called when the match has ended and Done is closed, as the last
	// act of the match's goroutine. It may be nil.
	Ended func()
}

// Match is a running match, or one that has ended. All methods may be called
// from any goroutine.
type Match struct {
	id       string
	seats    [2]*Seat
	inbox    chan request
	done     chan struct{} // closed when the match's goroutine has ended
	stand    stand         // what spectators see; it has a lock
	referee  *referee      // of the match's goroutine; unchanged after done
	watchers int           // the same: spectators
}

// Start runs a match between two seats. It ends when the game is over, or
// without a winner when ctx ends; the caller waits for [Config].Ended, or for
// [Match.Done], after which next to nothing is left to do. The rules must be
// valid and are checked, and so is the history; there are no other errors.
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

// end is the last act of the match's goroutine.
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

// ID returns the id from the config.
func (m *Match) ID() string { return m.id }

// Seat returns the handle of one side, First or Second.
func (m *Match) Seat(side match.Side) *Seat { return m.seats[side] }

// Done is closed when the match has ended and its goroutine with it.
func (m *Match) Done() <-chan struct{} { return m.done }

// Record waits for the end of the match and returns what remains of it.
func (m *Match) Record() Record {
	<-m.done
	r := m.referee
	return r.record(r.game.Events()[:r.told])
}

// Abort ends the match without a winner.
func (m *Match) Abort() {
	m.post(request{do: command, side: match.Nobody, command: match.Void(match.Closed)})
}

// post hands a request to the referee. It waits for room in the inbox, never
// for more than the referee's work on what is there already.
func (m *Match) post(r request) {
	select {
	case m.inbox <- r:
	case <-m.done:
		m.afterwards(r)
		return
	}
	// If the referee ended meanwhile, nobody else may look into the inbox.
	select {
	case <-m.done:
		m.drain()
	default:
	}
}

// drain deals with requests that came too late for the referee.
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

// afterwards deals with a request once the match is over: readers get their
// first and last update, commands mean nothing any more.
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
		m.stand.admit(m.referee, r.spectator)
	}
}

// discard is a log for who has none.
var discard = slog.New(slog.DiscardHandler)
