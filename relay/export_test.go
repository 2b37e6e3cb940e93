package relay

import (
	"cmp"
	"slices"
)

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
