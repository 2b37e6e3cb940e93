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

// maxLinger is how long a connection without a session is kept: enough for a
// client that shares one connection among sessions to open its next.
const maxLinger = time.Minute

// connection is one client's TCP connection, from its acceptance to its end.
type connection struct {
	net.Conn
	server *Server
	id     int        // its number
	addr   netip.Addr // where the client is; zero if that is no IP address
	log    *slog.Logger
	since  time.Time
	done   chan struct{} // closed when the connection is
	once   sync.Once     // closes it
	beat   sync.Once     // starts its keepalive

	flow    flow
	backlog backlog
	left    atomic.Bool // the client has closed it
	flooded atomic.Bool // it has sent too much, and is not read any more

	mu       sync.Mutex
	verified gossh.PublicKey // guarded by mu: signed with by the client, the last one
	login    *login          // guarded by mu: nil until the client is in
	open     int             // guarded by mu: session channels
	served   int             // guarded by mu: sessions that run
	opened   int             // guarded by mu: session channels ever
	linger   *time.Timer     // guarded by mu: cuts it when it does not log in, or no session runs
	reason   string          // guarded by mu: why it was cut; empty if the client left
	expelled bool            // guarded by mu: it is about to be cut, and gets no further session
}

// login is who a connection belongs to.
type login struct {
	name        string // clean
	fingerprint string // of the key that was proved; empty for guests
}

// signed notes a key that the client has proved to own.
func (c *connection) signed(key gossh.PublicKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.verified = key
}

// loggedIn notes that the client has got in, by the given method.
func (c *connection) loggedIn(user, method string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.login = &login{name: cleanName(user)}
	if method == "publickey" {
		c.login.fingerprint = fingerprint(c.verified)
	}
	linger := c.server.linger()
	if c.expelled {
		linger = 0
	}
	c.linger.Reset(linger)
	if c.login.fingerprint != "" {
		c.server.count(LoginByKey)
	} else {
		c.server.count(LoginOfGuest)
	}
	c.log.Info("ssh login", "method", method, "user", c.login.name, "key", c.login.fingerprint)
}

// who is whose connection this is. It may be called once the client is in.
func (c *connection) who() login {
	c.mu.Lock()
	defer c.mu.Unlock()
	return *c.login
}

// take counts a session channel and returns its number, unless there are too
// many. A connection that opens channels too fast is closed.
func (c *connection) take() (number int, ok bool) {
	if !c.flow.channels.Allow() {
		c.flood(floodChannels)
		return 0, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open >= c.server.limits().MaxSessionsPerConn {
		return 0, false
	}
	c.open++
	c.opened++
	return c.opened, true
}

// give takes back what take counted.
func (c *connection) give() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
}

// begin notes that a session runs, end that it has run.
func (c *connection) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.served++
	if !c.expelled {
		c.linger.Stop()
	}
}

func (c *connection) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.served--
	switch {
	case c.served > 0 || c.flooded.Load():
	case c.expelled:
		c.linger.Reset(0)
	default:
		c.linger.Reset(c.server.linger())
	}
}

// shutdown is the reason for the log when the server ends.
const shutdown = "shutdown"

// abandon cuts the connection when nothing comes of it.
func (c *connection) abandon() {
	c.mu.Lock()
	reason := "no session"
	if c.login == nil {
		reason = "no login"
	}
	c.mu.Unlock()
	c.cut(reason)
}

// cut closes the connection for a reason, which is for the log.
func (c *connection) cut(reason string) {
	c.mu.Lock()
	c.reason = cmp.Or(c.reason, reason)
	c.mu.Unlock()
	_ = c.Close() // nothing is to be saved
}

// Close implements [net.Conn]. The library calls it at the end of every
// connection.
func (c *connection) Close() error {
	err := net.ErrClosed
	c.once.Do(func() {
		err = c.Conn.Close()
		c.mu.Lock()
		reason := cmp.Or(c.reason, "client left")
		if c.login == nil {
			reason = cmp.Or(c.reason, "no login")
		}
		c.linger.Stop()
		who := login{}
		if c.login != nil {
			who = *c.login
		}
		c.mu.Unlock()
		c.log.Info("ssh disconnect", "user", who.name, "key", who.fingerprint, "reason", reason, "after", time.Since(c.since).Round(time.Millisecond))
		close(c.done)
		c.server.forget(c)
	})
	return err
}

// missedKeepAlives is how many intervals a client may let pass before it is
// taken for dead.
const missedKeepAlives = 3

// keepAlive asks the client now and then whether it is still there, until the
// connection ends. A link that is down is noticed by that, and the player
// counts as gone.
func (c *connection) keepAlive(sc *gossh.ServerConn) {
	every := c.server.limits().KeepAlive
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-t.C:
		}
		dead := time.AfterFunc(missedKeepAlives*every, func() { c.cut("no answer") })
		_, _, err := sc.SendRequest("keepalive@openssh.com", true, nil)
		dead.Stop()
		if err != nil {
			return
		}
	}
}
