package sshd

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/ratelimit"
)

// acceptConnection registers a new connection. It returns nil to refuse the connection.
func (s *Server) acceptConnection(ctx ssh.Context, nc net.Conn) net.Conn {
	log := s.cfg.Log.With("remote", nc.RemoteAddr().String())
	limitSendBuffer(nc)
	c := &connection{
		Conn: nc, server: s, addr: ratelimit.IPAddress(nc.RemoteAddr()), connectedAt: time.Now(), done: make(chan struct{}),
		flow: newFlow(s.limits()), unread: unread{room: make(chan struct{}, 1)}, outbox: outbox{conn: nc},
	}
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return nil
	}
	// Check under the lock, so that Disconnect finds every connection accepted before a ban.
	if s.cfg.Access != nil {
		if err := s.cfg.Access.CheckAddress(c.addr); err != nil {
			s.mu.Unlock()
			s.cfg.Meter.countRefusal(RefusedAccess)
			log.Warn("ssh refused", "reason", err)
			return nil
		}
	}
	s.connWork.Add(1)
	if err := s.reserveConnection(c); err != nil {
		s.mu.Unlock()
		defer s.connWork.Done()
		s.cfg.Meter.countRefusal(classifyLimitError(err))
		log.Warn("ssh connection rejected", "reason", err)
		s.sendRefusal(nc, err)
		return nil
	}
	defer s.mu.Unlock()
	s.lastConnID++
	c.id = s.lastConnID
	c.log = log.With("conn", c.id)
	c.closeTimer = time.AfterFunc(s.limits().HandshakeTimeout, c.closeUnused)
	s.conns[c] = struct{}{}
	ctx.SetValue(connectionKey{}, c)
	c.log.Info("ssh connect")
	return c
}

func (s *Server) removeConnection(c *connection) {
	s.connCount.Release(c.addr)
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	s.connWork.Done()
}

// logFailedLogin logs a connection that has closed without a login, unless it was a probe.
func (s *Server) logFailedLogin(nc net.Conn, err error) {
	if isProbe(err) {
		return
	}
	s.cfg.Meter.countFailure()
	s.cfg.Log.Info("ssh login failed", "remote", nc.RemoteAddr().String(), "error", fmt.Sprintf("%.200q", err.Error()))
}

// isProbe reports whether a client left before it tried to log in, as load balancers
// and monitors do to check that the server is up.
func isProbe(err error) bool {
	var auth *gossh.ServerAuthError
	if errors.As(err, &auth) {
		return len(auth.Errors) == 0
	}
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// reserveConnection counts a connection. It returns an error if a limit is reached.
func (s *Server) reserveConnection(c *connection) error {
	if !s.connRate.Allow(c.addr) {
		return ratelimit.ErrTooFast
	}
	return s.connCount.Acquire(c.addr)
}
