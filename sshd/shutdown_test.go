package sshd_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/memnet"
	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

func TestShutdown(t *testing.T) {
	t.Parallel()
	h := startServer(t, nil)
	var sessions []*sshtest.Terminal
	for range 5 {
		sessions = append(sessions, h.openTerminal(t, sshtest.Options{}))
	}
	// This key redraws the screen.
	sessions[0].Press("T")
	sessions[0].WaitText("frame: 1")
	// idle is a connection without a session.
	idle, err := sshtest.Connect(h.address, sshtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// greeting is a connection without an identification string.
	greeting, err := h.dial("")
	if err != nil {
		t.Fatal(err)
	}
	defer greeting.Close()
	if _, err := greeting.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if err := h.Shutdown(t.Context(), over); err != nil {
		t.Error(err)
	}
	for _, p := range sessions {
		if status := p.Wait(); status != 0 {
			t.Errorf("got exit status %d", status)
		}
		if left := p.Leftovers(); left != nil {
			t.Errorf("terminal modes left on: %v", left)
		}
		if text := p.Screen(); !strings.HasPrefix(text, "The server has been shut down.") {
			t.Errorf("want the reason in the output:\n%s", text)
		}
	}
	h.mu.Lock()
	if len(h.closedNames) != len(sessions) {
		t.Errorf("closed screens = %d, want %d", len(h.closedNames), len(sessions))
	}
	h.mu.Unlock()
	idle.Wait()
	// Read until the server closes the connection.
	for {
		if _, err := greeting.Read(make([]byte, 1<<10)); err != nil {
			break
		}
	}
	if again, err := sshtest.Connect(h.address, sshtest.Options{}); err == nil {
		again.Close()
		t.Error("the server accepted a connection after Shutdown")
	}
}

// TestShutdownDisconnectsStalledClient checks that Shutdown ends in time although a client does not read.
func TestShutdownDisconnectsStalledClient(t *testing.T) {
	t.Parallel()
	h := startServer(t, func(c *sshd.Config) { c.WriteTimeout = time.Hour })
	p := h.openTerminal(t, sshtest.Options{User: "stalled", Env: trueColour})
	p.Pause()
	p.Press("N")
	h.waitStall(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := h.Shutdown(ctx, over); err == nil || !strings.Contains(err.Error(), "sessions did not end in time") {
		t.Errorf("Shutdown = %v", err)
	}
	h.waitClosed(t, "stalled")
}

// TestShutdownReportsStuckScreen checks that Shutdown returns although a screen does not, and that the server
// accepts no sessions meanwhile.
func TestShutdownReportsStuckScreen(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		c := h.connect(t, "guest")
		p := sshtest.Open(t, c.Client, sshtest.Options{})
		p.WaitText("hello")
		p.Press("W")
		synctest.Wait()
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		ended := make(chan error)
		go func() { ended <- h.Shutdown(ctx, over) }()
		synctest.Wait()
		if _, err := c.NewSession(); err == nil || !strings.Contains(err.Error(), "the server is shutting down") {
			t.Errorf("new session: got error %v", err)
		}
		err := <-ended
		if err == nil || !strings.Contains(err.Error(), "a session still runs after its connection was closed") {
			t.Errorf("Shutdown = %v", err)
		}
		if d := time.Since(began); d > 63*time.Second {
			t.Errorf("Shutdown took %v", d)
		}
		close(h.unblock)
	})
}

// TestClosedListenerKeepsConnections checks that closing a listener does not affect its connections.
func TestClosedListenerKeepsConnections(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		c := h.connect(t, "guest")
		p := sshtest.Open(t, c.Client, sshtest.Options{})
		p.WaitText("hello")
		h.net.Close()
		if err := <-h.served; err != nil {
			t.Errorf("Serve = %v", err)
		}
		h.served <- nil
		p.Press("x")
		p.WaitText("keys: x")
		sshtest.Open(t, c.Client, sshtest.Options{}).WaitText("hello")
	})
}

func TestServeAfterShutdown(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		if err := h.Shutdown(t.Context(), over); err != nil {
			t.Error(err)
		}
		other := memnet.New()
		if err := h.Serve(other); err != nil {
			t.Errorf("Serve = %v", err)
		}
		if _, err := other.Accept(); err == nil {
			t.Error("the listener is still open")
		}
	})
}
