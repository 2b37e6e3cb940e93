package sshd

import (
	"io"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/memnet"
	"broadside/internal/test/sshtest"
)

// TestWindow fails if the SSH library changes so that its window can no longer be reduced.
func TestWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := memnet.New()
		defer network.Close()
		config := &gossh.ServerConfig{NoClientAuth: true}
		config.AddHostKey(sshtest.NewSigner(t))
		reads := make(chan int)     // how many bytes the server is to read
		done := make(chan struct{}) // it has read them
		go func() {
			defer close(done)
			near, err := network.Accept()
			if err != nil {
				t.Error(err)
				return
			}
			defer near.Close()
			_, chans, reqs, err := gossh.NewServerConn(near, config)
			if err != nil {
				t.Error(err)
				return
			}
			go gossh.DiscardRequests(reqs)
			ch, reqs, err := accept(<-chans)
			if err != nil {
				t.Error(err)
				return
			}
			go gossh.DiscardRequests(reqs)
			for n := range reads {
				if _, err := io.CopyN(io.Discard, ch, int64(n)); err != nil {
					t.Error(err)
				}
				done <- struct{}{}
			}
		}()
		wire := &countingConn{Conn: network.Dial("")}
		conn, chans, reqs, err := gossh.NewClientConn(wire, "", &gossh.ClientConfig{HostKeyCallback: gossh.InsecureIgnoreHostKey()})
		if err != nil {
			t.Fatal(err)
		}
		c := gossh.NewClient(conn, chans, reqs)
		defer c.Close()
		ch, reqs, err := c.OpenChannel("session", nil)
		if err != nil {
			t.Fatal(err)
		}
		go gossh.DiscardRequests(reqs)

		synctest.Wait()
		before := wire.received.Load()
		for range 1000 {
			ch.Write([]byte("k"))
			reads <- 1
			<-done
		}
		synctest.Wait()
		if n := wire.received.Load() - before; n > 0 {
			t.Errorf("the server has answered keys with %d bytes", n)
		}
		var sent atomic.Int64
		go func() {
			for chunk := make([]byte, 256); ; {
				n, err := ch.Write(chunk)
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
		}()
		for range 10 {
			synctest.Wait()
			n := sent.Load()
			if n > inputWindow || n < inputWindow-1000-256 {
				t.Fatalf("the client has sent %d bytes that the server has not read", n)
			}
			sent.Store(0)
			reads <- int(n)
			<-done
		}
		close(reads)
		<-done
	})
}

// countingConn counts the bytes that it receives.
type countingConn struct {
	net.Conn
	received atomic.Int64
}

func (c *countingConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.received.Add(int64(n))
	return n, err
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
