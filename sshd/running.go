package sshd

import "broadside/internal/i18n"

// frontend is an active screen or line mode.
type frontend interface {
	// end ends it with a message to the user. It does not wait.
	end(parting i18n.Message)
	// notify shows the user a message. It does not wait.
	notify(said i18n.Message)
	connection() *connection
}

// addFrontend registers a screen or line mode. It returns false if none may start because the
// server is shutting down or the connection was expelled.
func (s *Server) addFrontend(p frontend) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || p.connection().isExpelled() {
		return false
	}
	s.frontends[p] = struct{}{}
	return true
}

// removeFrontend undoes begin.
func (s *Server) removeFrontend(p frontend) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.frontends, p)
}
