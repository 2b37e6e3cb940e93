package sshd

import (
	"sync"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// handleSessionChannel serves a session channel until it ends, unless the connection or the server refuses it.
func (s *Server) handleSessionChannel(_ *ssh.Server, sc *gossh.ServerConn, nc gossh.NewChannel, ctx ssh.Context) {
	c := ctx.Value(connectionKey{}).(*connection)
	number, ok := c.reserveChannel()
	if c.flooded.Load() {
		// After a reply, the client would reconnect.
		return
	}
	if !ok {
		_ = nc.Reject(gossh.ResourceShortage, "too many sessions on this connection")
		return
	}
	defer c.releaseChannel()
	s.mu.Lock()
	closing := s.closing
	if !closing {
		s.chanWork.Add(1)
		c.keepAliveOnce.Do(func() { c.scheduleKeepAlive(sc) })
	}
	s.mu.Unlock()
	if closing {
		_ = nc.Reject(gossh.ResourceShortage, "the server is shutting down")
		return
	}
	defer s.chanWork.Done()

	sess := newSession(s, c, number)
	accepted, err := sess.acceptChannel(nc)
	if err != nil {
		// The client has left.
		return
	}
	ssh.DefaultSessionHandler(sess.newLibraryServer(), sc, accepted, ctx)
	sess.endAndWait()
	accepted.work.Wait()
}

// newLibraryServer returns the library's server for a session. The library calls the handlers of a server with a
// context for the whole connection. A server for each channel keeps the sessions apart. If this function were
// inlined, it would double the stack of each waiting channel.
//
//go:noinline
func (s *session) newLibraryServer() *ssh.Server {
	return &ssh.Server{PtyHandler: s.server.pty, SessionRequestCallback: s.handleStartRequest, Handler: s.serve}
}

// rejectChannel refuses channels that are not sessions.
func (s *Server) rejectChannel(_ *ssh.Server, _ *gossh.ServerConn, nc gossh.NewChannel, ctx ssh.Context) {
	c := ctx.Value(connectionKey{}).(*connection)
	if !c.flow.channels.Allow() {
		c.expelForFlood(floodChannels)
		return
	}
	// Reject fails if the client has left.
	_ = nc.Reject(gossh.UnknownChannelType, "unsupported channel type")
}

// acceptedChannel is an accepted session channel. Its requests reach the library
// through filterRequests, and its data through the session's inputBuffer.
type acceptedChannel struct {
	gossh.NewChannel
	session  *session
	requests chan *gossh.Request
	// work ends with the channel.
	work sync.WaitGroup
}

// acceptChannel accepts the session's channel and reads everything that the client sends on it, whatever the
// session does.
func (s *session) acceptChannel(nc gossh.NewChannel) (*acceptedChannel, error) {
	ch, in, err := nc.Accept()
	if err != nil {
		return nil, err
	}
	s.channel = ch
	c := &acceptedChannel{NewChannel: nc, session: s, requests: make(chan *gossh.Request)}
	c.work.Go(func() {
		defer close(s.window.closed)
		defer close(c.requests)
		s.filterRequests(in, c.requests, ch)
	})
	c.work.Go(func() {
		if !s.input.fill(ch) {
			s.conn.expelForFlood(floodEarly)
		}
	})
	c.work.Go(func() {
		var b [1]byte
		n, _ := ch.Stderr().Read(b[:])
		// Clients must not send extended data.
		if n > 0 {
			s.conn.expelForFlood(floodExtended)
		}
	})
	return c, nil
}

// Accept implements [gossh.NewChannel].
func (c *acceptedChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	return bufferedChannel{c.session.channel, c.session.input}, c.requests, nil
}

// bufferedChannel is a channel whose input comes from a buffer.
type bufferedChannel struct {
	gossh.Channel
	input *inputBuffer
}

// Read implements [gossh.Channel].
func (c bufferedChannel) Read(p []byte) (int, error) { return c.input.Read(p) }
