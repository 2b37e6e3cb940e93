package relay

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"broadside/internal/session"
)

// Client describes a program's connection.
type Client struct {
	Conn   int            // its number
	Addr   netip.Addr     // zero if it has none
	Player session.Player // without a name if the program has not sent one
	Since  time.Time
}

// Clients returns the programs that are connected by themselves, oldest first.
// Those that are carried belong to the connections that carry them.
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

// Cut ends the connections that are chosen, which lose their matches, and
// returns how many they were. It does not wait. Which must not either.
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
