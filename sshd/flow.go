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

// inputWindow is how many bytes a client may send on a channel before the server has read
// them. The server renews the window when more than windowRenewal bytes of it are used.
const inputWindow, windowRenewal = 8 << 10, inputWindow / 2

// libraryRenewal is how many bytes of its window the SSH library lets a client use before it
// renews the window.
const libraryRenewal = 3 * 32 << 10

// accept accepts a channel with a window of inputWindow instead of the SSH library's 2 MiB.
// With the larger window, a client that sends much more than its session reads is
// disconnected instead of blocked: see maxAhead.
//
// The library has no option for the window, so accept finds its fields by name, and leaves
// the window alone if there are none. Once the channel is accepted, the library counts as if
// the client had used all but windowRenewal of libraryRenewal. If it counted from the smaller
// window, it would renew it after every key.
func accept(nc gossh.NewChannel) (gossh.Channel, <-chan *gossh.Request, error) {
	window, mu := field[uint32](nc, "myWindow"), field[sync.Mutex](nc, "windowMu")
	if window == nil || mu == nil {
		return nc.Accept()
	}
	hidden := *window - inputWindow - (libraryRenewal - windowRenewal)
	*window = inputWindow
	ch, requests, err := nc.Accept()
	mu.Lock()
	defer mu.Unlock()
	*window += hidden
	return ch, requests, err
}

// field returns a field of the struct that v points to, or nil if there is none of that name
// and type.
func field[T any](v any, name string) *T {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.Elem().Kind() != reflect.Struct {
		return nil
	}
	f := p.Elem().FieldByName(name)
	if !f.IsValid() || f.Type() != reflect.TypeFor[T]() {
		return nil
	}
	return (*T)(f.Addr().UnsafePointer())
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
	n, err := c.out.Write(p)
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
const flooding i18n.Key = "Your SSH client sent far too much data at once, so the server closed the connection."

// flood ends the sessions of the connection, stops reading from it, and closes it after
// floodPause. It does not wait.
func (c *connection) flood(reason string) {
	if c.flooded.Swap(true) {
		return
	}
	c.server.cfg.Meter.refused(RefusedRate)
	c.mu.Lock()
	c.reason, c.expelled = reason, true
	c.lingerLocked(floodPause)
	c.mu.Unlock()
	c.server.endPrograms(i18n.NewMessage(flooding), c)
}
