package sshd

import "broadside/internal/i18n"

// frontend is what a user sees of a running session: a screen or line mode.
type frontend interface {
	// end ends the session with a message to the user. It does not wait.
	end(parting i18n.Message)
	// notify shows the user a message. It does not wait.
	notify(said i18n.Message)
	connection() *connection
}

// addFrontend registers a screen or line mode. It returns false if none may start, because the server is
// shutting down or the connection is expelled.
func (s *Server) addFrontend(p frontend) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || p.connection().isExpelled() {
		return false
	}
	s.frontends[p] = struct{}{}
	return true
}

func (s *Server) removeFrontend(p frontend) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.frontends, p)
}
