package sshd_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

func TestConnectionLimits(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) { c.MaxConns, c.MaxConnsPerAddr = 5, 2 }, func(t *testing.T, h *testServer) {
		var open []*client
		come := func(from string, in bool) {
			t.Helper()
			c, err := h.connectFrom(from, "guest")
			if (err == nil) != in {
				t.Errorf("connection from %s: %v", from, err)
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
		// Five connections are open in all.
		come("198.51.100.3", false)
		if log := h.log.String(); strings.Count(log, "ssh connection rejected") != 2 {
			t.Errorf("want the refusals in the log:\n%s", log)
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
		if _, err := h.connectFrom("198.51.100.1", "guest"); err == nil || !strings.Contains(err.Error(), "Too many sessions from your address") {
			t.Errorf("refused connection: got error %v", err)
		}
		for _, c := range open {
			c.Close()
		}
	})
}

func TestSessionLimits(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) { c.MaxSessions, c.MaxSessionsPerAddr = 3, 2 }, func(t *testing.T, h *testServer) {
		come := func(from string, says string) *sshtest.Terminal {
			t.Helper()
			c, err := h.connectFrom(from, "guest")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			p := sshtest.Open(t, c.Client, sshtest.Options{})
			if says == "" {
				p.WaitText("hello")
				return p
			}
			if status := p.Wait(); status != 1 {
				t.Errorf("%s: got exit status %d", from, status)
			}
			if s := p.Screen(); !strings.HasPrefix(s, says) {
				t.Errorf("%s: got output\n%s", from, s)
			}
			return nil
		}
		const full, fromThere = "The server is full right now: try again", "Too many sessions from your address: end one"
		first := come("2001:db8::1", "")
		come("2001:db8::2", "")
		come("2001:db8::3", fromThere)
		come("2001:db8:0:1::1", "")
		come("198.51.100.1", full)
		first.Press("q")
		first.Wait()
		synctest.Wait()
		come("198.51.100.1", "")
		if err := h.SetLimits(sshd.Limits{MaxSessions: 4, MaxSessionsPerAddr: 2}); err != nil {
			t.Fatal(err)
		}
		come("198.51.100.1", "")
		come("198.51.100.2", full)
	})
}

func TestSessionsOfConnectionAreSeparate(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		c := h.connect(t, "guest")
		var sessions []*sshtest.Terminal
		for range 8 {
			p := sshtest.Open(t, c.Client, sshtest.Options{})
			p.WaitText("hello")
			sessions = append(sessions, p)
		}
		if _, err := c.NewSession(); err == nil || !strings.Contains(err.Error(), "too many sessions") {
			t.Errorf("ninth session: got error %v", err)
		}
		for i, p := range sessions {
			p.Type(strings.Repeat("x", i))
			p.WaitText(strings.TrimSpace("keys: "+strings.Repeat("x", i)) + "\n")
			p.Press("q")
			p.Wait()
			synctest.Wait()
			for j, ctx := range h.contexts {
				if (ctx.Err() != nil) != (j <= i) {
					t.Errorf("after session %d ended, the context of %d has error %v", i, j, ctx.Err())
				}
			}
		}
		// Sessions one after the other are not limited.
		for range 20 {
			p := sshtest.Open(t, c.Client, sshtest.Options{})
			p.WaitText("hello")
			p.Press("q")
			p.Wait()
			synctest.Wait()
		}
	})
}

// TestSessionRate checks that a connection which opens many sessions in succession is closed. They do not count
// as connections of the address.
func TestSessionRate(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) { c.ConnRate, c.ConnBurst = 6, 3 }, func(t *testing.T, h *testServer) {
		c := h.connect(t, "guest")
		p := sshtest.Open(t, c.Client, sshtest.Options{})
		p.WaitText("hello")
		visit := func() error {
			ch, reqs, err := c.OpenChannel("session", nil)
			if err != nil {
				return err
			}
			go gossh.DiscardRequests(reqs)
			err = ch.Close()
			// The server must see the end before the next session.
			synctest.Wait()
			return err
		}
		for i := range 99 {
			if err := visit(); err != nil {
				t.Fatalf("session %d: %v", i+2, err)
			}
		}
		// Five sessions a second may go on.
		for range 20 {
			time.Sleep(200 * time.Millisecond)
			if err := visit(); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		if err := visit(); err == nil {
			t.Error("one more session was opened")
		}
		p.WaitText("sent far too much data at once")
		if err := c.Wait(); err == nil || time.Since(began) > 11*time.Second {
			t.Errorf("got %v, %v", time.Since(began), err)
		}
		synctest.Wait()
		if log := h.log.String(); !strings.Contains(log, "reason=opens too many channels") || strings.Count(log, "\n") > 5 {
			t.Errorf("got log\n%s", log)
		}
		for range 2 {
			h.connect(t, "guest").Close()
		}
	})
}

func TestConnectionRate(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) { c.ConnRate, c.ConnBurst = 6, 3 }, func(t *testing.T, h *testServer) {
		come := func(from string) error {
			c, err := h.connectFrom(from, "guest")
			if err == nil {
				c.Close()
			}
			return err
		}
		for range 3 {
			if err := come("2001:db8::1"); err != nil {
				t.Error(err)
			}
		}
		if err := come("2001:db8::2"); err == nil || !strings.Contains(err.Error(), "Too many connections from your address: try again in a minute.") {
			t.Errorf("fourth connection: got error %v", err)
		}
		if err := come("198.51.100.1"); err != nil {
			t.Error(err)
		}
		time.Sleep(10 * time.Second)
		if err := come("2001:db8::1"); err != nil {
			t.Errorf("later connection: got error %v", err)
		}
	})
}

// TestProbesAreNotLogged checks that a monitor which connects and leaves before the login does not count as a
// failed login.
func TestProbesAreNotLogged(t *testing.T) {
	probes := map[string]func(*testing.T, net.Conn){
		"without a word": func(*testing.T, net.Conn) {},
		"after reading the greeting": func(t *testing.T, nc net.Conn) {
			if _, err := bufio.NewReader(nc).ReadString('\n'); err != nil {
				t.Error(err)
			}
		},
		"after its own greeting": func(t *testing.T, nc net.Conn) {
			if _, err := io.WriteString(nc, "SSH-2.0-probe\r\n"); err != nil {
				t.Error(err)
			}
			if _, err := io.CopyN(io.Discard, nc, 200); err != nil {
				t.Error(err)
			}
		},
		// ssh-keyscan disconnects like this.
		"after the host key": func(t *testing.T, nc net.Conn) {
			_, _, _, err := gossh.NewClientConn(nc, "", &gossh.ClientConfig{HostKeyCallback: func(string, net.Addr, gossh.PublicKey) error {
				return errors.New("seen")
			}})
			if err == nil {
				t.Error("banned client could connect")
			}
		},
	}
	for name, probe := range probes {
		t.Run(name, func(t *testing.T) {
			h := startServer(t, func(c *sshd.Config) {
				c.Meter.Failed = func() { t.Error("refused connection counted as a failed login") }
			})
			for range 3 {
				nc, err := h.dial("")
				if err != nil {
					t.Fatal(err)
				}
				probe(t, nc)
				nc.Close()
				h.waitLog(t, "ssh disconnect")
			}
			h.connect(t, "guest")
			if log := h.log.String(); strings.Contains(log, "ssh login failed") {
				t.Errorf("got log\n%s", log)
			}
		})
	}
}

// TestWarningBeforeSessionLimit checks when screens and line modes are warned and ended.
func TestWarningBeforeSessionLimit(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) { c.IdleTimeout, c.SessionTime = 10*time.Minute, 2*time.Hour }, func(t *testing.T, h *testServer) {
		p := h.openTerminal(t, sshtest.Options{})
		began := time.Now()
		time.Sleep(9*time.Minute - time.Second)
		if s := p.Screen(); strings.Contains(s, "still there") {
			t.Errorf("warned too early:\n%s", s)
		}
		p.WaitText("Are you still there? Press a key, or this session will end soon.")
		if d := time.Since(began); d > 9*time.Minute+time.Second {
			t.Errorf("warned after %v", d)
		}
		for time.Since(began) < 2*time.Hour-10*time.Minute {
			p.Press("a")
			time.Sleep(8 * time.Minute)
		}
		p.Press("a")
		time.Sleep(time.Until(began.Add(2*time.Hour - 5*time.Minute)))
		p.WaitText("This session will soon reach its time limit")
		// A key does not change the total time.
		p.Press("a")
		time.Sleep(time.Until(began.Add(2*time.Hour - time.Second)))
		if status := p.Wait(); status != 0 {
			t.Errorf("got exit status %d", status)
		}
		if d := time.Since(began); d < 2*time.Hour || d > 2*time.Hour+time.Second {
			t.Errorf("session ended after %v", d)
		}
		if s := p.Screen(); !strings.Contains(s, "reached its time limit. Your match is safe") {
			t.Errorf("want the reason in the output:\n%s", s)
		}
	})
}
