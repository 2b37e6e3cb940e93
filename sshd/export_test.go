package sshd

import (
	"cmp"
	"slices"
)

// Clients returns the connections with a login, oldest first.
func (s *Server) Clients() []Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Client
	for c := range s.conns {
		if client := c.client(); client.User != "" {
			all = append(all, client)
		}
	}
	slices.SortFunc(all, func(a, b Client) int { return cmp.Compare(a.Conn, b.Conn) })
	return all
}
