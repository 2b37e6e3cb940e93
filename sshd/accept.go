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

// connected is called for each connection. It returns nil to refuse it.
func (s *Server) connected(ctx ssh.Context, nc net.Conn) net.Conn {
	log := s.cfg.Log.With("remote", nc.RemoteAddr().String())
	limitSendBuffer(nc)
	c := &connection{
		Conn: nc, server: s, addr: ratelimit.IPAddress(nc.RemoteAddr()), since: time.Now(), done: make(chan struct{}),
		flow: newFlow(s.limits()), unread: unread{room: make(chan struct{}, 1)}, out: outbox{conn: nc},
	}
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return nil
	}
	if s.cfg.Access != nil { // under the lock, so that Cut finds every connection accepted before a ban
		if err := s.cfg.Access.CheckAddress(c.addr); err != nil {
			s.mu.Unlock()
			s.cfg.Meter.refused(RefusedAccess)
			log.Warn("ssh refused", "reason", err)
			return nil
		}
	}
	s.connWork.Add(1)
	if err := s.countConnection(c); err != nil {
		s.mu.Unlock()
		defer s.connWork.Done()
		s.cfg.Meter.refused(refusal(err))
		log.Warn("ssh connection rejected", "reason", err)
		s.sendRefusal(nc, err)
		return nil
	}
	defer s.mu.Unlock()
	s.ids++
	c.id = s.ids
	c.log = log.With("conn", c.id)
	c.linger = time.AfterFunc(s.limits().HandshakeTimeout, c.abandon)
	s.conns[c] = struct{}{}
	ctx.SetValue(connectionKey{}, c)
	c.log.Info("ssh connect")
	return c
}

// forget undoes connected.
func (s *Server) forget(c *connection) {
	s.connCount.Release(c.addr)
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	s.connWork.Done()
}

// loginFailed is called for each connection that has closed without a login.
func (s *Server) loginFailed(nc net.Conn, err error) {
	if isProbe(err) {
		return
	}
	s.cfg.Meter.failed()
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

// countConnection counts a connection, or returns an error if a limit is reached.
func (s *Server) countConnection(c *connection) error {
	if !s.connRate.Allow(c.addr) {
		return ratelimit.ErrTooFast
	}
	return s.connCount.Acquire(c.addr)
}
