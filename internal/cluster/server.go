package cluster

import (
	"context"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	maxStrangers = 128              // connections that have not proved yet that they have the key
	sessionGrace = 10 * time.Second // how long sessions outlast the connection of their gateway
	idleTime     = time.Second      // how long a goroutine that carries out actions waits for another
)

// Handler creates what the sessions of gateways use on the active node.
type Handler interface {
	// Open opens a session, or refuses it by returning nil; the gateway then gets the
	// refusal. It must not block. [Session.Opened] or [Session.End] follows. After a
	// failover, Open is called for the sessions that the previous active node had.
	Open(s *Session, hello []byte) (source Source, refusal []byte)
}

// Source is one session on the active node.
type Source interface {
	// Take returns the next update, or nil if there is none. It must not block.
	Take() []byte
	// Act executes an action and returns its result. It is called for one action at
	// a time. Numbers increase and no number comes twice, but if repeated is set, the
	// previous active node may have executed the action; the source must then not
	// count it again. Act may block until ctx ends.
	Act(ctx context.Context, action []byte, repeated bool) []byte
	// Closed is called once the session is over: closed by the gateway, ended by
	// [Session.End], or not attached for too long. Act may still be running.
	Closed()
}

// Server is the active node's end of the connections to gateways.
type Server struct {
	cfg     Config
	active  *Active
	handler Handler
	ctx     context.Context
	cancel  context.CancelFunc
	done    sync.WaitGroup
	warn    rate.Sometimes
	jobs    chan func() // for idle goroutines

	mu        sync.Mutex // guards all below; never held across I/O or calls to the handler
	strangers []net.Conn
	serial    int // of the newest connection
	sessions  map[sessionID]*Session
	nodes     map[string]report // by the ID of the gateway
}

// report is what a node has told about itself.
type report struct {
	conn   *conn
	status json.RawMessage
}

type sessionID struct {
	gateway string
	number  uint64
}

// Session is the active node's end of a session. Its methods may be called from
// any goroutine, also with locks held, and never block.
type Session struct {
	server *Server
	id     sessionID

	// The rest is guarded by server.mu.
	conn    *conn // where it is, or was, attached
	source  Source
	opened  bool    // see [Session.Opened]
	sent    []frame // updates that the gateway has not taken
	last    uint64  // number of the newest update
	changed bool    // since the last update
	taking  bool    // the source is asked for an update
	queued  bool    // in conn.changed
	over    bool
	acting  bool   // the newest action has no reply yet
	acted   uint64 // number of the newest action
	reply   []byte // to that
}

// NewServer returns a server that accepts gateways on ln during one period of
// this node being active.
func NewServer(cfg Config, ln net.Listener, active *Active, handler Handler) *Server {
	s := &Server{
		cfg: cfg.withDefaults(), active: active, handler: handler,
		warn: rate.Sometimes{First: 1, Interval: time.Minute}, jobs: make(chan func()), sessions: map[sessionID]*Session{}, nodes: map[string]report{},
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	context.AfterFunc(s.ctx, func() { ln.Close() })
	s.done.Go(func() { s.accept(ln) })
	return s
}

// stop closes the listener and all connections, but no sessions.
func (s *Server) stop() { s.cancel() }

// Close closes the listener, all connections and all sessions, and waits until
// nothing runs.
func (s *Server) Close() {
	s.mu.Lock()
	s.cancel()
	for _, x := range s.sessions {
		s.closeLocked(x)
	}
	s.mu.Unlock()
	s.done.Wait()
}

func (s *Server) accept(ln net.Listener) {
	for {
		raw, err := ln.Accept()
		if err != nil && s.ctx.Err() != nil {
			return
		}
		if err != nil { // such as when there are no file descriptors
			s.warn.Do(func() { s.cfg.Log.Warn("cannot accept gateways", "error", err) })
			sleep(s.ctx, 10*time.Millisecond)
			continue
		}
		s.mu.Lock()
		if len(s.strangers) == maxStrangers { // the oldest one makes room
			s.strangers[0].Close()
			s.strangers = slices.Delete(s.strangers, 0, 1)
		}
		s.strangers = append(s.strangers, raw)
		s.mu.Unlock()
		s.done.Go(func() { s.serve(raw) })
	}
}

// serve serves one connection until it ends, and its sessions for longer.
func (s *Server) serve(raw net.Conn) {
	defer context.AfterFunc(s.ctx, func() { raw.Close() })()
	c, err := s.handshake(raw)
	s.mu.Lock()
	s.strangers = slices.DeleteFunc(s.strangers, func(c net.Conn) bool { return c == raw })
	s.serial++
	c.serial = s.serial
	s.mu.Unlock()
	if err != nil {
		raw.Close()
		s.warn.Do(func() {
			s.cfg.Log.Warn("refused a connection to the internal port", "from", raw.RemoteAddr(), "error", err)
		})
		return
	}
	s.cfg.Log.Info("a gateway is connected", "from", raw.RemoteAddr())
	err = c.run(s.ctx, func(f frame) error { return s.receive(c, f) }, func() (frame, bool) { return s.next(c) })
	s.cfg.Log.Info("a gateway is disconnected", "from", raw.RemoteAddr(), "error", err)
	s.expire(c)
}

// handshake proves both ends to each other and exchanges hellos.
func (s *Server) handshake(raw net.Conn) (*conn, error) {
	ctx, cancel := context.WithTimeout(s.ctx, handshakeTimeout)
	defer cancel()
	c := newConn(tls.Server(raw, s.cfg.TLS), s.active)
	if err := c.HandshakeContext(ctx); err != nil {
		return c, err
	}
	if !s.active.mayAnswer() {
		return c, errors.New("this node may not answer now")
	}
	hello, err := c.greet(s.cfg.version, nil)
	c.gateway = hex.EncodeToString(hello.payload)
	return c, err
}

// expire closes the sessions of a connection that has ended, and forgets its node,
// unless the gateway connects again soon. The time in which this node may not answer
// does not count.
func (s *Server) expire(c *conn) {
	for wait := true; wait; wait = !s.active.mayAnswer() && s.ctx.Err() == nil {
		sleep(s.ctx, sessionGrace)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil { // Close does it
		return
	}
	if s.nodes[c.gateway].conn == c {
		delete(s.nodes, c.gateway)
	}
	for _, x := range s.sessions {
		if x.conn == c {
			s.closeLocked(x)
		}
	}
}

// statusesLocked returns what all nodes have told about themselves, as JSON.
func (s *Server) statusesLocked() []byte {
	all := make([]NodeInfo, 0, len(s.nodes))
	for id, r := range s.nodes {
		all = append(all, NodeInfo{id, r.status})
	}
	slices.SortFunc(all, func(a, b NodeInfo) int { return strings.Compare(a.ID, b.ID) })
	b, _ := json.Marshal(all) // of valid JSON
	return b
}

// receive takes in a frame.
func (s *Server) receive(c *conn, f frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.sessions[sessionID{c.gateway, f.session}]
	switch {
	case s.ctx.Err() != nil:
	case f.kind == kindBeat && string(f.payload) == farewell:
		delete(s.nodes, c.gateway)
	case f.kind == kindBeat && json.Valid(f.payload):
		s.nodes[c.gateway] = report{c, f.payload}
		c.send(frame{kind: kindBeat, payload: s.statusesLocked()})
	case f.kind == kindBeat:
	case f.kind == kindOpen:
		if x != nil && (x.conn.serial >= c.serial || x.source == nil) { // not opened yet: try again later
			return errFrame
		}
		s.attachLocked(c, x, f)
	case f.kind < kindOpen || f.kind > kindClose:
		return errFrame
	case x == nil || x.conn != c: // it was closed here, or attached elsewhere, meanwhile
	case f.kind == kindClose:
		s.closeLocked(x)
	case f.kind == kindTaken:
		x.sent = slices.DeleteFunc(x.sent, func(u frame) bool { return u.number <= f.number })
		s.queueLocked(x)
	case f.number == x.acted && !x.acting: // sent again, because the reply was lost
		c.send(frame{kind: kindReply, session: f.session, number: f.number, payload: x.reply})
	case f.number == x.acted: // sent again; the reply follows
	case f.number < x.acted || x.acting:
		return errFrame
	default:
		x.acted, x.acting, x.reply = f.number, true, nil
		s.work(func() { s.act(x, f) })
	}
	return nil
}

// work runs f on a goroutine that has run others, if one is free: its stack has grown
// already.
func (s *Server) work(f func()) {
	select {
	case s.jobs <- f:
		return
	default:
	}
	s.done.Go(func() {
		for f != nil {
			f()
			select {
			case f = <-s.jobs:
			case <-time.After(idleTime):
				f = nil
			case <-s.ctx.Done():
				f = nil
			}
		}
	})
}

// attachLocked attaches a session, which is nil if it is new, to a connection.
func (s *Server) attachLocked(c *conn, x *Session, f frame) {
	if x == nil {
		x = &Session{server: s, id: sessionID{c.gateway, f.session}, conn: c, last: f.number}
		s.sessions[x.id] = x
		s.mu.Unlock()
		source, refusal := s.handler.Open(x, f.payload)
		s.mu.Lock()
		x.source = source
		switch {
		case source == nil:
			s.endLocked(x, refusal)
			return
		case x.over: // closed meanwhile
			s.done.Go(source.Closed)
		default:
			s.queueLocked(x)
		}
		return
	}
	x.conn, x.queued = c, false
	if x.opened {
		c.send(frame{kind: kindOpened, session: f.session})
		for _, u := range x.sent {
			if u.number > f.number { // it was lost
				c.send(u)
			}
		}
		s.queueLocked(x)
	}
}

func (s *Server) act(x *Session, f frame) {
	reply := x.source.Act(s.ctx, f.payload, f.kind == kindRepeat)
	if reply == nil {
		return
	}
	reply = s.fit(reply)
	s.mu.Lock()
	defer s.mu.Unlock()
	x.acting, x.reply = false, reply
	x.conn.send(frame{kind: kindReply, session: x.id.number, number: f.number, payload: reply})
}

// endLocked ends a session on behalf of this node.
func (s *Server) endLocked(x *Session, payload []byte) {
	if !x.over {
		x.conn.send(frame{kind: kindClose, session: x.id.number, payload: s.fit(payload)})
		s.closeLocked(x)
	}
}

// closeLocked removes a session.
func (s *Server) closeLocked(x *Session) {
	x.over = true
	delete(s.sessions, x.id)
	if x.source != nil {
		s.done.Go(x.source.Closed)
	}
}

// queueLocked has the source of a session asked for an update if it has changed
// and the gateway is ready for one.
func (s *Server) queueLocked(x *Session) {
	if x.changed && x.opened && x.source != nil && len(x.sent) < maxCredit && !x.queued && !x.taking && !x.over {
		x.queued = true
		x.conn.changed = append(x.conn.changed, x)
		wake(x.conn.wake)
	}
}

// next returns an update of a session that has changed, if there is one.
func (s *Server) next(c *conn) (frame, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(c.changed) > 0 {
		x := c.changed[0]
		c.changed = c.changed[1:]
		if x.conn != c || x.over {
			continue
		}
		x.queued, x.changed, x.taking = false, false, true
		s.mu.Unlock()
		payload := s.fit(x.source.Take())
		s.mu.Lock()
		x.taking = false
		if payload == nil {
			s.queueLocked(x)
			continue
		}
		x.last++
		f := frame{kind: kindUpdate, session: x.id.number, number: x.last, payload: payload}
		x.sent = append(x.sent, f)
		s.queueLocked(x)
		if x.conn == c {
			return f, true
		}
		x.conn.send(f) // it has been attached elsewhere meanwhile
	}
	return frame{}, false
}

// fit returns a payload, or nil if it is too large.
func (s *Server) fit(payload []byte) []byte {
	if len(payload) > MaxPayload {
		s.cfg.Log.Error("dropped a message to a gateway that is too large", "bytes", len(payload))
		return nil
	}
	return payload
}

// ID identifies the session among those of all gateways. It stays the same after
// a failover.
func (s *Session) ID() (gateway string, number uint64) { return s.id.gateway, s.id.number }

// Opened confirms the session to the gateway, which gets the payload; it must not
// be empty. Updates follow.
func (s *Session) Opened(payload []byte) {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.opened, s.changed = true, true; !s.over {
		s.conn.send(frame{kind: kindOpened, session: s.id.number, payload: s.server.fit(payload)})
		s.server.queueLocked(s)
	}
}

// Changed notes that the source has an update.
func (s *Session) Changed() {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.changed = true
	s.server.queueLocked(s)
}

// End ends the session; the gateway gets the payload. [Source.Closed] follows.
func (s *Session) End(payload []byte) {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.endLocked(s, payload)
}
