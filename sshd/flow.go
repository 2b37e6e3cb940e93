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
)

// inputWindow is how many bytes a client may send on a channel before the server
// has read them.
const inputWindow = 8 << 10

// limitWindow reduces the window of a channel before it is accepted, from 2 MiB in the
// SSH library to inputWindow, and reports whether that worked. The library has no option
// for it, so limitWindow finds the field by name. With the larger window, a client that
// sends much more than its session reads is disconnected instead of blocked: see
// maxAhead.
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

	// maxAhead is how many received bytes of a connection may be unread, with the
	// headers of packets. A full window has 42 kB if each line is a packet, but 300 kB
	// in packets of one byte; the estimate of backlog may be 1.6 times too high on a
	// busy machine. The library needs about 100 bytes for a packet, so this allows
	// 0.5 MB. aheadRate is how many bytes per second do not count, so that other
	// sessions of the connection continue while one does not read.
	maxAhead, aheadRate = 160 << 10, 128

	// channelRate is how many channels a connection may open per second, and channelBurst
	// how many at once.
	channelBurst, channelRate = 100, 5

	// floodPause is how long a connection that floods the server stays open, unread,
	// before it is closed. Otherwise a client that keeps reconnecting would use all
	// connections of its address.
	floodPause = 10 * time.Second
)

// Logged reasons for closing a connection.
const (
	floodChannels = "opens too many channels"
	floodEarly    = "sends data before it requests a session"
	floodExtended = "sends extended data"
	floodAhead    = "sends more than its session reads"
)

// flow limits what one connection sends.
type flow struct {
	bytes    *rate.Limiter // received
	channels *rate.Limiter
}

func newFlow(l *Limits) flow {
	return flow{
		bytes:    rate.NewLimiter(rate.Limit(l.InputRate), max(l.InputBurst, wireChunk)),
		channels: rate.NewLimiter(channelRate, channelBurst),
	}
}

// Read implements [net.Conn]. It limits the rate at which the client can send.
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

// explain returns io.EOF for the error of a connection that was closed without a fault
// of the client: the client has left, after which the library closes the connection and
// may still write to it, or the server shuts down. Other errors are returned unchanged.
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

// pace waits until the connection may receive n bytes. Bytes beyond its own limit count
// against the limit of its address.
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

// backlog estimates how many bytes of a connection the SSH library holds until sessions
// read them. The bytes are encrypted and their session is unknown, so all of them count
// while a session is behind.
type backlog struct {
	mu      sync.Mutex
	stalled int       // guarded by mu: sessions that are behind
	bytes   float64   // guarded by mu
	since   time.Time // guarded by mu: when bytes was up to date
}

// received counts bytes. It returns false if there are too many.
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

// read counts n bytes of data that a session that is behind has read. They are at least
// the same part of the data in its window, and so about the same part of the backlog.
func (l *backlog) read(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	part := float64(n) / float64(inputWindow*max(1, l.stalled))
	l.bytes *= max(0, 1-part)
}

// stall changes the number of sessions that are behind.
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

// flooding is the message to users whose client has sent too much.
const flooding i18n.Key = "your-ssh-client-sent-far"

// flood ends the sessions of the connection, stops reading from it, and closes it after
// floodPause. It does not wait.
func (c *connection) flood(reason string) {
	if c.flooded.Swap(true) {
		return
	}
	c.server.cfg.Meter.refused(RefusedRate)
	c.mu.Lock()
	c.reason, c.expelled = reason, true
	c.linger.Reset(floodPause)
	c.mu.Unlock()
	c.server.endPrograms(i18n.NewMessage(flooding), c)
}
