package sshd

import (
	"io"
	"net"
	"testing"
	"testing/synctest"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/sshtest"
)

// TestLimitWindow fails if the SSH library changes so that its window can no longer be
// reduced.
func TestLimitWindow(t *testing.T) {
	if limitWindow(nil) || limitWindow(struct{ gossh.NewChannel }{}) || limitWindow(&acceptedChannel{}) {
		t.Error("something without a window has one")
	}
	type channel struct {
		gossh.NewChannel
		myWindow uint32
	}
	if c := (&channel{}); !limitWindow(c) || c.myWindow != inputWindow {
		t.Errorf("the window is %d", c.myWindow)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	config := &gossh.ServerConfig{NoClientAuth: true}
	config.AddHostKey(sshtest.NewSigner(t))
	go func() {
		near, err := l.Accept()
		if err != nil {
			return
		}
		defer near.Close()
		_, chans, reqs, err := gossh.NewServerConn(near, config)
		if err != nil {
			return
		}
		go gossh.DiscardRequests(reqs)
		for nc := range chans {
			if !limitWindow(nc) {
				t.Error("the library's window cannot be reduced")
			}
			_ = nc.Reject(gossh.Prohibited, "tested")
		}
	}()
	c, err := gossh.Dial("tcp", l.Addr().String(), &gossh.ClientConfig{HostKeyCallback: gossh.InsecureIgnoreHostKey()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, _, err := c.OpenChannel("session", nil); err == nil {
		t.Error("the channel was accepted")
	}
}

func TestInputBuffer(t *testing.T) {
	t.Run("before the session", func(t *testing.T) {
		b := newInputBuffer(new(backlog))
		if !b.put(make([]byte, maxEarly)) || b.put([]byte("x")) {
			t.Error("not as much as may come early")
		}
	})
	t.Run("in a session", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := new(backlog)
			b := newInputBuffer(l)
			b.start()
			r, w := io.Pipe()
			done := make(chan bool)
			go func() { done <- b.fill(r) }()
			go func() {
				_, _ = w.Write(make([]byte, 10*maxUnread)) // fails at the end
				_ = w.Close()
			}()
			synctest.Wait()
			if len(b.data) > maxUnread || l.stalled != 1 || !l.received(maxAhead) || l.received(1) {
				t.Errorf("%d bytes are kept, and %v of %d sessions behind", len(b.data), l.bytes, l.stalled)
			}
			n, err := io.Copy(io.Discard, b)
			if n != 10*maxUnread || err != nil || !<-done || l.stalled != 0 || !l.received(maxAhead) || !l.received(1) {
				t.Errorf("%d bytes were read, %d sessions are behind: %v", n, l.stalled, err)
			}
		})
	})
	t.Run("after the session", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newInputBuffer(new(backlog))
			b.start()
			r, w := io.Pipe()
			done := make(chan bool)
			go func() { done <- b.fill(r) }()
			go func() {
				_, _ = w.Write(make([]byte, 10*maxUnread))
				_ = w.Close()
			}()
			synctest.Wait()
			if err := b.Close(); err != nil || !<-done || b.data != nil {
				t.Errorf("%d bytes are kept: %v", len(b.data), err)
			}
			if n, err := b.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				t.Errorf("%d bytes are read: %v", n, err)
			}
		})
	})
}

// TestBacklogInBursts fills and empties a window of lines that have a packet
// each, again and again, as happens on a busy machine.
func TestBacklogInBursts(t *testing.T) {
	l := new(backlog)
	l.stall(true)
	for i := range 100 {
		if !l.received(42_000) {
			t.Fatalf("window %d is too much", i)
		}
		for range inputWindow / inputChunk {
			l.read(inputChunk)
		}
	}
	for range maxAhead / wireChunk {
		if !l.received(wireChunk) {
			return
		}
	}
	t.Error("what nobody reads is not limited")
}
