package feed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"broadside/internal/export"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
)

// Limits of a hub.
const (
	// maxMatches is the number of matches that can be followed at the same time.
	maxMatches = 1000
	// lingerTime is how long a match without readers is still followed.
	lingerTime = 20 * time.Second
	// openTime limits the time to open a session and get the first view.
	openTime = 10 * time.Second
)

// Errors of a hub.
var (
	// ErrNoMatch is returned for a match that is not running.
	ErrNoMatch = errors.New("no such match is running")
	// ErrBusy is returned if too many matches are followed.
	ErrBusy = errors.New("too many matches are being followed")
)

// Hub follows matches for readers. Its methods may be called from any goroutine.
type Hub struct {
	host *session.Host
	log  *slog.Logger
	// ctx ends when the hub is closed.
	ctx        context.Context
	cancel     context.CancelFunc
	goroutines sync.WaitGroup
	// sessionCount is the number of sessions so far.
	sessionCount atomic.Uint64
	// allEvents has the events of all public matches.
	allEvents *Stream

	// mu guards the fields below.
	mu sync.Mutex
	// matches has the followed matches by ID.
	matches map[string]*Match
	// allReaders is the number of readers of allEvents, whose goroutine stopFollowingAll ends.
	allReaders       int
	stopFollowingAll context.CancelFunc
}

// NewHub returns a hub that watches matches in sessions of a host.
func NewHub(host *session.Host, log *slog.Logger) *Hub {
	ctx, cancel := context.WithCancel(context.Background())
	return &Hub{host: host, log: log, ctx: ctx, cancel: cancel, matches: map[string]*Match{}, allEvents: newStream()}
}

// Close stops following matches.
func (h *Hub) Close() {
	h.mu.Lock()
	h.cancel()
	h.mu.Unlock()
	h.goroutines.Wait()
	h.allEvents.end()
}

// OpenSession opens a session for a query or a spectator. The lobby does not list it.
func (h *Hub) OpenSession(ctx context.Context) (*session.Session, error) {
	conn := "w" + strconv.FormatUint(h.sessionCount.Add(1), 10)
	return h.host.Open(ctx, session.Client{Name: "web", Conn: conn, Unlisted: true})
}

// FollowMatch returns a running match by its ID. The caller must call release when it has read
// enough. Until then, the match is followed.
func (h *Hub) FollowMatch(ctx context.Context, id string) (m *Match, release func(), err error) {
	h.mu.Lock()
	m = h.matches[id]
	if m != nil {
		defer h.mu.Unlock()
		return m, h.addReaderLocked(m), nil
	}
	h.mu.Unlock()
	return h.followSelected(ctx, func(own *session.Session) error { return own.Watch(id) })
}

// FollowFeatured returns the featured match. It is a match of two bots while no one else fires.
func (h *Hub) FollowFeatured(ctx context.Context) (m *Match, release func(), err error) {
	m, release, err = h.followSelected(ctx, func(own *session.Session) error { return own.FindAndWatch(lobby.FeaturedMatch) })
	if err == nil && m.Snapshot().Running.Private {
		release()
		return nil, nil, ErrNoMatch
	}
	return m, release, err
}

// followSelected follows the match that watch selects in a new session, unless it is followed already.
func (h *Hub) followSelected(ctx context.Context, selectMatch func(*session.Session) error) (*Match, func(), error) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	own, err := h.OpenSession(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("open a session: %w", err)
	}
	err = selectMatch(own)
	about := own.State().Watching
	if errors.Is(err, lobby.ErrNoMatch) || err == nil && about == nil {
		err = ErrNoMatch
	}
	if err != nil {
		own.Close()
		return nil, nil, err
	}
	m := &Match{Stream: newStream(), hub: h, id: about.ID, session: own, running: ReplaceGuestNames(*about, "")}
	_, err = m.publishNext(ctx)
	if err != nil {
		own.Close()
		return nil, nil, err
	}
	return h.addMatch(m)
}

// addMatch follows a match that has a view, unless another caller has added it.
func (h *Hub) addMatch(m *Match) (*Match, func(), error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.matches[m.id]
	if known != nil {
		m.session.Close()
		return known, h.addReaderLocked(known), nil
	}
	if h.ctx.Err() != nil || len(h.matches) >= maxMatches {
		m.session.Close()
		return nil, nil, ErrBusy
	}
	ctx, cancel := context.WithCancel(h.ctx)
	m.cancel = cancel
	h.matches[m.id] = m
	h.goroutines.Go(func() {
		m.publishUpdates(ctx)
		h.removeMatch(m)
	})
	return m, h.addReaderLocked(m), nil
}

// addReaderLocked adds a reader to a match and returns the function that removes it. After the last one, the match
// is followed for a while, because readers come back.
func (h *Hub) addReaderLocked(m *Match) (release func()) {
	m.readers++
	if m.linger != nil {
		m.linger.Stop()
	}
	return sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		m.readers--
		if m.readers == 0 && h.matches[m.id] == m {
			m.linger = time.AfterFunc(lingerTime, m.cancel)
		}
	})
}

func (h *Hub) removeMatch(m *Match) {
	m.cancel()
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.matches, m.id)
	if m.linger != nil {
		m.linger.Stop()
	}
}

// listInterval is the interval at which [Hub.FollowAll] reads the list of matches.
const listInterval = time.Second

// maxListed is the maximum number of matches whose events are in the feed of all matches.
const maxListed = 200

// FollowAll returns the events of all public matches, as [MatchEvent] values. The caller must call
// release when it has read enough.
func (h *Hub) FollowAll() (s *Stream, release func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.allReaders++
	if h.allReaders == 1 && h.ctx.Err() == nil {
		ctx, cancel := context.WithCancel(h.ctx)
		h.stopFollowingAll = cancel
		h.goroutines.Go(func() { h.followAllMatches(ctx) })
	}
	return h.allEvents, sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.allReaders--; h.allReaders == 0 && h.stopFollowingAll != nil {
			h.stopFollowingAll()
		}
	})
}

// followAllMatches follows all public matches until ctx ends.
func (h *Hub) followAllMatches(ctx context.Context) {
	own, err := h.OpenSession(ctx)
	if err != nil {
		h.log.Warn("cannot list matches for the event feed", "error", err)
		return
	}
	defer own.Close()
	held := map[string]func(){}
	defer func() {
		for _, release := range held {
			release()
		}
	}()
	for ctx.Err() == nil {
		running := own.RunningMatches()
		running = running[:min(len(running), maxListed)]
		for _, r := range running {
			if held[r.ID] == nil {
				if _, release, err := h.FollowMatch(ctx, r.ID); err == nil {
					held[r.ID] = release
				}
			}
		}
		for id, release := range held {
			if !slices.ContainsFunc(running, func(r lobby.RunningMatch) bool { return r.ID == id }) {
				release()
				delete(held, id)
			}
		}
		select {
		case <-time.After(listInterval):
		case <-ctx.Done():
		}
	}
}

// MatchEvent is an event with the ID of its match.
type MatchEvent struct {
	Match string `json:"match"`
	match.EncodedEvent
}

// publishToAll publishes a public match's events to those who read the events of all matches.
func (h *Hub) publishToAll(m *Match, events []Event) {
	if m.running.Private {
		return
	}
	h.mu.Lock()
	wanted := h.allReaders > 0
	h.mu.Unlock()
	if !wanted {
		return
	}
	var published []Event
	if !m.announced {
		m.announced = true
		published = append(published, Event{Data: export.NewRunningMatch(m.running, &m.view)})
	}
	for _, e := range events {
		if x, ok := e.Data.(match.EncodedEvent); ok {
			published = append(published, Event{Data: MatchEvent{m.id, x}})
		}
	}
	h.allEvents.publish(published...)
}
