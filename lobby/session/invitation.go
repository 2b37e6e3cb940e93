package session

import "net"

// Invitation returns the command with which another player joins a private match. It can
// be pasted into a terminal if the server knows its address.
func (c Client) Invitation(code string) string {
	host, port, err := net.SplitHostPort(c.Address)
	switch {
	case c.Address == "":
		host = "HOST"
	case err != nil: // no port
		host = c.Address
	case port != "22":
		host = "-p " + port + " " + host
	}
	return "ssh -t " + host + " join " + code
}
