package sshd

import (
	"fmt"

	"charm.land/ssh"

	"broadside/internal/narrate"
)

// admitUsers passes on the sessions of users whom [Config.Access] admits, after it has set their language and
// command.
func admitUsers(next ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		s := c.(*session)
		if s.admitUser() {
			next(s)
		}
	}
}

func (s *session) admitUser() bool {
	cfg := &s.server.cfg
	if cfg.Access != nil {
		if err := cfg.Access.CheckKey(s.ctx, s.user.Fingerprint); err != nil {
			cfg.Meter.countRefusal(RefusedAccess)
			s.log.Warn("ssh refused", "user", s.user.Name, "key", s.user.Fingerprint, "reason", err)
			s.conn.expel("refused")
			s.refuse(err)
			return false
		}
	}
	if cfg.Language != nil {
		s.user.Language = cfg.Language(s.ctx, s.user)
	}
	if len(s.words) > 0 {
		s.command = cfg.Command(s.user, s.words)
	}
	return true
}

// refuse ends the session with a sentence that explains why.
func (s *session) refuse(err error) {
	fmt.Fprintln(s.Stderr(), narrate.ErrorSentence(s.user.Language, err))
	_ = s.Exit(1)
}
