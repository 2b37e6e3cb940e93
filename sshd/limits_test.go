package sshd_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"broadside/internal/sshtest"
	"broadside/sshd"
)

func TestConnectionLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, func(c *sshd.Config) { c.MaxConns, c.MaxConnsPerAddr = 5, 2 })
		var open []*client
		come := func(from string, in bool) {
			t.Helper()
			c, err := h.connectFrom(from, "guest")
			if (err == nil) != in {
				t.Errorf("%s: %v", from, err)
			}
			if err == nil {
				open = append(open, c)
			}
		}
		// An IPv6 customer has a network of 64 bits.
		come("2001:db8::1", true)
		come("2001:db8::ffff:2", true)
		come("2001:db8::3", false)
		come("2001:db8:0:1::1", true)
		// An IPv4 address counts by itself, however it is written.
		come("198.51.100.1", true)
		come("198.51.100.2", true)
		come("198.51.100.3", false) // five in all
		if log := h.log.String(); strings.Count(log, "ssh connection turned away: too many") != 2 {
			t.Errorf("not logged:\n%s", log)
		}
		open[0].Close()
		synctest.Wait()
		come("2001:db8::4", true)
		come("2001:db8::5", false)
		for _, c := range open {
			c.Close()
		}
		synctest.Wait()
		open = nil
		for range 2 {
			come("198.51.100.1", true)
		}
		come("198.51.100.1", false)
		for _, c := range open {
			c.Close()
		}
	})
}

func TestSessionLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, func(c *sshd.Config) { c.MaxSessions, c.MaxSessionsPerAddr = 3, 2 })
		come := func(from string, in bool) *sshtest.Terminal {
			t.Helper()
			c, err := h.connectFrom(from, "guest")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			p := sshtest.Open(t, c.Client, sshtest.Options{})
			if in {
				p.WaitText("hello")
				return p
			}
			if status := p.Wait(); status != 1 {
				t.Errorf("%s: exit status %d", from, status)
			}
			if s := p.Screen(); !strings.HasPrefix(s, "Broadside is full right now. Please come back in a few minutes.") {
				t.Errorf("%s reads:\n%s", from, s)
			}
			return nil
		}
		first := come("2001:db8::1", true)
		come("2001:db8::2", true)
		come("2001:db8::3", false)
		come("2001:db8:0:1::1", true)
		come("198.51.100.1", false)
		first.Press("q")
		first.Wait()
		synctest.Wait()
		come("198.51.100.1", true)
	})
}

func TestSessionsOfOneConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, nil)
		c := h.connect(t, "guest")
		var sessions []*sshtest.Terminal
		for range 8 {
			p := sshtest.Open(t, c.Client, sshtest.Options{})
			p.WaitText("hello")
			sessions = append(sessions, p)
		}
		if _, err := c.NewSession(); err == nil || !strings.Contains(err.Error(), "too many sessions") {
			t.Errorf("a ninth session: %v", err)
		}
		for i, p := range sessions {
			p.Type(strings.Repeat("x", i))
			p.WaitText(strings.TrimSpace("keys: "+strings.Repeat("x", i)) + "\n")
			p.Press("q")
			p.Wait()
			synctest.Wait()
			for j, ctx := range h.ctxs {
				if (ctx.Err() != nil) != (j <= i) {
					t.Errorf("after the end of session %d, the context of %d is %v", i, j, ctx.Err())
				}
			}
		}
		for range 20 { // one after the other
			p := sshtest.Open(t, c.Client, sshtest.Options{})
			p.WaitText("hello")
			p.Press("q")
			p.Wait()
		}
	})
}

// TestSpoofedAddress sends what a trusted proxy would.
func TestSpoofedAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, nil)
		l := h.net.dial("198.51.100.7")
		defer l.Close()
		if _, err := l.Write([]byte("PROXY TCP4 203.0.113.9 192.0.2.1 1 22\r\nSSH-2.0-x\r\n")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if log := h.log.String(); !strings.Contains(log, "remote=198.51.100.7:") || strings.Contains(log, "203.0.113.9:") {
			t.Errorf("the log takes a client's word for its address:\n%s", log)
		}
	})
}
