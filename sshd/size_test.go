package sshd_test

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/sshtest"
)

// sizeCases are the sizes that clients request and those that screens get.
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

// windowChange is a resize's payload.
type windowChange struct{ Width, Height, PixelWidth, PixelHeight uint32 }

// sendRequest sends a channel request and fails if it is refused.
func sendRequest(t testing.TB, ch gossh.Channel, kind string, payload any) {
	t.Helper()
	var b []byte
	if payload != nil {
		b = gossh.Marshal(payload)
	}
	if ok, err := ch.SendRequest(kind, true, b); !ok || err != nil {
		t.Fatalf("request %s = %v, %v", kind, ok, err)
	}
}

// TestTerminalSizeIsLimited checks the size of a terminal when it is opened and resized.
func TestTerminalSizeIsLimited(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		for i, c := range sizeCases {
			ch, reqs := h.connect(t, "guest").openChannel(t)
			go gossh.DiscardRequests(reqs)
			sendRequest(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: c.width, Height: c.height})
			sendRequest(t, ch, "shell", nil)
			h.waitFor(t, "the user", func() bool { return len(h.users) == i+1 })
			if who := h.lastUser(); who.Width != c.want[0] || who.Height != c.want[1] {
				t.Errorf("size of %d×%d = %d×%d, want %v", c.width, c.height, who.Width, who.Height, c.want)
			}
			sendRequest(t, ch, "window-change", windowChange{Width: 90, Height: 40})
			h.waitFor(t, "a resize", func() bool { return len(h.sizes) > 0 && h.sizes[len(h.sizes)-1] == [2]int{90, 40} })
			sendRequest(t, ch, "window-change", windowChange{Width: c.width, Height: c.height})
			h.waitFor(t, fmt.Sprint("the size ", c.want), func() bool { return h.sizes[len(h.sizes)-1] == c.want })
			ch.Close()
		}
	})
}

// TestSizeBeforeShell checks that a resize between the requests for a terminal and for a shell counts.
func TestSizeBeforeShell(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
		ch, reqs := h.connect(t, "guest").openChannel(t)
		go gossh.DiscardRequests(reqs)
		sendRequest(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 70, Height: 20})
		for i := range uint32(2000) {
			if _, err := ch.SendRequest("window-change", false, gossh.Marshal(windowChange{Width: 80 + i%7, Height: 25})); err != nil {
				t.Fatal(err)
			}
		}
		sendRequest(t, ch, "window-change", windowChange{Width: 111, Height: 33})
		sendRequest(t, ch, "shell", nil)
		h.waitFor(t, "the user", func() bool { return len(h.users) == 1 })
		if who := h.lastUser(); who.Width != 111 || who.Height != 33 {
			t.Errorf("got size %d×%d", who.Width, who.Height)
		}
		ch.Close()
	})
}

// TestBusyScreenGetsFewSizes checks that a blocked screen gets few of many resizes, and that its connection
// continues.
func TestBusyScreenGetsFewSizes(t *testing.T) {
	runInBubble(t, nil, func(t *testing.T, h *testServer) {
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
		// Another session works next to the blocked one.
		sshtest.Open(t, c.Client, sshtest.Options{}).WaitText("hello")
		close(h.unblock)
		p.WaitText("size: 77x33")
		h.mu.Lock()
		defer h.mu.Unlock()
		if len(h.sizes) > 10 {
			t.Errorf("the screen received %d sizes", len(h.sizes))
		}
	})
}
