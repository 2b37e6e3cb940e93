//go:build unix

package sshd_test

import (
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"broadside/internal/test/leaks"
	"broadside/internal/test/sshtest"
)

// The tests of this file examine the whole process, so they do not run in parallel.

// TestKeysInFlight checks that 40 sessions end while more keys arrive. A reader that forwards the next key
// would block forever.
func TestKeysInFlight(t *testing.T) {
	h := startServer(t, nil)
	stays := h.openTerminal(t, sshtest.Options{})
	// All goroutines of the session run when it answers.
	stays.Press("x")
	stays.WaitText("keys: x")
	before := goleak.IgnoreCurrent()
	for range 40 {
		p := h.openTerminal(t, sshtest.Options{})
		p.Type("q")
		for range 20 {
			p.Type(strings.Repeat("x\x1b[A", 10))
		}
		p.Wait()
		p.Close()
	}
	if err := leaks.Find(before); err != nil {
		t.Error(err)
	}
}

// TestSignals checks that signals do not end sessions, because the process handles them.
func TestSignals(t *testing.T) {
	got := make(chan os.Signal, 10)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(got)
	h := startServer(t, nil)
	var sessions []*sshtest.Terminal
	for range 10 {
		sessions = append(sessions, h.openTerminal(t, sshtest.Options{}))
	}
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		<-got
		for _, p := range sessions {
			p.Press("x")
			p.WaitText("keys: x")
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.closedNames) > 0 {
		t.Errorf("ended sessions = %d", len(h.closedNames))
	}
}

// TestSuspendIsIgnored checks that a screen cannot suspend the server's process.
func TestSuspendIsIgnored(t *testing.T) {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGTSTP)
	defer signal.Stop(got)
	h := startServer(t, nil)
	p := h.openTerminal(t, sshtest.Options{})
	p.Press("Z")
	p.Press("x")
	p.WaitText("keys: x")
	select {
	case <-got:
		t.Error("the server was suspended")
	default:
	}
}
