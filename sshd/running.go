package sshd

import (
	"broadside/internal/i18n"
)

// running is a program or a conversation that runs.
type running interface {
	// end ends it, with a sentence to read. It does not wait.
	end(parting i18n.Message)
	// notify says a sentence to the person, if there is a way. It does not wait.
	notify(said i18n.Message)
	connection() *connection
}

// begin notes what runs from now on, unless the server is closing.
func (s *Server) begin(p running) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || p.connection().isExpelled() {
		return false
	}
	s.programs[p] = struct{}{}
	return true
}

// end forgets what runs no more.
func (s *Server) end(p running) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.programs, p)
}
