package sshd

import (
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"broadside/internal/i18n"
)

const (
	// wireReadSize is the number of bytes that are read from a connection at a time.
	wireReadSize = 4 << 10

	// maxUnread is the number of bytes that a connection keeps for sessions that do not read them. Beyond it,
	// the server reads nothing more, which blocks the client. Replies to keepalive requests are blocked, too,
	// so a client is disconnected if a session never reads.
	maxUnread = 64 << 10

	// channelRate is the number of channels that a connection may open per second. It may open channelBurst at
	// the same time.
	channelBurst, channelRate = 100, 5

	// floodPause is the time that a connection which floods the server stays open, unread, before it is closed.
	// Otherwise a client that keeps reconnecting would use all connections of its address.
	floodPause = 10 * time.Second
)

// The logged reasons for closing a connection.
const (
	floodChannels = "opens too many channels"
	floodEarly    = "sends data before it requests a session"
	floodExtended = "sends extended data"
)

// flow limits what one connection sends.
type flow struct {
	bytes    *rate.Limiter
	channels *rate.Limiter
}

func newFlow(l *Limits) flow {
	return flow{
		bytes:    rate.NewLimiter(rate.Limit(l.InputRate), max(l.InputBurst, wireReadSize)),
		channels: rate.NewLimiter(channelRate, channelBurst),
	}
}

// Read implements [net.Conn]. It limits the rate at which the client can send, and waits for sessions that have
// not read their input.
func (c *connection) Read(p []byte) (int, error) {
	c.waitForRoom()
	n, err := c.Conn.Read(p[:min(len(p), wireReadSize)])
	if n == 0 {
		if err != nil && !errors.Is(err, net.ErrClosed) {
			c.clientLeft.Store(true)
		}
		return n, c.maskCleanClose(err)
	}
	c.throttle(n)
	if c.flooded.Load() {
		<-c.done
	}
	return n, err
}

// Write implements [net.Conn].
func (c *connection) Write(p []byte) (int, error) {
	n, err := c.outbox.Write(p)
	return n, c.maskCleanClose(err)
}

// maskCleanClose returns io.EOF instead of [net.ErrClosed] if the client has left or the server shuts down.
// After the client has left, the library closes the connection and may still write to it.
func (c *connection) maskCleanClose(err error) error {
	if !errors.Is(err, net.ErrClosed) {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closeReason == shutdownReason || c.closeReason == "" && c.clientLeft.Load() {
		return io.EOF
	}
	return err
}

// throttle waits until the connection may receive n bytes. Bytes beyond its own limit count against its
// address's limit.
func (c *connection) throttle(n int) {
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

// unread counts the bytes that a connection's sessions have not read from their buffers. The SSH library's
// buffers do not count, because each channel is read immediately, and the library then extends its window.
type unread struct {
	bytes atomic.Int64
	// room has a capacity of 1. It receives when there are fewer than maxUnread bytes again.
	room chan struct{}
}

func (u *unread) add(n int) { u.bytes.Add(int64(n)) }

func (u *unread) remove(n int) {
	if u.bytes.Add(-int64(n)) >= maxUnread {
		return
	}
	select {
	case u.room <- struct{}{}:
	default:
	}
}

// waitForRoom waits until fewer than maxUnread bytes are unread, or until the connection is closed.
func (c *connection) waitForRoom() {
	for c.unread.bytes.Load() >= maxUnread {
		select {
		case <-c.unread.room:
		case <-c.done:
			return
		}
	}
}

const floodMessage i18n.Key = "Your SSH client sent far too much data at once, so the server closed the connection."

// expelForFlood ends the connection's sessions, stops reading from it, and closes it after floodPause. It does not
// wait.
func (c *connection) expelForFlood(reason string) {
	if c.flooded.Swap(true) {
		return
	}
	c.server.cfg.Meter.countRefusal(RefusedRate)
	c.mu.Lock()
	c.closeReason, c.expelled = reason, true
	c.closeAfterLocked(floodPause)
	c.mu.Unlock()
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.server.endFrontendsLocked(c, i18n.NewMessage(floodMessage))
}
