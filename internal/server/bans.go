package server

import (
	"context"
	"log/slog"
	"time"

	"broadside/internal/access"
	"broadside/internal/i18n"
	"broadside/lobby/session"
	"broadside/relay"
	"broadside/sshd"
)

// connections applies bans and kicks to the connections of this process. It
// implements [session.AccessControl].
type connections struct {
	*access.Policy
	front *sshd.Server // set before it serves
	relay *relay.Server
}

// CutConnections implements [session.AccessControl].
func (c *connections) CutConnections(subject session.BanTarget, parting i18n.Message) int {
	return c.front.Cut(func(c sshd.Client) bool { return subject.Covers(c.Fingerprint, c.Addr, "") }, parting) +
		c.relay.Disconnect(func(c relay.ClientInfo) bool { return subject.Covers("", c.Addr, c.Player.Owner) })
}

// cutBanned closes the connections of banned players.
func (c *connections) cutBanned(parting i18n.Message) {
	c.front.Cut(func(client sshd.Client) bool { return c.CheckBans(client.Addr, client.Fingerprint) != nil }, parting)
	c.relay.Disconnect(func(client relay.ClientInfo) bool { return c.CheckBans(client.Addr, "") != nil })
}

// banPace is the interval at which a node reads bans and the lockdown set at other nodes.
const banPace = 2 * time.Second

// partingBanned is shown to players banned by an operator at another node.
var partingBanned = i18n.NewMessage("An operator has ended your session.")

// followBans applies bans and lockdowns that operators set at other nodes, and closes the
// connections of banned players, until ctx ends.
func followBans(ctx context.Context, c *connections, log *slog.Logger) {
	t := time.NewTicker(banPace)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
		changed, err := c.Refresh(ctx)
		if err != nil && ctx.Err() == nil {
			log.Debug("cannot read bans and the lockdown", "error", err)
		}
		if changed {
			c.cutBanned(partingBanned)
		}
	}
}
