package sshd

import (
	"errors"
	"io"
	"net"
	"reflect"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"broadside/internal/i18n"
	"broadside/internal/ratelimit"
)

// inputWindow is how many bytes a client may send on a channel before the server
// has read them.
const inputWindow = 8 << 10

// limitWindow reduces the window of a channel that is not accepted yet, which is
// 2 MiB in the SSH library, to inputWindow, and reports whether it could. The
// library has no option for it, so its field is found by name. With the large
// window, a client that sends much more than its session reads is disconnected
// instead of having to wait: see maxAhead.
func limitWindow(nc gossh.NewChannel) bool {
	v := reflect.ValueOf(nc)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return false
	}
	f := v.Elem().FieldByName("myWindow")
	if !f.IsValid() || f.Kind() != reflect.Uint32 {
		return false
	}
	*(*uint32)(f.Addr().UnsafePointer()) = inputWindow
	return true
}

const (
	// wireChunk is how many bytes are read from a connection at a time.
	wireChunk = 4 << 10

	// maxAhead is how many bytes that are not read yet a connection may have
	// received, headers of packets included. A full window has 42 kB if it
	// consists of lines with a packet each, but 300 kB in packets of one byte;
	// the estimate of backlog may be 1.6 times too high, which a busy machine
	// shows. The library needs about 100 bytes for a packet, so this allows
	// 0.5 MB. aheadRate is how many bytes a second do not count: other sessions
	// of the connection go on while one does not read.
	maxAhead, aheadRate = 160 << 10, 128

	// channelBurst is how many channels a connection may open at once, and
	// channelRate how many more a second.
	channelBurst, channelRate = 100, 5

	// floodPause is how long a connection that floods the server is left
	// unread before it is closed. A client that does nothing but reconnect would
	// otherwise leave no connections for others at its address.
	floodPause = 10 * time.Second
)

// Reasons why a connection is closed, for the log.
const (
	floodChannels = "opens too many channels"
	floodEarly    = "sends data before it requests a session"
	floodExtended = "sends extended data"
	floodAhead    = "sends more than its session reads"
)

// flow limits what one connection sends.
type flow struct {
	bytes    *rate.Limiter // of all that is received
	channels *rate.Limiter
}

func newFlow(l Limits) flow {
	return flow{
		bytes:    rate.NewLimiter(rate.Limit(l.InputRate), max(l.InputBurst, wireChunk)),
		channels: rate.NewLimiter(channelRate, channelBurst),
	}
}

// Read implements [net.Conn]. It returns no faster than the client may send.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p[:min(len(p), wireChunk)])
	if n == 0 {
		if err != nil && !errors.Is(err, net.ErrClosed) {
			c.left.Store(true)
		}
		return n, c.explain(err)
	}
	if !c.backlog.received(n) {
		c.flood(floodAhead)
	}
	c.pace(n)
	if c.flooded.Load() {
		<-c.done
	}
	return n, err
}

// Write implements [net.Conn].
func (c *connection) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	return n, c.explain(err)
}

// explain returns io.EOF for the error of a connection that was closed although
// its client did nothing wrong: the client has left, whereupon the library closes
// the connection and may still write to it, or the server shuts down. After any
// other end, for instance because the client sent rubbish, the error stays.
func (c *connection) explain(err error) error {
	if !errors.Is(err, net.ErrClosed) {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reason == shutdown || c.reason == "" && c.left.Load() {
		return io.EOF
	}
	return err
}

// pace waits until the connection may have received n bytes. What exceeds its
// own limit counts against that of its address.
func (c *connection) pace(n int) {
	if c.flow.bytes.AllowN(time.Now(), n) || c.server.inputRate.AllowN(c.addr, n) {
		return
	}
	t := time.NewTimer(c.flow.bytes.ReserveN(time.Now(), n).Delay())
	defer t.Stop()
	select {
	case <-t.C:
	case <-c.done:
	}
}

// backlog estimates how many bytes of a connection wait in the SSH library to be
// read by sessions. What a connection receives is encrypted, so everything
// counts while there is a session that is behind.
type backlog struct {
	mu      sync.Mutex
	stalled int       // guarded by mu: sessions that are behind
	bytes   float64   // guarded by mu
	since   time.Time // guarded by mu: when bytes was up to date
}

// received counts bytes and reports whether they are not too many.
func (l *backlog) received(n int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stalled == 0 {
		return true
	}
	now := time.Now()
	l.bytes = max(0, l.bytes-aheadRate*now.Sub(l.since).Seconds()) + float64(n)
	l.since = now
	return l.bytes <= maxAhead
}

// read notes that a session that is behind has read n bytes of data. They are at
// least that part of the data in its window, so about that part of the bytes.
func (l *backlog) read(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	part := float64(n) / float64(inputWindow*max(1, l.stalled))
	l.bytes *= max(0, 1-part)
}

// stall notes that a session falls behind, or no longer is.
func (l *backlog) stall(behind bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !behind {
		l.stalled--
		return
	}
	if l.stalled++; l.stalled == 1 {
		l.bytes, l.since = 0, time.Now()
	}
}

// flooding is what people read whose client has sent too much.
const flooding i18n.Text = "Your ssh client sent far too much at once, so the server closed the connection."

// flood ends the sessions of the connection, reads nothing more from it, and
// closes it after floodPause. It does not wait.
func (c *connection) flood(reason string) {
	if c.flooded.Swap(true) {
		return
	}
	c.server.count(refused(ratelimit.ErrTooFast))
	c.mu.Lock()
	c.reason, c.expelled = reason, true
	c.linger.Reset(floodPause)
	c.mu.Unlock()
	c.server.endPrograms(i18n.Mean(flooding), c)
}
