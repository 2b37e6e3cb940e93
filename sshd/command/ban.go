package command

import (
	"net/netip"
	"regexp"
	"strings"

	"broadside/internal/session"
	"broadside/tui/format"
)

var isFingerprint = regexp.MustCompile(`^SHA256:[A-Za-z0-9+/]{43}$`)

// A network must not be wider than this, in bits: it would be a lockdown by
// mistake.
const (
	widest4 = 8
	widest6 = 16
)

// banned is the subject that the first argument names: a key, an address, a
// network, or a person.
func (c *call) banned() (session.Subject, error) {
	name, err := c.one("name a player, a key's fingerprint, an address or a network")
	if err != nil {
		return session.Subject{}, err
	}
	switch key := session.IsFingerprint(name); {
	case key && !isFingerprint.MatchString(name):
		return session.Subject{}, wrong("%q is no fingerprint: it has 43 characters after %s", name, "SHA256:")
	case !key && strings.ContainsAny(name, ".:/"):
		network, err := parseNetwork(name)
		return session.Subject{Network: network}, err
	}
	return ask(c, session.FindSubject{Name: name})
}

// parseNetwork reads an address or a network. An address of IPv6 stands for the
// network of 64 bits that one customer has.
func parseNetwork(text string) (netip.Prefix, error) {
	mistaken := wrong("%q is no address and no network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/48", text)
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
		return netip.Prefix{}, wrong("%v is too wide, the widest is /%d: ssh HOST lockdown on keeps everybody out", p, widest)
	}
	return p.Masked(), nil
}

var ban = command{
	name: "ban", args: "NAME|FINGERPRINT|ADDRESS[/PREFIX] [--for TIME] [--reason TEXT]",
	about: "Keep somebody out, at once", most: maxArgs,
	set: func(f flags) func(*call) error {
		span, reason := forFlag(f), reasonFlag(f)
		return func(c *call) error {
			s, err := c.banned()
			if err != nil {
				return err
			}
			if err := c.spare(s); err != nil {
				return err
			}
			q := session.BanSubject{Subject: s}
			if q.Expires, err = until(*span); err != nil {
				return err
			}
			if q.Reason, err = c.reason(*reason); err != nil {
				return err
			}
			banned, err := ask(c, q)
			if err != nil {
				return err
			}
			for _, b := range banned.Bans {
				if err := c.print("banned: %s, %s", b.Subject(), c.until(b.Expires)); err != nil {
					return err
				}
			}
			return c.print("cut: %s", c.lang.Say("%d connections", banned.Cut))
		}
	},
}

// spare refuses what would keep an operator out.
func (c *call) spare(s session.Subject) error {
	for _, k := range s.Keys {
		if _, ok := c.cfg.Operator.Admins.Name(k); ok {
			return failed("that is an operator's key: take it out of the operators' keys first")
		}
	}
	all, err := c.sessions()
	if err != nil {
		return err
	}
	for _, h := range all {
		if h.Fingerprint == c.who.Fingerprint && s.Covers(h.Fingerprint, h.Addr, "") {
			return failed("you are at %s yourself", h.Addr)
		}
	}
	return nil
}

var unban = command{
	name: "unban", args: "NAME|FINGERPRINT|ADDRESS[/PREFIX]", about: "End bans", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			s, err := c.banned()
			if err != nil {
				return err
			}
			lifted, err := ask(c, session.Unban{Subject: s})
			if err != nil {
				return err
			}
			if len(lifted) == 0 {
				return failed("there is no ban of %q: ssh HOST bans lists all", c.args[0])
			}
			for _, b := range lifted {
				if err := c.print("no longer banned: %s", b.Subject()); err != nil {
					return err
				}
			}
			return nil
		}
	},
}

var bans = command{
	name: "bans", args: "[--json]", about: "The bans that last",
	set: func(f flags) func(*call) error {
		asJSON := jsonFlag(f)
		return func(c *call) error {
			all, err := ask(c, session.Bans{})
			if err != nil {
				return err
			}
			out, rows := []banOut{}, [][]string{c.heads("SUBJECT", "ADDED (UTC)", "ENDS", "BY ¦ who did it", "REASON")}
			for _, b := range all {
				out = append(out, banOut{b.Subject(), utc(b.Added), utc(b.Expires), b.By, b.Reason})
				rows = append(rows, []string{
					b.Subject(), c.stamp(b.Added), c.until(b.Expires), format.Clean(b.By, 100), format.Clean(b.Reason, maxReason),
				})
			}
			if *asJSON {
				return c.json(out)
			}
			return c.table(rows)
		}
	},
}

type banOut struct {
	Subject string `json:"subject"`
	Added   string `json:"added"`
	Ends    string `json:"ends"` // empty: never
	By      string `json:"by"`
	Reason  string `json:"reason"`
}
