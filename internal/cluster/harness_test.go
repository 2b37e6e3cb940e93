package cluster

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"
)

// testTLS returns the TLS settings of a service with a host key made from a letter.
func testTLS(t testing.TB, letter byte) *tls.Config {
	t.Helper()
	c, err := TLSConfig(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{letter}, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// active is an active node of a test: its handler and its server.
type active struct {
	server  *Server
	address string
	role    *Active

	mu      sync.Mutex
	sources map[string]*fakeSource // by hello
	busy    chan struct{}          // what opening a session "slow" waits for
}

// fakeSource is a session whose state is a text. Actions are executed when block is
// not held, and only the first one with a number counts.
type fakeSource struct {
	session *Session
	block   sync.Mutex

	mu       sync.Mutex
	state    string
	changed  bool
	taken    int
	acted    []string
	repeated int // actions that another node may have executed
	closed   int
}

func (a *active) setValid(valid bool) {
	until := time.Time{}
	if valid {
		until = time.Now().Add(1000 * time.Hour)
	}
	a.role.set(a.role.current(), until)
}

func newNode(t testing.TB, epoch int64) *active {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return newNodeOn(t, epoch, ln)
}

func newNodeOn(t testing.TB, epoch int64, ln net.Listener) *active {
	a := &active{address: ln.Addr().String(), sources: map[string]*fakeSource{}, role: newActive(fence{epoch: epoch})}
	a.setValid(true)
	a.server = NewServer(Config{TLS: testTLS(t, 'k')}, ln, a.role, a)
	t.Cleanup(a.server.Close)
	return a
}

func (a *active) Open(s *Session, hello []byte) (Source, []byte) {
	if string(hello) == "stranger" {
		return nil, []byte("who are you?")
	}
	if string(hello) == "slow to open" {
		<-a.busy
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	src := a.sources[string(hello)]
	if src == nil {
		src = &fakeSource{state: "new", changed: true}
		a.sources[string(hello)] = src
	}
	src.session = s
	s.Opened([]byte("opened"))
	return src, nil
}

func (a *active) source(t testing.TB, hello string) (s *fakeSource) {
	t.Helper()
	until(t, "for a session to be opened", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		s = a.sources[hello]
		return s != nil
	})
	return s
}

func (s *fakeSource) set(state string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.changed = state, true
	s.session.Changed()
}

func (s *fakeSource) Take() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.changed {
		return nil
	}
	s.changed = false
	s.taken++
	return []byte(s.state)
}

func (s *fakeSource) Act(_ context.Context, action []byte, repeated bool) []byte {
	s.block.Lock()
	defer s.block.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if repeated {
		s.repeated++
	}
	s.acted = append(s.acted, string(action))
	return append([]byte("did "), action...)
}

func (s *fakeSource) Closed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed++
}

func (s *fakeSource) get(f func() bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f()
}

// newGateway returns a gateway without an election: [follow] sets the active node.
func newGateway(t testing.TB, a *active) *Gateway {
	t.Helper()
	cfg := Config{TLS: testTLS(t, 'k')}.withDefaults()
	g := NewGateway(cfg, &Election{cfg: cfg, changed: make(chan struct{})})
	t.Cleanup(g.Close)
	if a != nil {
		follow(g, a.address, a.role.current().epoch)
	}
	return g
}

func follow(g *Gateway, address string, epoch int64) {
	g.election.report(State{Address: address, Epoch: epoch})
}

// says returns a hello that does not change.
func says(hello string) func() ([]byte, bool) {
	return func() ([]byte, bool) { return []byte(hello), false }
}

func setHello(r *stream, hello string, urgent bool) {
	r.hello = func() ([]byte, bool) { return []byte(hello), urgent }
}

func open(t testing.TB, g *Gateway, hello string) *stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := g.open(ctx, says(hello), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// act starts an action and returns once it was sent.
func act(t testing.TB, r *stream, action string) (result chan error) {
	t.Helper()
	result = make(chan error, 1)
	go func() {
		reply, err := r.do(context.Background(), []byte(action))
		if err == nil && string(reply.payload) != "did "+action {
			err = fmt.Errorf("replied %q", reply.payload)
		}
		result <- err
	}()
	until(t, "for the action to be sent", func() bool {
		r.gateway.mu.Lock()
		defer r.gateway.mu.Unlock()
		return string(r.action.payload) == action || len(result) > 0
	})
	return result
}

// do executes an action and checks its result.
func do(t testing.TB, r *stream, action string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if reply, err := r.do(ctx, []byte(action)); err != nil || string(reply.payload) != "did "+action {
		t.Errorf("%s: %q, %v", action, reply.payload, err)
	}
}

// awaitUpdate reads updates until one is the given one, and returns the others.
func awaitUpdate(t testing.TB, s *stream, want string) (others []string) {
	t.Helper()
	timeout := time.After(patience)
	for {
		for {
			u, ok := s.next()
			if !ok {
				break
			}
			if string(u.payload) == want {
				return others
			}
			if u.kind == kindUpdate {
				others = append(others, string(u.payload))
			}
		}
		select {
		case <-s.changed:
		case <-timeout:
			t.Fatalf("there is no update %q, only %q", want, others)
		}
	}
}

func allAttached(g *Gateway) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.sessions {
		if r.conn == nil {
			return false
		}
	}
	return g.conn != nil
}
