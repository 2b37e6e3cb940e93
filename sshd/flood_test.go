package sshd_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

// checkFloodIsStopped opens a session that sends a text and then another one endlessly, as fast as the server
// reads it.
func (h *testServer) checkFloodIsStopped(t *testing.T, name, first, then string) {
	t.Helper()
	ch, reqs := h.connect(t, name).openChannel(t)
	go gossh.DiscardRequests(reqs)
	sendRequest(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 80, Height: 24})
	sendRequest(t, ch, "shell", nil)
	go io.Copy(io.Discard, ch)
	if _, err := io.WriteString(ch, first); err != nil {
		t.Fatal(err)
	}
	more := bytes.Repeat([]byte(then), 1000)
	go func() {
		for {
			if _, err := ch.Write(more); err != nil {
				return
			}
		}
	}()
}

// TestFloodsAreStopped checks that clients which send as much as they can for two seconds do not delay others.
func TestFloodsAreStopped(t *testing.T) {
	const seconds = 2
	for _, c := range []struct{ name, first, then string }{
		{"keys", "", "x"},
		{"escape keys", "", "\x1b"},
		{"a title without end", "\x1b]", "x"},
		{"a device string without end", "\x1bP", "x"},
		{"parameters without end", "\x1b[", "1;"},
		{"reports", "", "\x1b[8;60000;60000t"},
		{"mouse", "", "\x1b[<0;1;1M"},
		{"empty pastes", "", "\x1b[200~\x1b[201~"},
	} {
		t.Run(c.name, func(t *testing.T) {
			runInBubble(t, nil, func(t *testing.T, h *testServer) {
				h.checkFloodIsStopped(t, "flood", c.first, c.then)
				other := h.openTerminal(t, sshtest.Options{User: "other"})
				time.Sleep(seconds * time.Second)
				// Wait does not return if the server is busy.
				synctest.Wait()
				h.mu.Lock()
				// The mouse may cause 512 events immediately and 200 a second.
				if h.events > 600+240*seconds {
					t.Errorf("the flood caused %d events", h.events)
				}
				h.mu.Unlock()
				other.Press("x")
				other.WaitText("keys: x")
			})
		})
	}
}

// TestPasteWithoutEnd checks that an endless paste does not delay others, and that its sender
// gets a notice once it ends.
func TestPasteWithoutEnd(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		p := h.openTerminal(t, sshtest.Options{})
		p.Type("\x1b[200~" + strings.Repeat("x", 100<<10))
		time.Sleep(pasteSilence)
		p.WaitText("The pasted text is too long and was ignored.")
		p.Press("x")
		p.WaitText("keys: x")
	})
}

// pasteSilence is longer than a paste may be silent.
const pasteSilence = 10 * time.Second

// TestInputRateIsLimited checks that a connection is slowed to its own limit once its address
// has used up its quota. Others at its address have their own.
func TestInputRateIsLimited(t *testing.T) {
	runInBubble(t, func(c *sshd.Config) {
		c.InputRate, c.InputBurst, c.InputRatePerAddr, c.KeepAlive = 100, 1, 1, time.Hour
	}, func(t *testing.T, h *testServer) {
		ch, reqs := h.connect(t, "flood").openChannel(t)
		go gossh.DiscardRequests(reqs)
		sendRequest(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 80, Height: 24})
		sendRequest(t, ch, "shell", nil)
		go io.Copy(io.Discard, ch)
		n := startSending("\x1b[200~"+strings.Repeat("x", 500), ch)
		time.Sleep(time.Minute)
		const first, underWay = 4 << 10, 64<<10 + 33<<10
		if most := int64(60*100 + first + underWay + 600); n.Load() > most || n.Load() < 60*100 {
			t.Errorf("the server read %d bytes in a minute, want at most %d", n.Load(), most)
		}
		p := h.openTerminal(t, sshtest.Options{User: "other"})
		p.Press("x")
		p.WaitText("keys: x")
	})
}
