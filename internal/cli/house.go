package cli

import (
	"broadside/internal/access"
	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/relay"
	"broadside/sshd"
)

// connections carries out what operators decide about connections. It implements
// [session.Operator].
type connections struct {
	*access.Gate
	front *sshd.Server // set before it serves
	relay *relay.Server
}

// Cut implements [session.Operator].
func (c *connections) Cut(who session.Subject, parting i18n.Message) int {
	return c.front.Cut(func(c sshd.Client) bool { return who.Covers(c.Fingerprint, c.Addr, "") }, parting) +
		c.relay.Cut(func(c relay.Client) bool { return who.Covers("", c.Addr, c.Player.Owner) })
}

// cutBanned ends the connections of those who are banned by now.
func (c *connections) cutBanned(parting i18n.Message) {
	c.front.Cut(func(client sshd.Client) bool { return c.Banned(client.Addr, client.Fingerprint) != nil }, parting)
	c.relay.Cut(func(client relay.Client) bool { return c.Banned(client.Addr, "") != nil })
}
