package sshd

import "charm.land/ssh"

// limitSessions bounds how many sessions there are in all and from one address.
// Commands that end soon do not count.
func limitSessions(next ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		s := c.(*session)
		if s.line != nil && !s.line.lasts() {
			next(c)
			return
		}
		if err := s.server.sessCount.Take(s.conn.addr); err != nil {
			s.server.count(refused(err))
			s.log.Warn("session rejected", "reason", err)
			s.refuse(err)
			return
		}
		defer s.server.sessCount.Give(s.conn.addr)
		next(c)
	}
}
