package relay

import (
	"cmp"
	"slices"
)

// Clients returns the programs connected over TCP, oldest first. It leaves out clients
// of [Server.ServeStream].
func (s *Server) Clients() []ClientInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]ClientInfo, 0, len(s.openConns))
	for c := range s.openConns {
		if c.isTCP() {
			all = append(all, c.clientInfo())
		}
	}
	slices.SortFunc(all, func(a, b ClientInfo) int { return cmp.Compare(a.ID, b.ID) })
	return all
}
