package feed

import (
	"context"
	"slices"
	"sync"
	"time"

	"broadside/internal/export"
	"broadside/internal/svg"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
)

// maxLogEvents is the number of events that a match keeps for pages.
const maxLogEvents = 64

// Match is a running match, or one that has just ended, as spectators see it. Its methods
// may be called from any goroutine.
type Match struct {
	*Stream
	hub     *Hub
	id      string
	session *session.Session
	cancel  context.CancelFunc

	// readers and linger are guarded by hub.mu. The timer stops following the match, and is nil while it has readers.
	readers int
	linger  *time.Timer

	// mu guards the fields below.
	mu sync.Mutex
	// running describes the match without guests' names.
	running lobby.RunningMatch
	view    match.View
	away    [2]bool
	boards  [2]*svg.Board
	// log has the newest shots and other events, oldest first.
	log []match.EncodedEvent
	// announced is set once the readers of all matches know the match.
	announced bool
}

// Status is a match's state without its boards.
type Status struct {
	// Phase is placing, battle or over.
	Phase string `json:"phase"`
	// Turn is the index of the player who fires next, or null.
	Turn *int `json:"turn"`
	// Winner is the winner's index, or null.
	Winner *int `json:"winner"`
	// Reason tells why the match ended. It is empty before.
	Reason string `json:"reason"`
	// Shots, Hits and Afloat count each player's shots, hits and ships afloat.
	Shots  [2]int `json:"shots"`
	Hits   [2]int `json:"hits"`
	Afloat [2]int `json:"afloat"`
	// Away tells whose connection is interrupted.
	Away [2]bool `json:"away"`
	// Deadline is when the turn clock runs out, in UTC. It is empty without a clock.
	Deadline string `json:"deadline"`
}

// Boards is the event of changed boards.
type Boards struct {
	Status
	// Boards has the cells of each player's board that changed since the previous such event.
	Boards [2][]svg.Change `json:"boards"`
	// Full is set in a connection's first event, which has all cells that are not open sea.
	Full bool `json:"full,omitempty"`
}

// boardsEvent is the name of events with [Boards].
const boardsEvent = "boards"

// phases are the names of phases in [Status].
var phases = map[match.Phase]string{match.Placing: "placing", match.Battle: "battle", match.Over: "over"}

// publishUpdates reads the updates of the match until it ends or ctx ends, and publishes them.
func (m *Match) publishUpdates(ctx context.Context) {
	defer m.end()
	defer m.session.Close()
	m.hub.publishToAll(m, nil)
	for {
		events, err := m.publishNext(ctx)
		if err != nil {
			return
		}
		m.hub.publishToAll(m, events)
	}
}

// publishNext waits for an update and publishes it. It returns the update's events, or [ErrNoMatch] if the match has
// ended.
func (m *Match) publishNext(ctx context.Context) ([]Event, error) {
	for {
		u, err := m.session.Next(ctx)
		switch {
		case err != nil:
			return nil, err
		case u.Kind == session.WatchEnded:
			return nil, ErrNoMatch
		case u.Kind == session.WatchChanged && u.ID == m.id:
			return m.publishUpdate(u.Match), nil
		}
	}
}

// publishUpdate handles an update, publishes it, and returns its events. Events before the first view are only part of
// the log.
func (m *Match) publishUpdate(u *live.Update) (events []Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if u.Missed {
		events = append(events, Event{Data: m.newEventLocked("missed", nil)})
	}
	for _, e := range u.Events {
		out := e.Encode()
		m.logEventLocked(out)
		events = append(events, Event{Data: out})
	}
	for side, away := range u.Away {
		if away != m.away[side] {
			word := map[bool]string{true: "away", false: "back"}[away]
			events = append(events, Event{Data: m.newEventLocked(word, &side)})
		}
	}
	if m.boards[0] == nil {
		events = nil
	}
	m.away, m.view = u.Away, u.View
	change := Boards{Status: m.newStatusLocked(u)}
	for side := match.First; side <= match.Second; side++ {
		b := svg.NewBoard(&m.view, side)
		change.Boards[side] = b.ChangesSince(m.boards[side])
		m.boards[side] = b
	}
	m.publish(append(events, Event{boardsEvent, change})...)
	return events
}

// logEventLocked adds an event to the log.
func (m *Match) logEventLocked(e match.EncodedEvent) {
	if len(m.log) == maxLogEvents {
		m.log = slices.Delete(m.log, 0, 1)
	}
	m.log = append(m.log, e)
}

// newEventLocked returns an event that is not part of the record.
func (m *Match) newEventLocked(what string, side *int) match.EncodedEvent {
	return match.EncodedEvent{At: time.Since(m.running.Started).Milliseconds(), Event: what, Player: side}
}

func (m *Match) newStatusLocked(u *live.Update) Status {
	s := NewStatus(&u.View)
	s.Away = u.Away
	if !u.Deadline.IsZero() {
		s.Deadline = u.Deadline.UTC().Format(time.RFC3339)
	}
	return s
}

func NewStatus(v *match.View) Status {
	s := Status{Phase: phases[v.Phase]}
	for side := match.First; side <= match.Second; side++ {
		c := &v.Charts[side]
		s.Shots[side], s.Hits[side] = c.Fired, c.Hits.Union(c.Sunk).Len()
		s.Afloat[side] = v.Charts[side.Other()].ShipsAfloat()
	}
	switch {
	case v.Phase == match.Battle:
		s.Turn = v.Turn.JSONIndex()
	case v.Phase == match.Over:
		s.Winner, s.Reason = v.Winner.JSONIndex(), v.Reason.String()
	}
	return s
}

// Snapshot is a match at one moment, without guests' names. Its values are shared and must not be modified.
type Snapshot struct {
	Running lobby.RunningMatch
	View    match.View
	Away    [2]bool
	Log     []match.EncodedEvent
	// Position is the ID of the stream's position.
	Position string
}

// Snapshot returns the current state.
func (m *Match) Snapshot() Snapshot {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Snapshot{m.running, m.view, m.away, slices.Clone(m.log), m.positionID()}
}

// Join returns the position at which a reader starts, and its first data: the current state, or none if
// the stream has everything after the event with the ID.
func (m *Match) Join(lastEventID string) (first []byte, from uint64) {
	// Nothing is published while the lock is held.
	m.mu.Lock()
	defer m.mu.Unlock()
	from, ok := m.findPosition(lastEventID)
	if ok {
		return nil, from
	}
	full := Boards{Status: NewStatus(&m.view), Full: true}
	full.Away = m.away
	for side, b := range m.boards {
		full.Boards[side] = b.ChangesSince(nil)
	}
	return encodeEvents(m.positionID(), Event{Data: export.NewRunningMatch(m.running, &m.view)}, Event{boardsEvent, full}), from
}
