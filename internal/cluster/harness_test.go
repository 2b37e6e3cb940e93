package cluster

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"encoding/json"
	"errors"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/internal/session"
	"broadside/match/live"
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

// active is an active node of a test, with its server and sessions.
type active struct {
	server  *server
	address string
	role    *Active

	mu      sync.Mutex
	sources map[string]*fakeSession // by the name of the client
	busy    chan struct{}           // what opening a session "slow" waits for
}

// fakeSession is a session whose state is a text, which reaches the gateway as the ID of an
// update. Its actions are texts, too. They run while block is not held.
type fakeSession struct {
	session.Session
	changed live.Signal
	block   sync.Mutex

	mu      sync.Mutex
	state   string
	fresh   bool // Next has not returned state
	taken   int
	acted   []string
	repeats bool // its next action may have been carried out by another node
	closed  int
	end     error
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
	a := &active{address: ln.Addr().String(), sources: map[string]*fakeSession{}, role: newActive(fence{epoch: epoch})}
	a.setValid(true)
	a.server = newServer(Config{TLS: testTLS(t, 'k')}, ln, a.role, a)
	t.Cleanup(a.server.close)
	return a
}

func (a *active) Follow() (<-chan *session.Snapshot, func()) { return nil, func() {} }

func (a *active) Open(_ context.Context, c session.Client) (session.Session, error) {
	if c.Name == "stranger" {
		return nil, errors.New("who are you?")
	}
	if c.Name == "slow to open" {
		<-a.busy
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.sources[c.Name]
	if s == nil {
		s = newFakeSession()
		a.sources[c.Name] = s
	}
	s.repeats = c.Previous != nil && c.Previous.Unconfirmed != nil
	return s, nil
}

func newFakeSession() *fakeSession {
	return &fakeSession{state: "new", fresh: true, changed: live.NewSignal()}
}

func (a *active) source(t testing.TB, hello string) (s *fakeSession) {
	t.Helper()
	until(t, "for a session to be opened", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		s = a.sources[hello]
		return s != nil
	})
	return s
}

// all returns the active node's ends of the sessions.
func (a *active) all() []*hosted {
	a.server.mu.Lock()
	defer a.server.mu.Unlock()
	return slices.Collect(maps.Values(a.server.sessions))
}

// hosted returns the active node's end of a client's session.
func (a *active) hosted(name string) *hosted {
	all := a.all()
	return all[slices.IndexFunc(all, func(x *hosted) bool { return x.name == name })]
}

func (s *fakeSession) set(state string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.fresh = state, true
	s.changed.Send()
}

func (s *fakeSession) Changed() <-chan struct{} { return s.changed }

func (s *fakeSession) Poll() (session.Update, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.fresh {
		return session.Update{}, s.end
	}
	s.fresh = false
	s.taken++
	return session.Update{Kind: session.WatchEnded, ID: s.state}, s.end
}

func (s *fakeSession) Do(_ context.Context, a session.Action) error {
	s.block.Lock()
	defer s.block.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acted = append(s.acted, a.(session.Watch).ID)
	return nil
}

func (s *fakeSession) Answer(context.Context, any, any, func(*session.Local) error) error { return nil }

func (s *fakeSession) State() session.State { return session.State{} }

func (s *fakeSession) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed++
}

func (s *fakeSession) get(f func() bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f()
}

// newGateway returns a gateway without an election: [follow] sets the active node.
func newGateway(t testing.TB, a *active) *Gateway {
	t.Helper()
	cfg := Config{TLS: testTLS(t, 'k'), Status: func() json.RawMessage { return json.RawMessage(`"up"`) }}.withDefaults()
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

// rename changes how a session describes itself to the next active node.
func rename(r *remote, name string, urgent bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.client.Name = name
	if urgent {
		r.state.Match = &session.Match{}
	}
}

// client returns a program, whose actions wait for the active node.
func client(name string) session.Client {
	return session.Client{Name: name, Program: &session.Player{}}
}

func open(t testing.TB, g *Gateway, name string) *remote {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := g.Open(ctx, client(name))
	if err != nil {
		t.Fatal(err)
	}
	return r.(*remote)
}

// act starts an action and returns once the action has been sent.
func act(t testing.TB, r *remote, action string) (result chan error) {
	t.Helper()
	result = make(chan error, 1)
	go func() { result <- r.Do(context.Background(), session.Watch{ID: action}) }()
	until(t, "for the action to be sent", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return strings.Contains(string(r.order.payload), `"`+action+`"`) || len(result) > 0
	})
	return result
}

// do executes an action and checks its result.
func do(t testing.TB, r *remote, action string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := r.Do(ctx, session.Watch{ID: action}); err != nil {
		t.Errorf("%s: %v", action, err)
	}
}

// waiting counts the updates that Next has not returned.
func waiting(r *remote) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.updates)
}

// awaitUpdate reads updates until the given one arrives, and returns the others.
func awaitUpdate(t testing.TB, r *remote, want string) (others []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		u, err := session.Next(ctx, r)
		switch {
		case err != nil:
			t.Fatalf("there is no update %.20q, only %.100q: %v", want, others, err)
		case u.Kind == session.WatchEnded && u.ID == want:
			return others
		case u.Kind == session.WatchEnded:
			others = append(others, u.ID)
		}
	}
}

func allAttached(g *Gateway) bool {
	g.mu.Lock()
	connected, all := g.conn != nil, slices.Collect(maps.Values(g.sessions))
	g.mu.Unlock()
	return connected && !slices.ContainsFunc(all, func(r *remote) bool { return !r.isAttached() })
}
