package sshd_test

import (
	"strings"
	"testing"

	"broadside/internal/test/sshtest"
)

// TestPanicEndsOneSession checks that a screen that panics in any method or command ends only its own session.
func TestPanicEndsOneSession(t *testing.T) {
	for _, c := range []struct{ where, user, keys string }{
		{"session", "panic-app", ""},
		{"Init", "panic-init", ""},
		{"Update", "ann", "U"},
		{"Update", "in-its-frame", "V"},
		{"command", "ann", "C"},
		{"command", "in-a-batch", "B"},
		{"session", "panic-farewell", "q"},
		{"session", "panic-close", "q"},
	} {
		t.Run(c.where+" "+c.user, func(t *testing.T) {
			runInBubble(t, nil, func(t *testing.T, h *testServer) {
				conn := h.connect(t, c.user)
				other := h.openTerminal(t, sshtest.Options{User: "other"})
				p := sshtest.Open(t, conn.Client, sshtest.Options{})
				if c.keys != "" {
					p.WaitText("hello")
				}
				p.Type(c.keys + "some more keys")
				if status := p.Wait(); status != 1 {
					t.Errorf("got exit status %d", status)
				}
				if text := p.Screen(); !strings.HasPrefix(text, "Internal error. Your match is safe: reconnect to continue.") {
					t.Errorf("got output\n%s", text)
				}
				if left := p.Leftovers(); left != nil {
					t.Errorf("terminal modes left on: %v", left)
				}
				if log := h.log.String(); !strings.Contains(log, "session failed") || !strings.Contains(log, "in="+c.where+" ") {
					t.Errorf("want the panic with its place in the log:\n%s", log)
				}
				if c.user != "panic-app" {
					h.waitClosed(t, c.user)
				}
				other.Press("x")
				other.WaitText("keys: x")
			})
		})
	}
}
