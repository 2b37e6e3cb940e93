package relay

import (
	"net/netip"

	"broadside/lobby/account"
)

// Client describes a program's connection.
type Client struct {
	Conn   int            // its number
	Addr   netip.Addr     // zero if it has none
	Player account.Player // without a name if the program has not sent one
}

// Cut ends the connections for which the function returns true, and returns their number.
// Their clients lose the current match. Cut does not block, and which must not either.
func (s *Server) Cut(which func(Client) bool) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for c := range s.open {
		if !c.carried() && which(c.client()) {
			c.leave()
			n++
		}
	}
	return n
}
