package live

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"broadside/match"
)

// Config describes a match to be run.
type Config struct {
	ID    string // for logs and records
	Rules match.Rules
	Seats [2]SeatConfig
	Audit match.AuditMode
	// Abortable matches have no winner if a side resigns or leaves before they
	// count, see [match.Game.Counts].
	Abortable bool
	Rand      *rand.Rand   // for what the clocks do; the match's own from Start on
	Log       *slog.Logger // nil: no log
	// Interrupted tells that the match goes on after a restart. History is what
	// had happened in it, and who may be away is, until they attach.
	Interrupted bool
	History     []match.Event
	// Append is called with what has happened after the game has taken it, before
	// Ending and before any reader is told: the match waits for it.
	// The marks are the numbers of the last commands of both sides, for
	// [Match.TakeOver]. ErrFenced means that another node runs the match: the
	// events count for nothing, and the handle follows that node. After any other
	// error it is called again with the same, until ctx ends. It is called on the
	// match's goroutine. It may be nil. When ctx ends, the match ends here, but
	// that is not appended.
	Append func(ctx context.Context, events []match.Event, marks [2]uint64) error
	// Far is for when another node takes the match over.
	Far Far
	// Ending is called once the game is over and before any reader is told of
	// it, on the match's goroutine: the match waits for it, so it should bound
	// its time. It may be nil.
	Ending func(Record)
	// Shot is called when a seat's shot has been told to all, with the time that
	// took since the seat fired, on the match's goroutine. It must not wait. It
	// may be nil.
	Shot func(took time.Duration)
	// Ended is called when the match has ended and Done is closed, as the last
	// act of the match's goroutine. It may be nil.
	Ended func()
}

// Match is a handle on a running match, or on one that has ended. Its referee
// runs here, or on another node. All methods may be called from any goroutine.
type Match struct {
	id      string
	seats   [2]*Seat
	inbox   chan request
	errands *errands      // nil if no other node can know of the match
	done    chan struct{} // closed when the match's goroutine has ended
	here    atomic.Bool   // there is a referee
	stand   stand         // what spectators see; it has a lock

	// All below belongs to the match's goroutine until done is closed. After that
	// it is read by all and changed by none.
	referee  *referee  // nil while another node runs the match
	follower *follower // nil while this one does
	watchers int       // spectators here
	later    []request // before those in the inbox
}

// Record is what remains of a match that has ended.
type Record struct {
	ID      string
	Rules   match.Rules
	Names   [2]string
	Seals   [2]string // as in an [Update]
	Started time.Time
	Took    time.Duration
	Winner  match.Side
	Reason  match.Reason
	Events  []match.Event
}

// Start runs a match between two seats. It ends when the game is over, or
// without a winner when ctx ends; the caller waits for [Config].Ended, or for
// [Match.Done], after which next to nothing is left to do. The rules must be
// valid and are checked, and so is the history; there are no other errors.
func Start(ctx context.Context, cfg Config) (*Match, error) {
	m := newMatch(cfg.ID)
	if cfg.Append != nil || cfg.Far.Send != nil {
		m.errands = newErrands()
	}
	var err error
	if m.referee, err = newReferee(m, cfg); err != nil {
		return nil, fmt.Errorf("starting a match: %w", err)
	}
	m.here.Store(true)
	m.begin(ctx)
	return m, nil
}

// Follow makes a handle on a match that another node runs, for the seats and
// spectators of this one. It ends when its readers have been told that the match
// has ended, or when ctx ends: so who knows of the end from elsewhere ends ctx.
func Follow(ctx context.Context, id string, far Far) *Match {
	m := newMatch(id)
	m.errands = newErrands()
	m.follower = newFollower(m, far)
	m.begin(ctx)
	return m
}

func newMatch(id string) *Match {
	m := &Match{id: id, inbox: make(chan request, 4), done: make(chan struct{})}
	for side := range m.seats {
		m.seats[side] = &Seat{match: m, side: match.Side(side)}
	}
	return m
}

// begin starts the match's goroutine, which is the referee or the follower of
// another node's.
func (m *Match) begin(ctx context.Context) {
	go func() {
		for goesOn := true; goesOn; {
			if m.referee != nil {
				goesOn = m.referee.run(ctx)
			} else {
				goesOn = m.follower.run(ctx)
			}
		}
		m.end()
	}()
}

// end is the last act of the match's goroutine.
func (m *Match) end() {
	for _, r := range m.later {
		m.afterwards(r)
	}
	close(m.done)
	m.drain()
	m.forget()
	var ended func()
	if m.referee != nil {
		ended = m.referee.cfg.Ended
	} else {
		ended = m.follower.far.Ended
	}
	if ended != nil {
		ended()
	}
}

// ID is the id from the config.
func (m *Match) ID() string { return m.id }

// Seat is the handle of one side, First or Second.
func (m *Match) Seat(side match.Side) *Seat { return m.seats[side] }

// Done is closed when the match has ended and its goroutine with it.
func (m *Match) Done() <-chan struct{} { return m.done }

// Record waits for the end of the match and returns what remains of it. If
// another node ran the match it has no events, and no start.
func (m *Match) Record() Record {
	<-m.done
	if m.referee == nil {
		return m.follower.record()
	}
	return m.referee.record()
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
	var last source
	switch {
	case m.referee != nil:
		last = m.referee
	case m.follower.knows(r.side):
		last = m.follower
	}
	switch r.do {
	case attach:
		if last != nil {
			r.mailbox.put(last, nil, nil)
		}
		r.mailbox.close(ErrEnded)
	case watch:
		m.stand.admit(last, r.spectator)
	}
}

// discard is a log for who has none.
var discard = slog.New(slog.DiscardHandler)
