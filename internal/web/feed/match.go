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

// maxLog is the number of events that a match keeps for pages.
const maxLog = 64

// Match is a running match, or one that has just ended, as spectators see it. Its methods
// may be called from any goroutine.
type Match struct {
	*Stream
	hub    *Hub
	id     string
	own    *session.Session
	cancel context.CancelFunc

	readers int         // guarded by hub.mu
	linger  *time.Timer // guarded by hub.mu: stops following; nil while there are readers

	mu        sync.Mutex
	about     lobby.RunningMatch // guarded by mu, like the fields below; without names of guests
	view      match.View
	away      [2]bool
	boards    [2]*svg.Board
	log       []match.EncodedEvent // the newest shots and other events, oldest first
	announced bool                 // to the readers of all matches
}

// Status is the state of a match, apart from its boards.
type Status struct {
	Phase    string  `json:"phase"`    // placing, battle or over
	Turn     *int    `json:"turn"`     // index of the player who shoots next, or null
	Winner   *int    `json:"winner"`   // index of the winner, or null
	Reason   string  `json:"reason"`   // why the match ended; empty before
	Shots    [2]int  `json:"shots"`    // fired by each player
	Hits     [2]int  `json:"hits"`     // by each player
	Afloat   [2]int  `json:"afloat"`   // ships of each player
	Away     [2]bool `json:"away"`     // whose connection is interrupted
	Deadline string  `json:"deadline"` // when the turn clock runs out, UTC; empty without a clock
}

// Boards is the event of changed boards.
type Boards struct {
	Status
	// Boards has the changed cells of each player's board: since the last such event or,
	// in the first event of a connection, all that are not open sea.
	Boards [2][]svg.Change `json:"boards"`
	Full   bool            `json:"full,omitempty"` // the first event of a connection
}

// boardsEvent is the name of events with [Boards].
const boardsEvent = "boards"

// phases are the names of phases in [Status].
var phases = map[match.Phase]string{match.Placing: "placing", match.Battle: "battle", match.Over: "over"}

// follow reads the updates of the match until it ends or ctx ends, and publishes them.
func (m *Match) follow(ctx context.Context) {
	defer m.end()
	defer m.own.Close()
	m.hub.announce(m, nil)
	for {
		events, err := m.next(ctx)
		if err != nil {
			return
		}
		m.hub.announce(m, events)
	}
}

// next waits for an update and publishes it. It returns the update's events, or [ErrNoMatch] if the match has
// ended.
func (m *Match) next(ctx context.Context) ([]Event, error) {
	for {
		u, err := m.own.Next(ctx)
		switch {
		case err != nil:
			return nil, err
		case u.Kind == session.WatchEnded:
			return nil, ErrNoMatch
		case u.Kind == session.WatchChanged && u.ID == m.id:
			return m.update(u.Match), nil
		}
	}
}

// update handles an update, publishes it, and returns its events. Events before the first view are only part of
// the log.
func (m *Match) update(u *live.Update) (events []Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if u.Missed {
		events = append(events, Event{Data: m.nowLocked("missed", nil)})
	}
	for _, e := range u.Events {
		out := e.Encode()
		m.keepLocked(out)
		events = append(events, Event{Data: out})
	}
	for side, away := range u.Away {
		if away != m.away[side] {
			word := map[bool]string{true: "away", false: "back"}[away]
			events = append(events, Event{Data: m.nowLocked(word, &side)})
		}
	}
	if m.boards[0] == nil {
		events = nil
	}
	m.away, m.view = u.Away, u.View
	change := Boards{Status: m.statusLocked(u)}
	for side := match.First; side <= match.Second; side++ {
		b := svg.NewBoard(&m.view, side)
		change.Boards[side] = b.ChangesSince(m.boards[side])
		m.boards[side] = b
	}
	m.publish(append(events, Event{boardsEvent, change})...)
	return events
}

// keepLocked adds an event to the log.
func (m *Match) keepLocked(e match.EncodedEvent) {
	if len(m.log) == maxLog {
		m.log = slices.Delete(m.log, 0, 1)
	}
	m.log = append(m.log, e)
}

// nowLocked returns an event that is not part of the record.
func (m *Match) nowLocked(what string, side *int) match.EncodedEvent {
	return match.EncodedEvent{At: time.Since(m.about.Started).Milliseconds(), Event: what, Player: side}
}

func (m *Match) statusLocked(u *live.Update) Status {
	s := StatusOf(&u.View)
	s.Away = u.Away
	if !u.Deadline.IsZero() {
		s.Deadline = u.Deadline.UTC().Format(time.RFC3339)
	}
	return s
}

// StatusOf returns the status of a match in a view.
func StatusOf(v *match.View) Status {
	s := Status{Phase: phases[v.Phase]}
	for side := match.First; side <= match.Second; side++ {
		c := &v.Charts[side]
		s.Shots[side], s.Hits[side] = c.Fired, c.Hits.Union(c.Sunk).Len()
		s.Afloat[side] = v.Charts[side.Other()].ShipsLeft()
	}
	switch {
	case v.Phase == match.Battle:
		s.Turn = v.Turn.Index()
	case v.Phase == match.Over:
		s.Winner, s.Reason = v.Winner.Index(), v.Reason.String()
	}
	return s
}

// Snapshot is a match at one moment. Its values are shared and must not be modified.
type Snapshot struct {
	About    lobby.RunningMatch // without names of guests
	View     match.View
	Away     [2]bool
	Log      []match.EncodedEvent
	Position string // of the stream
}

// Snapshot returns the current state.
func (m *Match) Snapshot() Snapshot {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Snapshot{m.about, m.view, m.away, slices.Clone(m.log), m.position()}
}

// Join returns the position at which a reader begins, and its first data: everything after
// the event with the ID, or else the current state.
func (m *Match) Join(id string) (first []byte, from uint64) {
	m.mu.Lock() // nothing is published meanwhile
	defer m.mu.Unlock()
	from, ok := m.find(id)
	if ok {
		return nil, from
	}
	full := Boards{Status: StatusOf(&m.view), Full: true}
	full.Away = m.away
	for side, b := range m.boards {
		full.Boards[side] = b.ChangesSince(nil)
	}
	return encode(m.position(), Event{Data: export.NewRunningMatch(m.about, &m.view)}, Event{boardsEvent, full}), from
}
