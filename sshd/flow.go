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
	// wireReadSize is how many bytes are read from a connection at a time.
	wireReadSize = 4 << 10

	// maxUnread is how many bytes a connection keeps for sessions that do not read them.
	// Then it reads nothing more, which blocks the client. Replies to keepalive requests are
	// blocked, too, so a client is disconnected if a session does not read on.
	maxUnread = 64 << 10

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
)

// flow limits what one connection sends.
type flow struct {
	bytes    *rate.Limiter // received
	channels *rate.Limiter
}

func newFlow(l *Limits) flow {
	return flow{
		bytes:    rate.NewLimiter(rate.Limit(l.InputRate), max(l.InputBurst, wireReadSize)),
		channels: rate.NewLimiter(channelRate, channelBurst),
	}
}

// Read implements [net.Conn]. It limits the rate at which the client can send, and waits for
// sessions that have not read what it has sent.
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

// maskCleanClose returns io.EOF for the error of a connection that was closed without a fault
// of the client: the client has left, after which the library closes the connection and
// may still write to it, or the server shuts down. Other errors are returned unchanged.
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

// throttle waits until the connection may receive n bytes. Bytes beyond its own limit count
// against the limit of its address.
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

// unread counts the bytes that the sessions of a connection have not read. Their buffers are
// counted, and not the SSH library's: each channel is read at once, and the library extends the
// window of the channel then.
type unread struct {
	bytes atomic.Int64
	room  chan struct{} // capacity 1: there are fewer bytes than maxUnread again
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

// waitForRoom waits until fewer than maxUnread bytes are unread or the connection is closed.
func (c *connection) waitForRoom() {
	for c.unread.bytes.Load() >= maxUnread {
		select {
		case <-c.unread.room:
		case <-c.done:
			return
		}
	}
}

// floodMessage is the message to users whose client has sent too much.
const floodMessage i18n.Key = "Your SSH client sent far too much data at once, so the server closed the connection."

// stopFlood ends the sessions of the connection, stops reading from it, and closes it after
// floodPause. It does not wait.
func (c *connection) stopFlood(reason string) {
	if c.flooded.Swap(true) {
		return
	}
	c.server.cfg.Meter.countRefusal(RefusedRate)
	c.mu.Lock()
	c.closeReason, c.expelled = reason, true
	c.closeAfterLocked(floodPause)
	c.mu.Unlock()
	c.server.endFrontends(i18n.NewMessage(floodMessage), c)
}
