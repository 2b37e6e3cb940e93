package command

import (
	"net/netip"
	"strings"

	"broadside/internal/sanitize"
	"broadside/lobby/session"
	"broadside/sshd"
)

// fingerprintLength is the length of a fingerprint: the name of the hash and 43 digits.
const fingerprintLength = len("SHA256:") + 43

// The shortest prefixes that can be banned, in bits. A shorter one would accidentally ban
// large parts of the Internet.
const (
	widest4 = 8
	widest6 = 16
)

// banSubject returns the subject of a ban: a key, an address, a network, or a player.
func (c *call) banSubject(args []string) (session.Subject, error) {
	name, err := one(args, "name a player, a key's fingerprint, an address or a network")
	if err != nil {
		return session.Subject{}, err
	}
	switch key := session.IsFingerprint(name); {
	case key && (len(name) != fingerprintLength || !sanitize.Plain(name[len("SHA256:"):], "+/")):
		return session.Subject{}, sshd.UsageErrorf("%q is not a fingerprint: it has 43 characters after %s", name, "SHA256:")
	case !key && strings.ContainsAny(name, ".:/"):
		network, err := parseNetwork(name)
		return session.Subject{Network: network}, err
	}
	return ask(c, func(own *session.Session) (session.Subject, error) { return own.FindSubject(c.ctx, name) })
}

// parseNetwork parses an address or a network. An IPv6 address stands for its /64
// network, which belongs to one customer.
func parseNetwork(text string) (netip.Prefix, error) {
	mistaken := sshd.UsageErrorf("%q is not an address or network such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/48", text)
	if !strings.Contains(text, "/") {
		a, err := netip.ParseAddr(text)
		if err != nil {
			return netip.Prefix{}, mistaken
		}
		a = a.Unmap().WithZone("")
		return a.Prefix(min(a.BitLen(), 64))
	}
	p, err := netip.ParsePrefix(text)
	if err != nil || p.Addr().Is4In6() {
		return netip.Prefix{}, mistaken
	}
	if widest := map[bool]int{true: widest4, false: widest6}[p.Addr().Is4()]; p.Bits() < widest {
		return netip.Prefix{}, sshd.UsageErrorf("%v is too wide: the widest network is /%d; ssh HOST lockdown on keeps everybody out", p, widest)
	}
	return p.Masked(), nil
}
