package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"broadside/internal/session"
)

const (
	actTime = 10 * time.Second // for one action, which may wait for the database
	// settleTime is how long a new active node waits for players in matches before
	// it looks for matches that have begun without their players being told.
	settleTime = time.Second
)

// Host opens sessions in the lobby of this node: a [session.Lobby].
type Host interface {
	session.Host
	Follow() (news <-chan *session.Snapshot, stop func())
}

// Service opens the sessions of gateways in the lobby of the active node. It
// implements [Handler].
type Service struct {
	cfg      Config
	host     Host
	active   *Active
	ctx      context.Context
	cancel   context.CancelFunc
	since    time.Time
	versions atomic.Uint64 // of states

	mu      sync.Mutex // guards all below
	closed  bool
	work    sync.WaitGroup // Add needs mu
	sources map[sessionID]*source
	newest  *session.Snapshot         // of the lobby
	lobby   []byte                    // that as JSON; nil: no gateway has asked for it yet
	lobbies map[*lobbySource]struct{} // gateways that get snapshots
}

// NewService returns a service for one period of this node being active.
func NewService(cfg Config, host Host, active *Active) *Service {
	s := &Service{
		cfg: cfg.withDefaults(), host: host, active: active, since: time.Now(),
		sources: map[sessionID]*source{}, lobbies: map[*lobbySource]struct{}{},
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.versions.Store(uint64(active.current().epoch) << 32) // states of this node are newer than those of former ones
	s.work.Go(s.follow)
	return s
}

// Close stops using the lobby, and returns once nothing uses it. Sessions do
// not leave their seats: the matches continue at the next active node.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	s.cancel()
	s.mu.Unlock()
	s.work.Wait()
}

// begin reports whether the lobby may be used. If so, work.Done must follow.
func (s *Service) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.work.Add(1)
	}
	return !s.closed
}

// start runs f, unless the service is closed.
func (s *Service) start(f func()) bool {
	if !s.begin() {
		return false
	}
	go func() {
		defer s.work.Done()
		f()
	}()
	return true
}

// follow tells the gateways of new lobby snapshots.
func (s *Service) follow() {
	news, stop := s.host.Follow()
	defer stop()
	for {
		select {
		case n := <-news:
			s.mu.Lock()
			s.newest, s.lobby = n, nil
			for l := range s.lobbies {
				l.session.Changed()
			}
			s.mu.Unlock()
		case <-s.ctx.Done():
			return
		}
	}
}

// lobbySource is the session over which a gateway gets lobby snapshots.
type lobbySource struct {
	service *Service
	session *Session
	taken   *session.Snapshot // guarded by service.mu
}

// Take implements [Source].
func (l *lobbySource) Take() []byte {
	l.service.mu.Lock()
	defer l.service.mu.Unlock()
	s := l.service
	if l.taken == s.newest {
		return nil
	}
	l.taken = s.newest
	if s.lobby == nil {
		var err error
		if s.lobby, err = json.Marshal(s.newest); err != nil {
			s.cfg.Log.Error("cannot encode the lobby", "error", err)
		}
	}
	return s.lobby
}

// Act implements [Source].
func (l *lobbySource) Act(context.Context, []byte, bool) []byte { return nil }

// Closed implements [Source].
func (l *lobbySource) Closed() {
	l.service.mu.Lock()
	defer l.service.mu.Unlock()
	delete(l.service.lobbies, l)
}

// Open implements [Handler].
func (s *Service) Open(x *Session, hello []byte) (Source, []byte) {
	if string(hello) == lobbyHello {
		l := &lobbySource{service: s, session: x}
		s.mu.Lock()
		s.lobbies[l] = struct{}{}
		s.mu.Unlock()
		x.Opened(hello)
		return l, nil
	}
	src := &source{service: s, session: x, ready: make(chan struct{}), taken: make(chan struct{}, 1), done: make(chan struct{})}
	if err := json.Unmarshal(hello, &src.client); err != nil {
		return nil, session.EncodeError(errFrame)
	}
	src.ctx, src.cancel = context.WithCancel(s.ctx)
	s.mu.Lock()
	former := s.sources[x.id]
	s.sources[x.id] = src
	s.mu.Unlock()
	x.server.work(func() { src.open(former) })
	return src, nil
}

// served is a session in the lobby of this node.
type served interface {
	session.Session
	HasDone(ctx context.Context, a session.Action, seen [2]int) bool
}

// source is a session of a gateway. It hands over one update at a time, so that
// updates that nobody reads wait where they replace each other.
type source struct {
	service *Service
	session *Session
	client  session.Client
	ctx     context.Context // ends with the session
	cancel  context.CancelFunc
	ready   chan struct{} // closed when local is set
	local   served
	taken   chan struct{} // capacity 1: next was taken
	done    chan struct{} // closed when run ends

	mu      sync.Mutex     // guards all below
	next    session.Update // to take; without a kind: none
	state   session.State
	hasChat bool
	version uint64            // of state
	sent    [2]uint64         // the versions in the last update and the last reply
	heard   [2][]session.Line // the chats as they were sent last
	chatted string            // the match of that chat
}

// What a message is; see [source.sent].
const (
	asUpdate = iota
	asReply
)

// open opens the session once a former one with its ID has ended.
func (s *source) open(former *source) {
	defer s.recover(s.end)
	if former != nil {
		<-former.done
	}
	if !s.service.begin() {
		s.remove()
		return
	}
	defer s.service.work.Done()
	if h := s.client.Previous; h != nil && h.Match == nil && h.Me.Account != "" {
		sleep(s.ctx, time.Until(s.service.since.Add(settleTime)))
	}
	s.client.Remote = true
	opened, err := s.service.host.Open(s.ctx, s.client)
	if err == nil {
		s.local = opened.(served)
		close(s.ready)
		s.session.Opened(s.encode(message{HasStore: s.local.HasStore()}, asUpdate))
		if s.service.start(s.run) {
			return
		}
	}
	s.end(err)
}

// run waits for updates. Thousands of goroutines are in it, so it needs little stack:
// [source.Take] encodes.
func (s *source) run() {
	defer s.recover(s.end)
	for {
		u, err := s.local.Next(s.ctx)
		if err != nil {
			s.end(err)
			return
		}
		s.mu.Lock()
		s.next = u
		s.mu.Unlock()
		s.session.Changed()
		select {
		case <-s.taken:
		case <-s.ctx.Done():
		}
	}
}

// recover must be deferred around calls into the lobby. After a panic it ends the
// session: a fault costs one player their session, and nobody else anything.
func (s *source) recover(end func(error)) {
	if p := recover(); p != nil {
		s.service.cfg.Log.Error("session failed", "player", s.client.Name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		end(errFailed)
	}
}

// end ends the session, and its place in the lobby unless the matches continue
// elsewhere.
func (s *source) end(err error) {
	if s.ctx.Err() == nil {
		s.session.End(session.EncodeError(err))
	}
	if s.local != nil && s.service.ctx.Err() == nil {
		s.local.Close()
	}
	s.remove()
}

// remove forgets the session.
func (s *source) remove() {
	s.cancel()
	close(s.done)
	s.service.mu.Lock()
	defer s.service.mu.Unlock()
	if id := s.session.id; s.service.sources[id] == s {
		delete(s.service.sources, id)
	}
}

// encode encodes a message, with the state if it is new.
func (s *source) encode(m message, as int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.encodeLocked(m, as)
}

func (s *source) encodeLocked(m message, as int) []byte {
	now, hasChat := s.local.State(), s.local.HasChat()
	now.Lobby = nil
	if now != s.state || hasChat != s.hasChat || s.version == 0 {
		s.state, s.hasChat, s.version = now, hasChat, s.service.versions.Add(1)
	}
	if s.sent[as] != s.version {
		s.sent[as] = s.version
		m.State, m.HasChat, m.Version = now.Encode(), hasChat, s.version
	}
	b, err := json.Marshal(m)
	if err != nil {
		s.service.cfg.Log.Error("cannot encode a session", "error", err)
	}
	return b
}

// shortenLocked leaves out the lines of a chat that the gateway has, and returns how
// many of the last lines it has are still there.
func (s *source) shortenLocked(u *session.Update) (kept int) {
	if u.Kind != session.ChatChanged {
		return 0
	}
	before := s.heard[u.Room]
	if u.Room == session.InMatch && u.ID != s.chatted {
		before, s.chatted = nil, u.ID
	}
	s.heard[u.Room] = u.Lines
	same := func(a, b session.Line) bool { return a.Number == b.Number }
	for i := range before {
		if n := len(before) - i; n <= len(u.Lines) && slices.EqualFunc(before[i:], u.Lines[:n], same) {
			u.Lines = u.Lines[n:]
			return n
		}
	}
	return 0
}

// Take implements [Source].
func (s *source) Take() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.next
	if u.Kind == 0 {
		return nil
	}
	s.next = session.Update{}
	kept := s.shortenLocked(&u)
	b := s.encodeLocked(message{Update: u.Encode(), Kept: kept}, asUpdate)
	wake(s.taken)
	return b
}

// Act implements [Source].
func (s *source) Act(_ context.Context, action []byte, repeated bool) []byte {
	select {
	case <-s.ready:
	case <-s.ctx.Done():
		return nil
	}
	if !s.service.begin() {
		return nil
	}
	defer s.service.work.Done()
	defer s.recover(func(err error) { s.session.End(session.EncodeError(err)) })
	ctx, cancel := s.ctx, func() {} // a program waits until its action is done
	if s.client.Program == nil {
		ctx, cancel = context.WithTimeout(s.service.ctx, actTime)
	}
	defer cancel()
	var m message
	var err error
	if m.Answer, err = s.carryOut(ctx, action, repeated); err != nil {
		m.Err = session.EncodeError(err)
	}
	if s.service.ctx.Err() != nil { // it may not have been done: the next active node finds out
		return nil
	}
	return s.encode(m, asReply)
}

// carryOut carries out an action or answers a query.
func (s *source) carryOut(ctx context.Context, action []byte, repeated bool) (json.RawMessage, error) {
	o, err := decodeOrder(action)
	if err != nil {
		return nil, err
	}
	if o.query {
		q, err := session.DecodeQuery(o.data)
		if err != nil {
			return nil, err
		}
		a, err := q(ctx, s.local)
		b, encodeErr := json.Marshal(a)
		if encodeErr != nil {
			return nil, encodeErr
		}
		return b, err
	}
	a, err := session.DecodeAction(o.data)
	if err != nil || repeated && s.client.Previous != nil && s.local.HasDone(ctx, a, o.seen) {
		return nil, err
	}
	return nil, s.local.Do(ctx, a)
}

// Closed implements [Source].
func (s *source) Closed() { s.cancel() }
