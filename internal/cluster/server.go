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

	"broadside/internal/session"
)

const (
	maxStrangers = 128              // connections that are not authenticated yet
	sessionGrace = 10 * time.Second // how long sessions outlast their gateway's connection
)

// Host opens sessions in the lobby of this node: a [session.Lobby].
type Host interface {
	session.Host
	Follow() (snapshots <-chan *session.Snapshot, stop func())
}

// server is the active node's end of the connections to gateways. It opens their sessions
// in this node's lobby.
type server struct {
	cfg    Config
	active *Active
	host   Host
	since  time.Time
	ctx    context.Context // ends when the server is closed
	cancel context.CancelFunc
	done   sync.WaitGroup
	warn   rate.Sometimes

	mu        sync.Mutex // guards the fields below; hosted.mu may be locked while it is held
	strangers []net.Conn
	serial    int // of the newest connection
	sessions  map[sessionID]*hosted
	nodes     map[string]report // by the ID of the gateway
	snapshot  *session.Snapshot // the newest one of the lobby; nil: none yet
	followers map[*conn]bool    // gateways that get snapshots
}

// report is a node's status.
type report struct {
	conn   *conn
	status json.RawMessage
}

type sessionID struct {
	gateway string
	number  uint64
}

// newServer returns a server that accepts gateways on ln during one period in which this
// node is active.
func newServer(cfg Config, ln net.Listener, active *Active, host Host) *server {
	s := &server{
		cfg: cfg.withDefaults(), active: active, host: host, since: time.Now(),
		warn:     rate.Sometimes{First: 1, Interval: time.Minute},
		sessions: map[sessionID]*hosted{}, nodes: map[string]report{}, followers: map[*conn]bool{},
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	context.AfterFunc(s.ctx, func() { ln.Close() })
	s.done.Go(func() { s.accept(ln) })
	s.done.Go(s.followLobby)
	return s
}

// close closes the listener and all connections, and returns once no goroutine uses the
// lobby. Sessions keep their seats, because the matches continue on the next active node.
func (s *server) close() {
	s.cancel()
	s.done.Wait()
}

func (s *server) followLobby() {
	snapshots, stop := s.host.Follow()
	defer stop()
	for {
		select {
		case n := <-snapshots:
			s.mu.Lock()
			s.snapshot = n
			followed := len(s.followers) > 0
			s.mu.Unlock()
			if followed {
				s.publish(n)
			}
		case <-s.ctx.Done():
			return
		}
	}
}

// publish sends a lobby snapshot to the gateways, unless there is a newer one. It is
// encoded once for all of them.
func (s *server) publish(n *session.Snapshot) {
	b, err := json.Marshal(n)
	if err != nil || len(b) > MaxPayload {
		s.cfg.Log.Error("cannot send the lobby to gateways", "bytes", len(b), "error", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.followers {
		if n == s.snapshot {
			c.sendLobby(b)
		}
	}
}

// follow sends lobby snapshots to a gateway until it is disconnected.
func (s *server) follow(c *conn) {
	s.mu.Lock()
	s.followers[c] = true
	n := s.snapshot
	s.mu.Unlock()
	if n != nil {
		s.publish(n)
	}
}

func (s *server) accept(ln net.Listener) {
	for {
		raw, err := ln.Accept()
		if err != nil && s.ctx.Err() != nil {
			return
		}
		if err != nil { // for example, no file descriptors are left
			s.warn.Do(func() { s.cfg.Log.Warn("cannot accept gateways", "error", err) })
			sleep(s.ctx, 10*time.Millisecond)
			continue
		}
		s.mu.Lock()
		if len(s.strangers) == maxStrangers { // replace the oldest connection
			s.strangers[0].Close()
			s.strangers = slices.Delete(s.strangers, 0, 1)
		}
		s.strangers = append(s.strangers, raw)
		s.mu.Unlock()
		s.done.Go(func() { s.serve(raw) })
	}
}

// serve serves a connection until it ends. Its sessions may outlast it.
func (s *server) serve(raw net.Conn) {
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
	err = c.run(s.ctx, func(f frame) error { return s.receive(c, f) })
	s.cfg.Log.Info("a gateway is disconnected", "from", raw.RemoteAddr(), "error", err)
	s.expire(c)
}

// handshake performs mutual authentication and exchanges hellos.
func (s *server) handshake(raw net.Conn) (*conn, error) {
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

// expire closes the sessions of an ended connection and removes its node, unless the
// gateway reconnects within sessionGrace. Time in which this node may not answer does not
// count.
func (s *server) expire(c *conn) {
	for wait := true; wait; wait = !s.active.mayAnswer() && s.ctx.Err() == nil {
		sleep(s.ctx, sessionGrace)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.followers, c)
	if s.nodes[c.gateway].conn == c {
		delete(s.nodes, c.gateway)
	}
	for _, x := range s.sessions {
		x.leave(c)
	}
}

// receive handles a frame.
func (s *server) receive(c *conn, f frame) error {
	switch {
	case s.ctx.Err() != nil:
		return nil
	case f.kind == kindBeat:
		s.recordHeartbeat(c, f.payload)
		return nil
	case f.kind == kindLobby:
		s.follow(c)
		return nil
	case f.kind == kindOpen:
		return s.open(c, f)
	case f.kind < kindOpen || f.kind > kindClose:
		return errFrame
	}
	s.mu.Lock()
	x := s.sessions[sessionID{c.gateway, f.session}]
	s.mu.Unlock()
	if x == nil {
		return nil
	}
	return x.receive(c, f)
}

// recordHeartbeat records a node's status and sends the status of all nodes.
func (s *server) recordHeartbeat(c *conn, status []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if string(status) == farewell {
		c.leaving = true
		delete(s.nodes, c.gateway)
	}
	if c.leaving || !json.Valid(status) { // for example, empty
		return
	}
	s.nodes[c.gateway] = report{c, status}
	all := make([]NodeInfo, 0, len(s.nodes))
	for id, r := range s.nodes {
		all = append(all, NodeInfo{id, r.status})
	}
	slices.SortFunc(all, func(a, b NodeInfo) int { return strings.Compare(a.ID, b.ID) })
	b, _ := json.Marshal(all) // cannot fail for valid JSON
	c.send(frame{kind: kindBeat, payload: b})
}

// open opens a session, or attaches an existing session with the same ID to the
// connection.
func (s *server) open(c *conn, f frame) error {
	id := sessionID{c.gateway, f.session}
	s.mu.Lock()
	defer s.mu.Unlock()
	former := s.sessions[id]
	if former != nil && !former.isOver() {
		return former.attach(c, f.number)
	}
	x := newHosted(s, id, c, f.number)
	s.sessions[id] = x
	s.done.Go(func() { x.open(f.payload, former) })
	return nil
}

// count returns the number of sessions.
func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions)
}
