package feed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
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
	host   *session.Host
	log    *slog.Logger
	ctx    context.Context // ends when the hub is closed
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu       sync.Mutex
	closed   bool              // guarded by mu, like the fields below
	matches  map[string]*Match // followed matches by ID
	sessions uint64            // number of sessions so far
	all      *Stream           // the events of all public matches
	readers  int               // of all
	stopAll  context.CancelFunc
}

// NewHub returns a hub that watches matches in sessions of a host.
func NewHub(host *session.Host, log *slog.Logger) *Hub {
	ctx, cancel := context.WithCancel(context.Background())
	return &Hub{host: host, log: log, ctx: ctx, cancel: cancel, matches: map[string]*Match{}, all: newStream()}
}

// Close stops following matches.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.cancel()
	h.work.Wait()
	h.all.end()
}

// Open opens a session for a query or a spectator. The lobby does not list it.
func (h *Hub) Open(ctx context.Context) (*session.Session, error) {
	h.mu.Lock()
	h.sessions++
	n := h.sessions
	h.mu.Unlock()
	return h.host.Open(ctx, session.Client{Name: "web", Conn: "w" + strconv.FormatUint(n, 10), Unlisted: true})
}

// Match returns a running match by its ID. The caller must call release when it has read
// enough. Until then, the match is followed.
func (h *Hub) Match(ctx context.Context, id string) (m *Match, release func(), err error) {
	return h.find(ctx, h.followed(id), func(own *session.Session) error { return own.Watch(id) })
}

// Featured returns the featured match. It is a match of two bots while no one else fires.
func (h *Hub) Featured(ctx context.Context) (m *Match, release func(), err error) {
	m, release, err = h.find(ctx, nil, func(own *session.Session) error { return own.WatchBy(lobby.Featured) })
	if err == nil && m.Snapshot().About.Private {
		release()
		return nil, nil, ErrNoMatch
	}
	return m, release, err
}

// followed returns the match with an ID and adds a reader, or nil if it is not followed.
func (h *Hub) followed(id string) *Match {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := h.matches[id]
	h.holdLocked(m)
	return m
}

func (h *Hub) holdLocked(m *Match) {
	if m == nil {
		return
	}
	m.readers++
	if m.linger != nil {
		m.linger.Stop()
		m.linger = nil
	}
}

// find waits for a match that is followed or, if m is nil, begins to follow one in a new
// session.
func (h *Hub) find(ctx context.Context, m *Match, watch func(*session.Session) error) (*Match, func(), error) {
	if m != nil {
		return h.await(ctx, m)
	}
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	own, err := h.Open(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("opening a session: %w", err)
	}
	if err := watch(own); err != nil {
		own.Close()
		if errors.Is(err, lobby.ErrNoMatch) {
			err = ErrNoMatch
		}
		return nil, nil, err
	}
	m, err = h.add(own)
	if err != nil {
		own.Close()
		return nil, nil, err
	}
	return h.await(ctx, m)
}

// add follows the match that a session watches, unless it is followed already.
func (h *Hub) add(own *session.Session) (*Match, error) {
	about := own.State().Watching
	if about == nil {
		return nil, ErrNoMatch
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if m := h.matches[about.ID]; m != nil {
		own.Close()
		h.holdLocked(m)
		return m, nil
	}
	if h.closed || len(h.matches) >= maxMatches {
		return nil, ErrBusy
	}
	m := &Match{Stream: newStream(), hub: h, id: about.ID, own: own, about: PublicRunning(*about, ""), ready: make(chan struct{}), done: make(chan struct{}), readers: 1}
	h.matches[m.id] = m
	ctx, cancel := context.WithCancel(h.ctx)
	m.cancel = cancel
	h.work.Go(func() {
		defer h.remove(m)
		m.follow(ctx)
	})
	return m, nil
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

// await waits until there is a view of a match that the caller holds.
func (h *Hub) await(ctx context.Context, m *Match) (*Match, func(), error) {
	var once sync.Once
	release := func() { once.Do(func() { h.release(m) }) }
	select {
	case <-m.ready:
		return m, release, nil
	case <-m.done:
		select {
		case <-m.ready:
			return m, release, nil
		default:
		}
		release()
		return nil, nil, ErrNoMatch
	case <-ctx.Done():
		release()
		return nil, nil, ctx.Err()
	}
}

// release removes a reader. After the last one, the match is followed for a while, because
// readers come back.
func (h *Hub) release(m *Match) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m.readers--
	if m.readers == 0 && h.matches[m.id] == m {
		m.linger = time.AfterFunc(lingerTime, m.cancel)
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
	if h.readers == 1 && !h.closed {
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
	held := map[string]func(){}
	defer func() {
		for _, release := range held {
			release()
		}
	}()
	for {
		running, err := h.running(ctx)
		if err != nil && ctx.Err() == nil {
			h.log.Debug("cannot list matches for the event feed", "error", err)
		}
		now := map[string]bool{}
		for _, r := range running[:min(len(running), allMatches)] {
			now[r.ID] = true
			if held[r.ID] == nil {
				if _, release, err := h.Match(ctx, r.ID); err == nil {
					held[r.ID] = release
				}
			}
		}
		for id, release := range held {
			if !now[id] && err == nil {
				release()
				delete(held, id)
			}
		}
		select {
		case <-time.After(allPause):
		case <-ctx.Done():
			return
		}
	}
}

// running lists the running matches.
func (h *Hub) running(ctx context.Context) ([]lobby.Running, error) {
	own, err := h.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer own.Close()
	return own.Matches(), nil
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
		told = append(told, Event{Data: export.BegunOf(m.about, &m.view)})
	}
	for _, e := range events {
		if x, ok := e.Data.(match.EncodedEvent); ok {
			told = append(told, Event{Data: Told{m.id, x}})
		}
	}
	h.all.publish(told...)
}
