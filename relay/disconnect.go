package relay

import (
	"net/netip"

	"broadside/lobby/account"
)

// ClientInfo describes a program's connection.
type ClientInfo struct {
	ID     int            // its number
	Addr   netip.Addr     // zero if it has none
	Player account.Player // without a name if the program has not sent one
}

// Disconnect ends the connections for which the function returns true, and returns their number.
// Their clients lose the current match. Cut does not block, and which must not either.
func (s *Server) Disconnect(which func(ClientInfo) bool) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for c := range s.openConns {
		if !c.carried() && which(c.info()) {
			c.leave()
			n++
		}
	}
	return n
}
