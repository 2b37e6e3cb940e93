package relay

import (
	"net/netip"

	"broadside/lobby/account"
)

// ClientInfo describes a program's connection.
type ClientInfo struct {
	// ID increases with each connection.
	ID int
	// Addr is zero if the client has no IP address.
	Addr netip.Addr
	// Player has no name if the program has not sent one.
	Player account.Player
}

// Disconnect ends the TCP connections for which isMatch returns true, and returns their number.
// Their clients lose the current match. Neither Disconnect nor isMatch blocks.
func (s *Server) Disconnect(isMatch func(ClientInfo) bool) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for c := range s.openConns {
		if c.isTCP() && isMatch(c.clientInfo()) {
			c.leave()
			n++
		}
	}
	return n
}
