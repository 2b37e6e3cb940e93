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

	"broadside/internal/i18n"
	"broadside/internal/ratelimit"
)

// connected is called for each connection. It returns nil to turn it away.
func (s *Server) connected(ctx ssh.Context, nc net.Conn) net.Conn {
	log := s.cfg.Log.With("remote", nc.RemoteAddr().String())
	c := &connection{Conn: nc, server: s, addr: ratelimit.Address(nc.RemoteAddr()), since: time.Now(), done: make(chan struct{}), flow: newFlow(s.limits())}
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return nil
	}
	if s.cfg.Access != nil { // asked under the lock, so that Cut finds whoever is not refused
		if err := s.cfg.Access.Address(c.addr); err != nil {
			s.mu.Unlock()
			s.count(RefusedAccess)
			log.Warn("ssh refused", "reason", err)
			return nil
		}
	}
	s.lines.Add(1)
	if err := s.takeAddress(c); err != nil {
		s.mu.Unlock()
		defer s.lines.Done()
		s.count(refused(err))
		log.Warn("ssh connection turned away", "reason", err)
		s.turnAway(nc, err)
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

// forget takes back what connected has counted.
func (s *Server) forget(c *connection) {
	s.connCount.Give(c.addr)
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	s.lines.Done()
}

// loginFailed is called for each connection that does not get in. It is closed
// by then.
func (s *Server) loginFailed(nc net.Conn, err error) {
	if isProbe(err) {
		return
	}
	s.count(LoginFailed)
	s.failed.Allow(ratelimit.Address(nc.RemoteAddr()))
	s.cfg.Log.Info("ssh login failed", "remote", nc.RemoteAddr().String(), "error", fmt.Sprintf("%.200q", err.Error()))
}

// isProbe reports whether a client that did not get in has left before it tried
// to log in, as balancers and monitors do to see whether the server is up.
func isProbe(err error) bool {
	var auth *gossh.ServerAuthError
	if errors.As(err, &auth) {
		return len(auth.Errors) == 0
	}
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// errGuesses turns an address away from which too many do not get in.
var errGuesses = i18n.Errorf("too many failed logins from your address: come back in a few minutes")

// takeAddress counts a connection, or says why there is no room for it.
func (s *Server) takeAddress(c *connection) error {
	switch {
	case s.failed.Exceeded(c.addr):
		return errGuesses
	case !s.connRate.Allow(c.addr):
		return ratelimit.ErrTooFast
	}
	return s.connCount.Take(c.addr)
}
