package sshd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

// The first two tests need the real clock. A test's own clock stands still while a goroutine waits for a lock
// that a stalled writer holds.

// TestStalledReaderIsDisconnected checks a client that stops reading its session's output.
func TestStalledReaderIsDisconnected(t *testing.T) {
	t.Parallel()
	checkStall(t, func(_ *client, p *sshtest.Terminal) { p.Pause() })
}

// TestStalledConnectionIsClosed checks a client that reads nothing at all.
func TestStalledConnectionIsClosed(t *testing.T) {
	t.Parallel()
	checkStall(t, func(c *client, _ *sshtest.Terminal) { c.freeze() })
}

func checkStall(t *testing.T, stall func(*client, *sshtest.Terminal)) {
	h := startServer(t, func(c *sshd.Config) { c.WriteTimeout = 2 * time.Second })
	c := h.connect(t, "stalled")
	defer c.Close()
	p := sshtest.Open(t, c.Client, sshtest.Options{Env: trueColour})
	other := h.openTerminal(t, sshtest.Options{User: "other"})
	p.WaitText("hello")
	stall(c, p)
	p.Press("N")
	for keys := 1; ; keys++ {
		other.Press("x")
		other.WaitText(fmt.Sprintf("keys: %s\n", strings.Repeat("x", min(keys, 40))))
		h.mu.Lock()
		closed := slices.Contains(h.closedNames, "stalled")
		h.mu.Unlock()
		if closed && keys >= 40 {
			break
		}
	}
	h.waitLog(t, "reason=does not read")
}

// TestClientThatDoesNotCloseIsDisconnected checks a client that does not close its ended session.
func TestClientThatDoesNotCloseIsDisconnected(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		c := h.connect(t, "clinger")
		defer c.Close()
		p := sshtest.Open(t, c.Client, sshtest.Options{})
		p.WaitText("hello")
		c.freeze()
		p.Press("q")
		time.Sleep(time.Second)
		synctest.Wait()
		h.mu.Lock()
		if len(h.closedNames) != 1 {
			t.Error("the screen was kept until the client confirmed the end")
		}
		h.mu.Unlock()
		time.Sleep(time.Minute)
		synctest.Wait()
		if log := h.log.String(); !strings.Contains(log, "reason=does not close its session") {
			t.Errorf("client was not disconnected:\n%s", log)
		}
	})
}
