package relay_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/relay"
)

// gone fails the test unless a connection is closed without output.
func gone(t *testing.T, address string) {
	t.Helper()
	c := dial(t, address)
	c.end()
}

// TestConnectionRate checks that an address that connects too often is refused, except the
// loopback address.
func TestConnectionRate(t *testing.T) {
	limits := relay.Limits{ConnRate: 1, ConnBurst: 3}
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute, Limits: limits}, lobby.Config{})
	for range 10 {
		c := dial(t, address)
		c.say("% dance")
		c.hear("% error unknown")
		c.nc.Close()
	}
	refused := make(chan relay.Refusal, 5)
	l, ends := pretend(t, relay.Config{HelloDelay: time.Minute, Limits: limits, Refused: func(r relay.Refusal) { refused <- r }}, "203.0.113.9:4711")
	for n := range 5 {
		near, far := net.Pipe()
		l <- far
		near.SetDeadline(time.Now().Add(patience))
		_, err := near.Write([]byte("% dance\n"))
		if served := err == nil; served != (n < 3) {
			t.Errorf("connection %d is served: %t", n+1, served)
		}
		near.Close()
	}
	ends()
	for range 2 {
		if r := <-refused; r != relay.RefusedRate {
			t.Errorf("refused for %q", r)
		}
	}
	if len(refused) != 0 {
		t.Errorf("more are counted as refused: %q", <-refused)
	}
}

// elsewhere is a connection that claims another address.
type elsewhere struct {
	net.Conn
	from string
}

func (e elsewhere) RemoteAddr() net.Addr {
	a, _ := net.ResolveTCPAddr("tcp", e.from)
	return a
}

// pretended is a listener whose connections claim another address.
type pretended struct {
	conns chan net.Conn
	from  string
	done  chan struct{}
}

func (p pretended) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return elsewhere{c, p.from}, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p pretended) Close() error   { close(p.done); return nil }
func (p pretended) Addr() net.Addr { return nil }

// pretend serves connections that claim another address.
func pretend(t *testing.T, cfg relay.Config, from string) (conns chan<- net.Conn, end func()) {
	t.Helper()
	l := lobbytest.Open(lobby.Config{})
	cfg.Host = &session.Host{Lobby: l}
	s := relay.New(cfg)
	p := pretended{make(chan net.Conn), from, make(chan struct{})}
	served := make(chan error, 1)
	go func() { served <- s.Serve(p) }()
	return p.conns, func() {
		p.Close()
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
		l.Close()
	}
}

// TestEmptyLines checks that empty lines are ignored, up to a limit.
func TestEmptyLines(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Millisecond}, lobby.Config{})
	first, second := pair(t, address)
	second.say(strings.Repeat("\r\n \n", 1000) + "(1,[0,0]).")
	first.hear("(1,[0,0]).\n")
	go first.nc.Write([]byte(strings.Repeat("\n", 1<<20)))
	second.end()
}
