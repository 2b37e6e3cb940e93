package sshd_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

// TestClosedChannelEndsSession checks that a session ends when its channel is closed but its connection stays
// open, as a shared OpenSSH connection does when one of its sessions is killed. Much input precedes the end.
func TestClosedChannelEndsSession(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		c := h.connect(t, "ann")
		first := sshtest.Open(t, c.Client, sshtest.Options{})
		first.WaitText("hello")
		second := sshtest.Open(t, c.Client, sshtest.Options{})
		second.WaitText("hello")
		first.Type(strings.Repeat("x", 200<<10))
		synctest.Wait()
		first.CloseSession()
		first.Wait()
		time.Sleep(time.Second)
		// Wait does not return while a goroutine is busy.
		synctest.Wait()
		if h.mu.Lock(); len(h.closedNames) != 1 {
			t.Errorf("closed screens = %d", len(h.closedNames))
		}
		h.mu.Unlock()
		if h.contexts[0].Err() == nil || h.contexts[1].Err() != nil {
			t.Errorf("context errors after the first session ended: %v, %v", h.contexts[0].Err(), h.contexts[1].Err())
		}
		if log := h.log.String(); strings.Count(log, "session ended") != 1 {
			t.Errorf("want one ended session in the log:\n%s", log)
		}
		second.Type("still here")
		second.WaitText("keys: stillspacehere")
		third := sshtest.Open(t, c.Client, sshtest.Options{})
		third.WaitText("hello ann")
	})
}

func TestEndOfInputEndsSession(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		p := h.openTerminal(t, sshtest.Options{})
		p.CloseInput()
		p.Wait()
		h.waitClosed(t, "guest")
		if left := p.Leftovers(); left != nil {
			t.Errorf("terminal modes left on: %v", left)
		}
	})
}

func TestLostConnectionEndsSessions(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		p := h.openTerminal(t, sshtest.Options{})
		p.Hangup()
		h.waitClosed(t, "guest")
		synctest.Wait()
		if log := h.log.String(); strings.Count(log, "ssh disconnect") != 1 || !strings.Contains(log, "reason=client left") {
			t.Errorf("want one line in the log that the client has left:\n%s", log)
		}
	})
}

func TestQuitRestoresTerminal(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		for _, c := range []struct {
			name   string
			status int
			says   string
		}{
			{"ann", 0, ""},
			{"leaver", 3, "Farewell."},
		} {
			p := h.openTerminal(t, sshtest.Options{User: c.name})
			p.Press("q")
			if status := p.Wait(); status != c.status {
				t.Errorf("%s: got exit status %d, want %d", c.name, status, c.status)
			}
			if left := p.Leftovers(); left != nil {
				t.Errorf("terminal modes left on: %v (%s)", left, c.name)
			}
			if text := strings.TrimSpace(p.Screen()); text != c.says {
				t.Errorf("%s: got %q, want %q", c.name, text, c.says)
			}
			h.waitClosed(t, c.name)
		}
	})
}

// TestIdleSessionEnds checks that a screen that changes ten times a second does not keep an idle
// session open.
func TestIdleSessionEnds(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) { c.IdleTimeout = 10 * time.Second }, func(t *testing.T, h *testServer) {
		p := h.openTerminal(t, sshtest.Options{})
		p.Press("T")
		began := time.Now()
		for range 4 {
			time.Sleep(7 * time.Second)
			p.Press("a")
		}
		// The session is still there.
		p.WaitText("keys: aaaa")
		if status := p.Wait(); status != 0 {
			t.Errorf("got exit status %d", status)
		}
		if away := time.Since(began) - 28*time.Second; away < 10*time.Second || away > 11*time.Second {
			t.Errorf("session ended %v after the last key", away)
		}
		if text := p.Screen(); !strings.Contains(text, "You were inactive") {
			t.Errorf("want the reason in the output:\n%s", text)
		}
		if left := p.Leftovers(); left != nil {
			t.Errorf("terminal modes left on: %v", left)
		}
	})
}

// TestDeadConnectionIsClosed checks that a connection whose link is down is closed after missed replies.
func TestDeadConnectionIsClosed(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		dead, alive := h.connect(t, "dead"), h.connect(t, "alive")
		p, q := sshtest.Open(t, dead.Client, sshtest.Options{}), sshtest.Open(t, alive.Client, sshtest.Options{})
		p.WaitText("hello dead")
		q.WaitText("hello alive")
		dead.freeze()
		began := time.Now()
		h.waitClosed(t, "dead")
		if d := time.Since(began); d > 3*time.Minute {
			t.Errorf("dead link was noticed after %v", d)
		}
		dead.Close()
		synctest.Wait()
		if log := h.log.String(); !strings.Contains(log, "reason=no reply to keep-alive requests") {
			t.Errorf("want a line in the log:\n%s", log)
		}
		// This client answers, even if only that it does not know the request.
		time.Sleep(30 * time.Minute)
		q.Type("x")
		q.WaitText("keys: x")
		// There have been many requests before.
		alive.freeze()
		began = time.Now()
		h.waitClosed(t, "alive")
		if d := time.Since(began); d > 3*time.Minute {
			t.Errorf("second dead link was noticed after %v", d)
		}
		alive.Close()
	})
}

func TestHandshakeTimeout(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		began := time.Now()
		for _, said := range []string{"", "SSH-2.0-slow\r\n"} {
			l := h.net.Dial("")
			if _, err := l.Write([]byte(said)); err != nil {
				t.Fatal(err)
			}
			defer l.Close()
		}
		synctest.Wait()
		if log := h.log.String(); strings.Count(log, "ssh disconnect") != 0 {
			t.Errorf("disconnected too early:\n%s", log)
		}
		time.Sleep(11 * time.Second)
		synctest.Wait()
		if log := h.log.String(); strings.Count(log, "reason=no login") != 2 || strings.Count(log, "ssh login failed") != 2 {
			t.Errorf("not disconnected after %v:\n%s", time.Since(began), log)
		}
		if err := h.SetLimits(sshd.Limits{HandshakeTimeout: 3 * time.Second}); err != nil {
			t.Fatal(err)
		}
		defer h.net.Dial("").Close()
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if log := h.log.String(); strings.Count(log, "reason=no login") != 3 {
			t.Errorf("not disconnected after the new time:\n%s", log)
		}
	})
}

// TestConnectionWithoutSessionIsClosed checks that a connection is closed if it has no channel, or if a channel
// has no request.
func TestConnectionWithoutSessionIsClosed(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		h.connect(t, "guest")
		ch, reqs := h.connect(t, "guest").openChannel(t)
		defer ch.Close()
		busy := h.connect(t, "guest")
		sshtest.Open(t, busy.Client, sshtest.Options{}).WaitText("hello")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if log := h.log.String(); strings.Count(log, "reason=no session") != 2 || strings.Count(log, "ssh disconnect") != 2 {
			t.Errorf("want two disconnected clients in the log:\n%s", log)
		}
		for range reqs {
		}
	})
}
