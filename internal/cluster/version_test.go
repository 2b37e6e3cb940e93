package cluster

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/internal/session"
)

// logBook is a log that several goroutines write.
type logBook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

// count counts the lines that contain a text.
func (l *logBook) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), text)
}

func (l *logBook) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// TestVersions makes a node with another version of the protocol active. It and the gateway
// refuse each other, and log it once. The gateway's player waits, and continues when a node
// of the same version is active.
func TestVersions(t *testing.T) {
	t.Parallel()
	l := newLobby(t)
	h := newHost(t, 1, l)
	var atGateway, atNode logBook
	cfg := Config{TLS: testTLS(t, 'k'), Log: atGateway.logger()}.withDefaults()
	g := NewGateway(cfg, &Election{cfg: cfg, changed: make(chan struct{})})
	t.Cleanup(g.Close)
	follow(g, h.address, 1)
	ann := arrive(t, g, "ann")

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	newer := &active{role: newActive(fence{epoch: 2})}
	newer.setValid(true)
	server := newServer(Config{TLS: testTLS(t, 'k'), Log: atNode.logger(), version: protocolVersion + 1}, ln, newer.role, newer)
	t.Cleanup(server.close)
	h.stop()
	follow(g, ln.Addr().String(), 2)
	until(t, "for the gateway to be refused", func() bool { return errors.Is(g.Err(), ErrVersion) })
	ann.until("a notice", func(session.Update) bool { return ann.State().Waiting })
	if err := ann.Do(t.Context(), session.Say{Text: "hello?"}); err == nil || !strings.Contains(err.Error(), "reconnecting") {
		t.Errorf("an action meanwhile: %v", err)
	}
	time.Sleep(500 * time.Millisecond) // for some more attempts
	for name, log := range map[string]*logBook{"gateway": &atGateway, "node": &atNode} {
		if n := log.count("incompatible versions"); n != 1 {
			t.Errorf("the %s has logged it %d times", name, n)
		}
	}
	if err := Check(t.Context(), testTLS(t, 'k'), ln.Addr().String()); !errors.Is(err, ErrVersion) {
		t.Errorf("a check: %v", err)
	}

	h = newHost(t, 3, newLobby(t))
	follow(g, h.address, 3)
	ann.until("the next node", func(session.Update) bool { return !ann.State().Waiting })
	if err := ann.Do(t.Context(), session.Say{Text: "hello"}); err != nil {
		t.Error(err)
	}
	if err := Check(t.Context(), testTLS(t, 'k'), h.address); err != nil {
		t.Errorf("a check: %v", err)
	}
}

// faulty is a session whose actions panic.
type faulty struct{ session.Session }

func (faulty) Do(context.Context, session.Action) error { panic("a fault in an action") }

// faultyLobby gives ann a faulty session.
type faultyLobby struct{ *session.Lobby }

func (l faultyLobby) Open(ctx context.Context, c session.Client) (session.Session, error) {
	s, err := l.Lobby.Open(ctx, c)
	if err == nil && c.Name == "ann" {
		return faulty{s}, nil
	}
	return s, err
}

// TestPanic checks that a panic in a session's action ends only that session.
func TestPanic(t *testing.T) {
	t.Parallel()
	var log logBook
	l := newLobby(t)
	h := newHostOf(t, 1, l, Config{TLS: testTLS(t, 'k'), Log: log.logger()}, faultyLobby{&session.Lobby{Lobby: l}})
	g := newGateway(t, h.active)
	ann, bob := arrive(t, g, "ann"), arrive(t, g, "bob")
	if err := ann.Do(t.Context(), session.Say{Text: "hello"}); err == nil || !strings.Contains(err.Error(), "something went wrong") {
		t.Errorf("the action: %v", err)
	}
	if err := bob.Do(t.Context(), session.Say{Text: "hello"}); err != nil {
		t.Errorf("another session: %v", err)
	}
	bob.until("ann has left", func(session.Update) bool {
		here := bob.State().Lobby.People
		return len(here) == 1 && here[0].Player.Name == "bob"
	})
	if log.count("a fault in an action") != 1 {
		t.Error("the fault was not logged")
	}
}
