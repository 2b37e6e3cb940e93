package sshd

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"broadside/internal/i18n"
)

// Client is a connection, with all its sessions.
type Client struct {
	Conn        int        // its number, as in the log and in [Visitor]
	Addr        netip.Addr // zero if it has none
	User        string     // what they call themselves, clean; empty until they are in
	Fingerprint string     // of the key they have proved to own; empty for guests
	Since       time.Time
}

// Clients are the connections that are logged in, oldest first.
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

// Cut ends the connections that are chosen and returns how many they were.
// Programs end in an orderly way, with a sentence to read; a client that does
// not take that is cut after [cutTime]. Cut does not wait. Which must not
// either. Whoever comes after that is asked for by [Access].
func (s *Server) Cut(which func(Client) bool, parting i18n.Message) int {
	s.mu.Lock()
	var chosen []*connection
	for c := range s.conns {
		if which(c.client()) {
			chosen = append(chosen, c)
		}
	}
	s.endProgramsLocked(parting, chosen)
	for _, c := range chosen { // under the lock: a program that begins later finds it
		c.expel("expelled")
	}
	s.mu.Unlock()
	return len(chosen)
}

// endPrograms ends the programs of a connection. It does not wait.
func (s *Server) endPrograms(parting i18n.Message, c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endProgramsLocked(parting, []*connection{c})
}

func (s *Server) endProgramsLocked(parting i18n.Message, of []*connection) {
	for p := range s.programs {
		if slices.Contains(of, p.connection()) {
			p.end(parting)
		}
	}
}

// client is what others may know of the connection.
func (c *connection) client() Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	client := Client{Conn: c.id, Addr: c.addr, Since: c.since}
	if c.login != nil {
		client.User, client.Fingerprint = c.login.name, c.login.fingerprint
	}
	return client
}

// expel has the connection cut when its sessions have ended, or have had the
// time to. A connection that is not logged in is cut by its login's end.
func (c *connection) expel(reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.expelled {
		return
	}
	c.expelled, c.reason = true, cmp.Or(c.reason, reason)
	switch {
	case c.login == nil: // loggedIn sees to it
	case c.served == 0:
		c.linger.Reset(0)
	default:
		c.linger.Reset(cutTime)
	}
}

func (c *connection) isExpelled() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.expelled
}
