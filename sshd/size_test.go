package sshd_test

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/sshtest"
)

// sizeCases are sizes that clients claim and the sizes that screens get.
var sizeCases = []struct {
	width, height uint32
	want          [2]int
}{
	{100, 30, [2]int{100, 30}},
	{0, 0, [2]int{80, 24}},
	{0, 50, [2]int{80, 50}},
	{1, 1, [2]int{1, 1}},
	{300, 100, [2]int{300, 100}},
	{301, 101, [2]int{300, 100}},
	{60000, 60000, [2]int{300, 100}},
	{80, 2000000, [2]int{80, 100}},
	{math.MaxUint32, math.MaxUint32, [2]int{300, 100}},
}

// ptyRequest is the payload of a request for a terminal.
type ptyRequest struct {
	Term                                   string
	Width, Height, PixelWidth, PixelHeight uint32
	Modes                                  string
}

// windowChange is the payload of a resize.
type windowChange struct{ Width, Height, PixelWidth, PixelHeight uint32 }

// ask sends a channel request and fails if it is refused.
func ask(t testing.TB, ch gossh.Channel, kind string, payload any) {
	t.Helper()
	var b []byte
	if payload != nil {
		b = gossh.Marshal(payload)
	}
	if ok, err := ch.SendRequest(kind, true, b); !ok || err != nil {
		t.Fatalf("%s: %v, %v", kind, ok, err)
	}
}

// checkSizes fails if any screen got a size that is too large to draw.
func (h *testServer) checkSizes(t *testing.T) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sizes {
		if s[0] < 1 || s[0] > 300 || s[1] < 1 || s[1] > 100 {
			t.Fatalf("a screen was told the size %v", s)
		}
	}
}

func TestSizeAtTheBeginning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, nil)
		for i, c := range sizeCases {
			ch, reqs := h.connect(t, "guest").open(t)
			go gossh.DiscardRequests(reqs)
			ask(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: c.width, Height: c.height})
			ask(t, ch, "shell", nil)
			h.wait(t, "the user", func() bool { return len(h.who) == i+1 })
			if who := h.last(); who.Width != c.want[0] || who.Height != c.want[1] {
				t.Errorf("of %d×%d the app is told %d×%d, want %v", c.width, c.height, who.Width, who.Height, c.want)
			}
			ch.Close()
		}
		synctest.Wait()
		h.checkSizes(t)
	})
}

func TestSizeChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, nil)
		p := h.come(t, sshtest.Options{Width: 90, Height: 40})
		for _, c := range sizeCases {
			if c.width == math.MaxUint32 {
				continue // Resize takes it for -1
			}
			p.Resize(int(c.width), int(c.height))
			h.wait(t, fmt.Sprint("the size ", c.want), func() bool { return len(h.sizes) > 0 && h.sizes[len(h.sizes)-1] == c.want })
		}
		h.checkSizes(t)
	})
}

// TestTypedSizes types a terminal's answer to a query for its size, with sizes that no
// terminal has.
func TestTypedSizes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, nil)
		p := h.come(t, sshtest.Options{Width: 90, Height: 30})
		for i, report := range []string{
			"\x1b[8;60000;60000t", "\x1b[8;2000000;1t", "\x1b[48;60000;60000;1;1t", "\x1b[48;1;4294967295;1;1t", "\x1b[8;0;0t",
		} {
			p.Type(report + string(rune('a'+i)))
			p.WaitText("keys: "+"abcde"[:i+1], "size: 90x30")
		}
		h.checkSizes(t)
	})
}

// TestSizeBeforeShell changes the size between the requests for a terminal and
// for a shell.
func TestSizeBeforeShell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, nil)
		ch, reqs := h.connect(t, "guest").open(t)
		go gossh.DiscardRequests(reqs)
		ask(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 70, Height: 20})
		for i := range uint32(2000) {
			if _, err := ch.SendRequest("window-change", false, gossh.Marshal(windowChange{Width: 80 + i%7, Height: 25})); err != nil {
				t.Fatal(err)
			}
		}
		ask(t, ch, "window-change", windowChange{Width: 111, Height: 33})
		ask(t, ch, "shell", nil)
		h.wait(t, "the user", func() bool { return len(h.who) == 1 })
		if who := h.last(); who.Width != 111 || who.Height != 33 {
			t.Errorf("the app is told %d×%d", who.Width, who.Height)
		}
		ch.Close()
	})
}

func TestManySizes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, nil)
		p := h.come(t, sshtest.Options{})
		began := time.Now()
		for i := range 2000 {
			p.Resize(60+i%200, 20+i%70)
		}
		p.Resize(77, 33)
		p.WaitText("size: 77x33")
		h.mu.Lock()
		defer h.mu.Unlock()
		if most := 3 + int(time.Since(began)*30/time.Second); len(h.sizes) > most {
			t.Errorf("the screen was told %d sizes, no more than %d can be seen", len(h.sizes), most)
		}
	})
}

// TestManySizesToBusyScreen resizes a terminal whose screen is blocked, and checks that
// the connection goes on.
func TestManySizesToBusyScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serveInBubble(t, nil)
		c := h.connect(t, "guest")
		p := sshtest.Open(t, c.Client, sshtest.Options{})
		p.WaitText("hello")
		p.Press("W")
		synctest.Wait()
		for i := range 2000 {
			p.Resize(60+i%200, 20+i%70)
		}
		p.Resize(77, 33)
		if _, _, err := c.SendRequest("keepalive@openssh.com", true, nil); err != nil {
			t.Error(err)
		}
		sshtest.Open(t, c.Client, sshtest.Options{}).WaitText("hello") // next to it
		close(h.unblock)
		p.WaitText("size: 77x33")
		h.mu.Lock()
		defer h.mu.Unlock()
		if len(h.sizes) > 10 {
			t.Errorf("the screen was told %d sizes", len(h.sizes))
		}
	})
}
