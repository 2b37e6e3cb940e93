package sshd

import "charm.land/ssh"

// limitSessions limits the number of sessions, in total and per address. Short commands do not count.
func limitSessions(next ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		s := c.(*session)
		if s.command != nil && !s.command.IsLongRunning() {
			next(c)
			return
		}
		if err := s.server.sessCount.Acquire(s.conn.addr); err != nil {
			s.server.cfg.Meter.countRefusal(classifyLimitError(err))
			s.log.Warn("session rejected", "reason", err)
			s.refuse(err)
			return
		}
		defer s.server.sessCount.Release(s.conn.addr)
		next(c)
	}
}
