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
	maxMatches = 1000             // followed at once
	lingerTime = 20 * time.Second // how long a match without readers is followed
	openTime   = 10 * time.Second // to open a session and get the first view
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
	host     *session.Host
	log      *slog.Logger
	ctx      context.Context // ends when the hub is closed
	cancel   context.CancelFunc
	work     sync.WaitGroup
	sessions atomic.Uint64 // so far
	all      *Stream       // the events of all public matches

	mu      sync.Mutex
	matches map[string]*Match // guarded by mu, like the fields below: followed matches by ID
	readers int               // of all
	stopAll context.CancelFunc
}

// NewHub returns a hub that watches matches in sessions of a host.
func NewHub(host *session.Host, log *slog.Logger) *Hub {
	ctx, cancel := context.WithCancel(context.Background())
	return &Hub{host: host, log: log, ctx: ctx, cancel: cancel, matches: map[string]*Match{}, all: newStream()}
}

// Close stops following matches.
func (h *Hub) Close() {
	h.mu.Lock()
	h.cancel()
	h.mu.Unlock()
	h.work.Wait()
	h.all.end()
}

// Open opens a session for a query or a spectator. The lobby does not list it.
func (h *Hub) Open(ctx context.Context) (*session.Session, error) {
	conn := "w" + strconv.FormatUint(h.sessions.Add(1), 10)
	return h.host.Open(ctx, session.Client{Name: "web", Conn: conn, Unlisted: true})
}

// Match returns a running match by its ID. The caller must call release when it has read
// enough. Until then, the match is followed.
func (h *Hub) Match(ctx context.Context, id string) (m *Match, release func(), err error) {
	h.mu.Lock()
	m = h.matches[id]
	if m != nil {
		defer h.mu.Unlock()
		return m, h.holdLocked(m), nil
	}
	h.mu.Unlock()
	return h.follow(ctx, func(own *session.Session) error { return own.Watch(id) })
}

// Featured returns the featured match. It is a match of two bots while no one else fires.
func (h *Hub) Featured(ctx context.Context) (m *Match, release func(), err error) {
	m, release, err = h.follow(ctx, func(own *session.Session) error { return own.FindAndWatch(lobby.FeaturedMatch) })
	if err == nil && m.Snapshot().About.Private {
		release()
		return nil, nil, ErrNoMatch
	}
	return m, release, err
}

// follow follows the match that watch selects in a new session, unless it is followed already.
func (h *Hub) follow(ctx context.Context, watch func(*session.Session) error) (*Match, func(), error) {
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	own, err := h.Open(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("opening a session: %w", err)
	}
	err = watch(own)
	about := own.State().Watching
	if errors.Is(err, lobby.ErrNoMatch) || err == nil && about == nil {
		err = ErrNoMatch
	}
	if err != nil {
		own.Close()
		return nil, nil, err
	}
	m := &Match{Stream: newStream(), hub: h, id: about.ID, own: own, about: PublicRunning(*about, "")}
	_, err = m.next(ctx)
	if err != nil {
		own.Close()
		return nil, nil, err
	}
	return h.add(m)
}

// add follows a match that has a view, unless another caller has added it.
func (h *Hub) add(m *Match) (*Match, func(), error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.matches[m.id]
	if known != nil {
		m.own.Close()
		return known, h.holdLocked(known), nil
	}
	if h.ctx.Err() != nil || len(h.matches) >= maxMatches {
		m.own.Close()
		return nil, nil, ErrBusy
	}
	ctx, cancel := context.WithCancel(h.ctx)
	m.cancel = cancel
	h.matches[m.id] = m
	h.work.Go(func() {
		m.follow(ctx)
		h.remove(m)
	})
	return m, h.holdLocked(m), nil
}

// holdLocked adds a reader to a match and returns the function that removes it. After the last one, the match
// is followed for a while, because readers come back.
func (h *Hub) holdLocked(m *Match) (release func()) {
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

func (h *Hub) remove(m *Match) {
	m.cancel()
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.matches, m.id)
	if m.linger != nil {
		m.linger.Stop()
	}
}

// allPause is the interval at which [Hub.All] reads the list of matches.
const allPause = time.Second

// allMatches is the number of matches in the feed of all matches.
const allMatches = 200

// All returns the feed of all public matches, with the ID of each event's match. The caller
// must call release when it has read enough.
func (h *Hub) All() (s *Stream, release func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.readers++
	if h.readers == 1 && h.ctx.Err() == nil {
		ctx, cancel := context.WithCancel(h.ctx)
		h.stopAll = cancel
		h.work.Go(func() { h.followAll(ctx) })
	}
	return h.all, sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.readers--; h.readers == 0 && h.stopAll != nil {
			h.stopAll()
		}
	})
}

// followAll follows all public matches until ctx ends.
func (h *Hub) followAll(ctx context.Context) {
	own, err := h.Open(ctx)
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
		running = running[:min(len(running), allMatches)]
		for _, r := range running {
			if held[r.ID] == nil {
				if _, release, err := h.Match(ctx, r.ID); err == nil {
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
		case <-time.After(allPause):
		case <-ctx.Done():
		}
	}
}

// Told is an event of the feed of all matches.
type Told struct {
	Match string `json:"match"`
	match.EncodedEvent
}

// announce publishes the events of a public match to the readers of all matches.
func (h *Hub) announce(m *Match, events []Event) {
	if m.about.Private {
		return
	}
	h.mu.Lock()
	wanted := h.readers > 0
	h.mu.Unlock()
	if !wanted {
		return
	}
	var told []Event
	if !m.announced {
		m.announced = true
		told = append(told, Event{Data: export.NewRunningMatch(m.about, &m.view)})
	}
	for _, e := range events {
		if x, ok := e.Data.(match.EncodedEvent); ok {
			told = append(told, Event{Data: Told{m.id, x}})
		}
	}
	h.all.publish(told...)
}
