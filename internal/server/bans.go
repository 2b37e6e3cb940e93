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

// connectionPolicy is an access policy that also closes connections of this process. It
// implements [session.AccessControl].
type connectionPolicy struct {
	*access.Policy
	// ssh is set before it serves.
	ssh   *sshd.Server
	relay *relay.Server
}

// CutConnections implements [session.AccessControl].
func (p *connectionPolicy) CutConnections(subject session.BanTarget, parting i18n.Message) int {
	return p.ssh.Disconnect(func(c sshd.Client) bool { return subject.Covers(c.Fingerprint, c.Addr, "") }, parting) +
		p.relay.Disconnect(func(c relay.ClientInfo) bool { return subject.Covers("", c.Addr, c.Player.Owner) })
}

// closeBanned closes the connections of banned players.
func (p *connectionPolicy) closeBanned(parting i18n.Message) {
	p.ssh.Disconnect(func(client sshd.Client) bool { return p.CheckBans(client.Addr, client.Fingerprint) != nil }, parting)
	p.relay.Disconnect(func(client relay.ClientInfo) bool { return p.CheckBans(client.Addr, "") != nil })
}

// banInterval is the interval at which a node reads bans and the lockdown set at other nodes.
const banInterval = 2 * time.Second

// partingBanned is what players see whom an operator of another node has banned.
var partingBanned = i18n.NewMessage("An operator has ended your session.")

// refreshBans applies bans and lockdowns that operators set at other nodes, and closes the
// connections of banned players, until ctx ends.
func refreshBans(ctx context.Context, c *connectionPolicy, log *slog.Logger) {
	t := time.NewTicker(banInterval)
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
			c.closeBanned(partingBanned)
		}
	}
}
