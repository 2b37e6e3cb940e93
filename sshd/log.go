package sshd

import (
	"time"

	"charm.land/ssh"
)

// logSession logs the start and the end of a session.
func logSession(next ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		s := c.(*session)
		start := time.Now()
		var attrs []any
		if len(s.words) > 0 {
			attrs = append(attrs, "command", s.words[0])
		}
		if s.user.Terminal {
			attrs = append(attrs, "term", s.user.Term)
		}
		s.log.Info("session started", attrs...)
		defer func() {
			s.log.Info("session ended", "after", time.Since(start).Round(time.Millisecond), "status", s.status)
		}()
		next(c)
	}
}
