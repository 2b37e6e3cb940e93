package sshd

import (
	"cmp"
	"net/netip"
	"slices"

	"broadside/internal/i18n"
)

// Client describes a connection.
type Client struct {
	Conn        int        // number, as in the log and in [User]
	Addr        netip.Addr // zero if it is not an IP address
	User        string     // login name, clean; empty before the login
	Fingerprint string     // of the verified key; empty for guests
}

// Disconnect ends the connections for which the function returns true, and returns their number.
// Screens and line modes end with a message; a client that does not read it within
// cutTime is disconnected. Neither Cut nor the function may block. [Access] refuses later
// connections.
func (s *Server) Disconnect(isChosen func(Client) bool, parting i18n.Message) int {
	s.mu.Lock()
	var chosen []*connection
	for c := range s.conns {
		if isChosen(c.client()) {
			chosen = append(chosen, c)
		}
	}
	s.endFrontendsLocked(parting, chosen)
	for _, c := range chosen { // under the lock; from now on, Server.begin refuses
		c.expel("expelled")
	}
	s.mu.Unlock()
	return len(chosen)
}

// endFrontends ends the screens and line modes of a connection. It does not wait.
func (s *Server) endFrontends(parting i18n.Message, c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endFrontendsLocked(parting, []*connection{c})
}

func (s *Server) endFrontendsLocked(parting i18n.Message, of []*connection) {
	for p := range s.frontends {
		if slices.Contains(of, p.connection()) {
			p.end(parting)
		}
	}
}

// client describes the connection.
func (c *connection) client() Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	client := Client{Conn: c.id, Addr: c.addr}
	if c.login != nil {
		client.User, client.Fingerprint = c.login.name, c.login.fingerprint
	}
	return client
}

// expel closes the connection when its sessions have ended, but after cutTime at the
// latest. Before the login, it waits for the login.
func (c *connection) expel(reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.expelled {
		return
	}
	c.expelled, c.closeReason = true, cmp.Or(c.closeReason, reason)
	switch {
	case c.login == nil: // see loggedIn
	case c.runningSessions == 0:
		c.closeAfterLocked(0)
	default:
		c.closeAfterLocked(cutTime)
	}
}

func (c *connection) isExpelled() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.expelled
}
