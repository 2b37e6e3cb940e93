package sshd

import (
	"fmt"
	"runtime/debug"

	"charm.land/ssh"

	"broadside/internal/i18n"
)

const internalError i18n.Key = "Internal error. Your match is safe: reconnect to continue."

// recoverPanics ends a session that panics. Screens and line mode recover from their own panics, because they
// have a terminal to restore first.
func recoverPanics(next ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		s := c.(*session)
		defer func() {
			p := recover()
			if p != nil {
				s.logPanic("session", p)
				out := s.Stderr()
				// A terminal shows the two streams in any order.
				if s.user.Terminal {
					out = s
				}
				fmt.Fprintln(out, s.user.Language.Text(internalError))
				_ = s.Exit(1)
			}
		}()
		next(c)
	}
}

// logPanic logs a panic of the session. The deferred function that has recovered from it must call it.
func (s *session) logPanic(in string, p any) {
	s.log.Error("session failed", "in", in, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
}
