package sshd

import (
	"cmp"
	"net/netip"

	"broadside/internal/i18n"
)

// Client describes a connection.
type Client struct {
	// Conn is the connection's number, as in the server log and in [User].
	Conn int
	// Addr is zero if the client has no IP address.
	Addr netip.Addr
	// User is the login name, safe to display. It is empty before the login.
	User string
	// Fingerprint is that of the verified key. It is empty for guests.
	Fingerprint string
}

// Disconnect ends the connections for which isChosen returns true, and returns their number. Screens and line mode
// end with a message. A client that does not read it within cutTime is disconnected. Neither Disconnect nor isChosen
// may block. [Access] refuses later connections.
func (s *Server) Disconnect(isChosen func(Client) bool, parting i18n.Message) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for c := range s.conns {
		if !isChosen(c.client()) {
			continue
		}
		count++
		s.endFrontendsLocked(c, parting)
		// From now on, addFrontend refuses the connection's sessions.
		c.expel("expelled")
	}
	return count
}

// endFrontendsLocked ends a connection's screens and line modes with a message. It does not wait.
func (s *Server) endFrontendsLocked(c *connection, parting i18n.Message) {
	for f := range s.frontends {
		if f.connection() == c {
			f.end(parting)
		}
	}
}

func (c *connection) client() Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	client := Client{Conn: c.id, Addr: c.addr}
	if c.login != nil {
		client.User, client.Fingerprint = c.login.name, c.login.fingerprint
	}
	return client
}

// expel closes the connection when its sessions have ended, but after cutTime at the latest. Before the login,
// it waits for the login.
func (c *connection) expel(reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.expelled {
		return
	}
	c.expelled, c.closeReason = true, cmp.Or(c.closeReason, reason)
	// Before the login, setLogin closes it.
	if c.login == nil {
		return
	}
	if c.runningSessions == 0 {
		c.closeAfterLocked(0)
	} else {
		c.closeAfterLocked(cutTime)
	}
}

func (c *connection) isExpelled() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.expelled
}
