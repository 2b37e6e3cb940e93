package sshd

import "charm.land/ssh"

// runCommand runs the command of the session. The session continues if there is no command,
// or if the command opens a screen or line mode.
func runCommand(next ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		s := c.(*session)
		if s.line == nil {
			next(c)
			return
		}
		status := s.line.Run(s.ctx)
		if opening, ok := s.line.Opening(); ok && status == 0 {
			s.user.Opening, s.plain = opening, s.line.wantsLines()
			s.line = nil // the session may last, and no longer needs its commands
			next(c)
			return
		}
		_ = s.input.Close() // returns no errors
		_ = s.Exit(status)
	}
}

// newCommandLine returns the command line of the session.
func (s *session) newCommandLine() *CommandLine {
	l := &CommandLine{
		Words: s.words, Terminal: s.user.Terminal, Language: s.user.Language, MaxTime: s.server.limits().SessionTime,
		In: s.input, Out: s, Err: s.Stderr(), Log: s.log,
	}
	if commands := s.server.cfg.Commands; commands != nil {
		l.Commands = commands(s.user, trimDashes(s.words[0]))
	}
	return l
}
