package live

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"broadside/match"
	"broadside/match/audit"
)

// Config configures a match.
type Config struct {
	// ID is the match's ID in logs and records.
	ID    string
	Rules match.Rules
	Seats [2]SeatConfig
	Audit audit.Mode
	// Abortable means that the match has no winner if a side resigns or leaves before it
	// counts, as [match.Game.AlreadyCounts] defines.
	Abortable bool
	// Rand chooses the shots fired by the clock. After Start it belongs to the match.
	Rand *rand.Rand
	// Log may be nil.
	Log *slog.Logger
	// Interrupted means that the match continues after a restart or failover, with the
	// events in History. Players of seats with Grace or Return are away until they attach.
	Interrupted bool
	History     []match.Event
	// Pace, unless it is 0, is the time limit for each turn of a correspondence match. It replaces all
	// other time limits, and the players need not be connected. When it ends, the seat loses.
	Pace time.Duration
	// PaceLeft is what remains of Pace in the turn of a match that is Interrupted.
	PaceLeft time.Duration
	// Append saves events before any reader sees them. number is how many precede them, and turn
	// says who must act after them. Its first call, without events, saves the match's start, unless the match is Interrupted.
	// Finish does the same with the events that end the match. They are called on another
	// goroutine and may block until ctx ends. Meanwhile the clocks stand still. After an
	// error, the match calls them again with the same events until ctx ends. Then it ends
	// here, and the events are not published. Both may be nil.
	Append func(ctx context.Context, number int, events []match.Event, turn Turn) error
	Finish func(ctx context.Context, r Record) error
	// OnShot is called when a shot has been published, with the time since the seat fired. It
	// must not block. It may be nil.
	OnShot func(took time.Duration)
	// OnEnded is the last function that the match calls, on another goroutine after Done is
	// closed. It may be nil.
	OnEnded func()
}

// Turn says who must act before a match can continue.
type Turn struct {
	// Acting marks the sides that must act.
	Acting [2]bool
	// IsContinued reports that a turn and its clock go on after a ship's move or a part of a turn's shots.
	IsContinued bool
}

// Match is a match that runs or has ended. Its methods are safe for concurrent use.
type Match struct {
	id    string
	seats [2]*Seat
	// done is closed when the match has ended.
	done chan struct{}
	// feed has its own lock.
	feed feed
	// mu guards referee. It is never held while waiting.
	mu      sync.Mutex
	referee *referee
	// counts reports whether the match counts.
	counts atomic.Bool
}

// Start starts a match between two seats. The match ends when the game is over, or without
// a winner when ctx ends. Callers wait for [Config].OnEnded or [Match.Done]. Start returns
// an error if the rules or the history are invalid.
func Start(ctx context.Context, cfg Config) (*Match, error) {
	m := &Match{id: cfg.ID, done: make(chan struct{})}
	for side := range m.seats {
		m.seats[side] = &Seat{match: m, side: match.Side(side)}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	if m.referee, err = newReferee(m, cfg); err != nil {
		return nil, fmt.Errorf("start a match: %w", err)
	}
	m.referee.start(ctx)
	return m, nil
}

// ID returns the ID from the Config.
func (m *Match) ID() string { return m.id }

// Seat returns the handle of one side, First or Second.
func (m *Match) Seat(side match.Side) *Seat { return m.seats[side] }

// Done returns a channel that is closed when the match has ended.
func (m *Match) Done() <-chan struct{} { return m.done }

// AlreadyCounts reports whether the match counts, as [match.Game.AlreadyCounts] does. It does not wait.
func (m *Match) AlreadyCounts() bool { return m.counts.Load() }

// WaitForRecord waits until the match has ended and returns its record.
func (m *Match) WaitForRecord() Record {
	<-m.done
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.referee
	return r.newRecord(r.game.Events()[:r.published])
}

// Abort ends the match without a winner.
func (m *Match) Abort() {
	m.withReferee((*referee).abort)
}

// withReferee calls f with the referee, under the match's lock.
func (m *Match) withReferee(f func(r *referee)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.withRefereeLocked(f)
}

func (m *Match) submit(w request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.referee.armTimer()
	defer m.referee.recoverPanic()
	m.referee.submit(w)
}

func (m *Match) withRefereeLocked(f func(r *referee)) {
	defer m.referee.armTimer()
	defer m.referee.recoverPanic()
	f(m.referee)
}

// discardLog is the default log.
var discardLog = slog.New(slog.DiscardHandler)
