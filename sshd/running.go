package sshd

import "broadside/internal/i18n"

// running is an active screen or line mode.
type running interface {
	// end ends it with a message to the user. It does not wait.
	end(parting i18n.Message)
	// notify shows the user a message. It does not wait.
	notify(said i18n.Message)
	connection() *connection
}

// add registers a screen or line mode. It returns false if none may start because the
// server is shutting down or the connection was expelled.
func (s *Server) add(p running) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || p.connection().isExpelled() {
		return false
	}
	s.programs[p] = struct{}{}
	return true
}

// end undoes begin.
func (s *Server) end(p running) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.programs, p)
}
