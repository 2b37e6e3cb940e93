package sshd

import (
	"cmp"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// maxLinger is the time that a connection without a session is kept open. A client that shares a connection
// among sessions can open the next one meanwhile.
const maxLinger = time.Minute

// connection is a client's TCP connection.
type connection struct {
	net.Conn
	server *Server
	// id is the connection's number, from 1.
	id int
	// addr is the client's address. It is zero if the client has no IP address.
	addr        netip.Addr
	log         *slog.Logger
	connectedAt time.Time
	// done is closed with the connection.
	done          chan struct{}
	closeOnce     sync.Once
	keepAliveOnce sync.Once

	outbox     outbox
	flow       flow
	unread     unread
	clientLeft atomic.Bool
	// screenCount is the number of sessions so far that had a screen.
	screenCount atomic.Int32
	// flooded is set when the client has sent too much. Nothing more is read then.
	flooded atomic.Bool

	// mu guards the fields below.
	mu sync.Mutex
	// verifiedKey is the last key that the client has signed with.
	verifiedKey gossh.PublicKey
	// login is nil before the login.
	login           *login
	openChannels    int
	runningSessions int
	// channelCount is the number of all session channels so far.
	channelCount int
	// closeTimer closes a connection without a login or a session.
	closeTimer *time.Timer
	// keepAliveTimer calls sendKeepAlive. It is nil before the first session.
	keepAliveTimer *time.Timer
	// closeReason is the reason to log. It is empty if the client left.
	closeReason string
	// expelled is set when the connection will be closed, so that no session may start.
	expelled bool
}

// login is a user's identity.
type login struct {
	name string
	// fingerprint is that of the verified key. It is empty for guests.
	fingerprint string
}

func (c *connection) setVerifiedKey(key gossh.PublicKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.verifiedKey = key
}

// setLogin stores the user after a login with an authentication method.
func (c *connection) setLogin(user, method string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.login = &login{name: cleanName(user)}
	if method == "publickey" {
		c.login.fingerprint = fingerprint(c.verifiedKey)
	}
	linger := c.server.lingerTime()
	if c.expelled {
		linger = 0
	}
	c.closeAfterLocked(linger)
	if c.login.fingerprint != "" {
		c.server.cfg.Meter.countLogin(LoginWithKey)
	} else {
		c.server.cfg.Meter.countLogin(LoginAsGuest)
	}
	c.log.Info("ssh login", "method", method, "user", c.login.name, "key", c.login.fingerprint)
}

// currentLogin returns the login. It must be called only after the login.
func (c *connection) currentLogin() login {
	c.mu.Lock()
	defer c.mu.Unlock()
	return *c.login
}

// reserveChannel counts a session channel and returns its number. It returns false if there are too many. A
// connection that opens channels too fast is closed.
func (c *connection) reserveChannel() (number int, ok bool) {
	if !c.flow.channels.Allow() {
		c.expelForFlood(floodChannels)
		return 0, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.openChannels >= c.server.limits().MaxSessionsPerConn {
		return 0, false
	}
	c.openChannels++
	c.channelCount++
	return c.channelCount, true
}

func (c *connection) releaseChannel() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.openChannels--
}

// addSession counts a running session, for which the connection stays open.
func (c *connection) addSession() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runningSessions++
	if !c.expelled {
		c.closeTimer.Stop()
	}
}

// removeSession uncounts a session. After the last one, the connection is closed soon.
func (c *connection) removeSession() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runningSessions--
	if c.runningSessions > 0 || c.flooded.Load() {
		return
	}
	if c.expelled {
		c.closeAfterLocked(0)
		return
	}
	c.closeAfterLocked(c.server.lingerTime())
}

// closeAfterLocked closes the connection after d unless a session starts before. It does nothing for a closed
// connection, which a timer would keep in memory.
func (c *connection) closeAfterLocked(d time.Duration) {
	if !c.isClosed() {
		c.closeTimer.Reset(d)
	}
}

func (c *connection) isClosed() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// shutdownReason is the logged reason when the server shuts down.
const shutdownReason = "shutdown"

// closeUnused closes a connection that has no login or no session.
func (c *connection) closeUnused() {
	c.mu.Lock()
	reason := "no session"
	if c.login == nil {
		reason = "no login"
	}
	c.mu.Unlock()
	c.closeWithReason(reason)
}

// closeWithReason closes the connection. It logs the reason, unless there is an earlier one.
func (c *connection) closeWithReason(reason string) {
	c.mu.Lock()
	c.closeReason = cmp.Or(c.closeReason, reason)
	c.mu.Unlock()
	_ = c.Close()
}

// Close implements [net.Conn]. The library calls it for every connection.
func (c *connection) Close() error {
	err := net.ErrClosed
	c.closeOnce.Do(func() {
		err = c.Conn.Close()
		c.mu.Lock()
		reason := cmp.Or(c.closeReason, "client left")
		if c.login == nil {
			reason = cmp.Or(c.closeReason, "no login")
		}
		c.closeTimer.Stop()
		if c.keepAliveTimer != nil && c.keepAliveTimer.Stop() {
			c.server.connWork.Done()
		}
		close(c.done)
		currentLogin := login{}
		if c.login != nil {
			currentLogin = *c.login
		}
		c.mu.Unlock()
		c.log.Info("ssh disconnect", "user", currentLogin.name, "key", currentLogin.fingerprint, "reason", reason,
			"after", time.Since(c.connectedAt).Round(time.Millisecond))
		c.server.removeConnection(c)
	})
	return err
}

// missedKeepAlives is the number of intervals without a reply after which a client is disconnected.
const missedKeepAlives = 3

// scheduleKeepAlive schedules the next request to the client, unless the connection is closed. No goroutine
// waits for it.
func (c *connection) scheduleKeepAlive(sc *gossh.ServerConn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed() {
		return
	}
	c.server.connWork.Add(1)
	c.keepAliveTimer = time.AfterFunc(c.server.limits().KeepAlive, func() {
		defer c.server.connWork.Done()
		c.sendKeepAlive(sc)
	})
}

// sendKeepAlive sends a request to the client and schedules the next one after the reply. It closes the
// connection if no reply comes, because the link is down.
func (c *connection) sendKeepAlive(sc *gossh.ServerConn) {
	dead := time.AfterFunc(missedKeepAlives*c.server.limits().KeepAlive, func() {
		c.closeWithReason("no reply to keep-alive requests")
	})
	_, _, err := sc.SendRequest("keepalive@openssh.com", true, nil)
	dead.Stop()
	if err == nil {
		c.scheduleKeepAlive(sc)
	}
}
