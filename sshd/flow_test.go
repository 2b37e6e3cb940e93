package sshd_test

import (
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

// startSending writes to each writer in turn until a write fails, for at most a minute, and
// returns the number of bytes written.
func startSending(piece string, to ...io.Writer) *atomic.Int64 {
	n := new(atomic.Int64)
	go func() {
		for end := time.Now().Add(time.Minute); time.Now().Before(end); {
			for _, w := range to {
				k, err := io.WriteString(w, piece)
				n.Add(int64(k))
				if err != nil {
					return
				}
			}
		}
	}()
	return n
}

// TestChannelsWithoutRequestAreClosed checks that channels without a request are closed, and cannot be
// filled before that.
func TestChannelsWithoutRequestAreClosed(t *testing.T) {
	t.Run("quiet", func(t *testing.T) {
		runInBubble(t, nil, func(t *testing.T, h *testServer) {
			c := h.connect(t, "guest")
			ch, reqs := c.openChannel(t)
			sendRequest(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 80, Height: 24})
			began := time.Now()
			// DiscardRequests returns when the channel is closed.
			gossh.DiscardRequests(reqs)
			if d := time.Since(began); d < 9*time.Second || d > 11*time.Second {
				t.Errorf("connection was closed after %v", d)
			}
			p := sshtest.Open(t, c.Client, sshtest.Options{})
			p.WaitText("hello")
		})
	})
	for name, stream := range map[string]func(gossh.Channel) io.Writer{
		"data":          func(ch gossh.Channel) io.Writer { return ch },
		"extended data": func(ch gossh.Channel) io.Writer { return ch.Stderr() },
	} {
		t.Run(name, func(t *testing.T) {
			runInBubble(t, nil, func(t *testing.T, h *testServer) {
				c := h.connect(t, "guest")
				var to []io.Writer
				for range 7 {
					ch, reqs := c.openChannel(t)
					go gossh.DiscardRequests(reqs)
					to = append(to, stream(ch))
				}
				began := time.Now()
				n := startSending("x", to...)
				_ = c.Wait()
				if n.Load() > 7*8<<10 {
					t.Errorf("the server read %d bytes", n.Load())
				}
				if d := time.Since(began); d > 20*time.Second {
					t.Errorf("connection was closed after %v", d)
				}
				synctest.Wait()
				if log := h.log.String(); !strings.Contains(log, "reason=sends ") {
					t.Errorf("got log\n%s", log)
				}
			})
		})
	}
	t.Run("data before the shell", func(t *testing.T) {
		runInBubble(t, nil, func(t *testing.T, h *testServer) {
			ch, reqs := h.connect(t, "guest").openChannel(t)
			go gossh.DiscardRequests(reqs)
			go io.Copy(io.Discard, ch)
			if _, err := io.WriteString(ch, "early"); err != nil {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Second)
			sendRequest(t, ch, "pty-req", ptyRequest{Term: "xterm", Width: 80, Height: 24})
			sendRequest(t, ch, "shell", nil)
			h.waitFor(t, "the keys", func() bool { return h.events == 5 })
		})
	})
}

// unread is a command that does not read its input until goOn is closed.
type unread struct {
	goOn <-chan struct{}
	got  *atomic.Int64
}

func (unread) IsLongRunning() bool                        { return true }
func (unread) StartScreen() (opening any, lines, ok bool) { return nil, false, false }

func (u unread) Run(ctx context.Context, in io.ReadCloser, _, _ io.Writer) (status int) {
	select {
	case <-u.goOn:
	case <-ctx.Done():
		return 1
	}
	n, _ := io.Copy(io.Discard, in)
	u.got.Store(n)
	return 0
}

// TestUnreadInputBlocksClient checks that a client is blocked while a command does not read, and that no input
// is lost.
func TestUnreadInputBlocksClient(t *testing.T) {
	for name, piece := range map[string]string{"in one piece": strings.Repeat("x", 256<<10), "line by line": "+shoot A1\n"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got atomic.Int64
				goOn := make(chan struct{})
				h := startServerInBubble(t, func(c *sshd.Config) {
					// The client cannot answer while it is blocked.
					c.KeepAlive = time.Hour
					c.Command = func(sshd.User, []string) sshd.Command { return unread{goOn, &got} }
				})
				ch, reqs := h.connect(t, "program").openChannel(t)
				go gossh.DiscardRequests(reqs)
				sendRequest(t, ch, "exec", struct{ Command string }{"unread"})
				sent := startSending(piece, ch)
				time.Sleep(30 * time.Second)
				synctest.Wait()
				if n := sent.Load(); n > maxBlocked && len(piece) < 1000 {
					t.Errorf("the server read %d bytes of a session that does not read", n)
				}
				close(goOn)
				time.Sleep(40 * time.Second)
				synctest.Wait()
				ch.CloseWrite()
				synctest.Wait()
				if got.Load() != sent.Load() || got.Load() < 100<<10 {
					t.Errorf("sent %d bytes, but the session read %d", sent.Load(), got.Load())
				}
			})
		})
	}
}

// maxBlocked is the number of bytes that a client may send before it is blocked: those that the server and the
// network keep, and a packet.
const maxBlocked = 64<<10 + 64<<10 + 33<<10

// TestUnreadPacketsAreLimited checks that packets of one byte, which cost the server far more than their data,
// cannot fill its memory. The server keeps only their data, and disconnects the client, which does not get to
// the requests that the server sends.
func TestUnreadPacketsAreLimited(t *testing.T) {
	// This test needs the real clock, because a client that waits to write cannot answer.
	t.Parallel()
	h := startServer(t, func(c *sshd.Config) {
		c.KeepAlive = time.Second
		c.Command = func(sshd.User, []string) sshd.Command { return unread{nil, new(atomic.Int64)} }
	})
	c := h.connect(t, "program")
	var to []io.Writer
	for range 8 {
		ch, reqs := c.openChannel(t)
		go gossh.DiscardRequests(reqs)
		sendRequest(t, ch, "exec", struct{ Command string }{"unread"})
		to = append(to, ch)
	}
	sent := startSending("x", to...)
	_ = c.Wait()
	h.waitLog(t, "reason=no reply to keep-alive requests")
	// The rest waits in the network.
	if n := sent.Load(); n > 1<<20 {
		t.Errorf("the server read %d packets", n)
	}
}
