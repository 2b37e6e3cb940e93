package relay

import (
	"cmp"
	"net/netip"
	"slices"

	"broadside/internal/session"
)

// Client describes a program's connection.
type Client struct {
	Conn   int            // its number
	Addr   netip.Addr     // zero if it has none
	Player session.Player // without a name if the program has not sent one
}

// Clients returns the programs connected over TCP, oldest first. It leaves out clients
// of [Server.Carry].
func (s *Server) Clients() []Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Client, 0, len(s.open))
	for c := range s.open {
		if !c.carried() {
			all = append(all, c.client())
		}
	}
	slices.SortFunc(all, func(a, b Client) int { return cmp.Compare(a.Conn, b.Conn) })
	return all
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
