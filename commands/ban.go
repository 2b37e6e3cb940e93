package commands

import (
	"errors"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"broadside/lobby/store"
	"broadside/tui"
	"broadside/words"
)

// keyPrefix is how fingerprints begin.
const keyPrefix = "SHA256:"

var isFingerprint = regexp.MustCompile(`^SHA256:[A-Za-z0-9+/]{43}$`)

// A network must not be wider than this, in bits: it would be a lockdown by
// mistake.
const (
	widest4 = 8
	widest6 = 16
)

// subject is whom a ban is of.
type subject struct {
	account string   // the ID of the account that it is of, or whose key it is of
	whole   bool     // it is of the account with all its keys
	keys    []string // fingerprints
	network netip.Prefix
}

// matches tells whether somebody who is here is meant.
func (s subject) matches(h Here) bool {
	return slices.Contains(s.keys, h.Fingerprint) && h.Fingerprint != "" || s.network.IsValid() && s.network.Contains(h.Addr) ||
		s.account != "" && h.Player.Owner == s.account
}

// is tells whether a ban is of the subject.
func (s subject) is(b store.Ban) bool {
	return slices.Contains(s.keys, b.Fingerprint) && b.Fingerprint != "" || s.network.IsValid() && s.network == b.Network
}

// banned is the subject that the first argument names: a key, an address, a
// network, or a person.
func (c *call) banned() (subject, error) {
	name, err := c.one("name a player, a key's fingerprint, an address or a network")
	if err != nil {
		return subject{}, err
	}
	if strings.HasPrefix(name, keyPrefix) {
		if !isFingerprint.MatchString(name) {
			return subject{}, wrong("%q is no fingerprint: it has 43 characters after %s", name, keyPrefix)
		}
		return c.key(name)
	}
	if strings.ContainsAny(name, ".:/") {
		network, err := parseNetwork(name)
		return subject{network: network}, err
	}
	return c.person(name)
}

// key is the subject for a fingerprint, and the account that it opens, if there
// is one: the account's programs and link codes are barred with the key, whether
// or not anybody is connected.
func (c *call) key(fingerprint string) (subject, error) {
	s := subject{keys: []string{fingerprint}}
	p, err := c.cfg.Store.PlayerByKey(c.ctx, fingerprint)
	if errors.Is(err, store.ErrNotFound) {
		return s, nil
	}
	s.account = p.ID
	return s, err
}

// person is the subject for an account, with all its keys, or a guest who is
// here.
func (c *call) person(name string) (subject, error) {
	p, err := c.cfg.Store.PlayerByName(c.ctx, name)
	switch {
	case err == nil && p.Kind == store.Person:
		keys, err := c.cfg.Store.Keys(c.ctx, p.ID)
		s := subject{account: p.ID, whole: true}
		for _, k := range keys {
			s.keys = append(s.keys, k.Fingerprint)
		}
		return s, err
	case err == nil && p.Kind == store.Program:
		owner, err := c.cfg.Store.Player(c.ctx, p.Owner)
		if err != nil {
			return subject{}, err
		}
		return subject{}, failed("the program %s belongs to %s: ban %s, and all of their programs stay out", p.Name, owner.Name, owner.Name)
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return subject{}, err
	}
	for _, h := range c.cfg.Operator.House.Here() {
		switch {
		case !h.called(name):
		case h.Fingerprint != "":
			return c.key(h.Fingerprint)
		default:
			return subject{}, failed("there is no key of %s: ban the address %s", name, h.Addr)
		}
	}
	return subject{}, failed("there is no account called %q, and nobody here is", name)
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
			b := store.Ban{By: c.actor()}
			if b.Expires, err = until(*span); err != nil {
				return err
			}
			if b.Reason, err = c.reason(*reason); err != nil {
				return err
			}
			return c.ban(s, b)
		}
	},
}

// spare refuses what would keep an operator out.
func (c *call) spare(s subject) error {
	for _, k := range s.keys {
		if _, ok := c.cfg.Operator.Admins.Name(k); ok {
			return failed("that is an operator's key: take it out of the operators' keys first")
		}
	}
	for _, h := range c.cfg.Operator.House.Here() {
		if h.Fingerprint == c.who.Fingerprint && s.matches(h) {
			return failed("you are at %s yourself", h.Addr)
		}
	}
	return nil
}

// ban stores a ban for each key, or for the network, and then cuts whoever it
// is of: who comes meanwhile is refused already.
func (c *call) ban(s subject, b store.Ban) error {
	o := c.cfg.Operator
	add := func() error {
		stored, err := o.Gate.Ban(c.ctx, b)
		if err == nil {
			err = c.print("banned: %s, %s", stored.Subject(), c.until(stored.Expires))
		}
		return err
	}
	for _, k := range s.keys {
		b.Fingerprint = k
		if err := add(); err != nil {
			return err
		}
	}
	if s.network.IsValid() {
		b.Network = s.network
		if err := add(); err != nil {
			return err
		}
	}
	if s.account != "" {
		o.Lobby.RevokeLinks(s.account)
	}
	expelled := map[string]bool{s.account: s.whole}
	parting := words.Mean("You are banned from this server.")
	if b.Reason != "" {
		parting = words.Mean("You are banned from this server: %s", b.Reason)
	}
	n := o.House.Cut(func(h Here) bool {
		if !s.matches(h) {
			return false
		}
		if h.Player.ID != "" {
			expelled[h.Player.ID] = true
		}
		return true
	}, parting)
	for id, ok := range expelled {
		if ok {
			o.Lobby.Expel(id)
		}
	}
	return c.print("cut: %s", c.connections(n))
}

var unban = command{
	name: "unban", args: "NAME|FINGERPRINT|ADDRESS[/PREFIX]", about: "End bans", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			s, err := c.banned()
			if err != nil {
				return err
			}
			found := false
			for _, b := range c.cfg.Operator.Gate.Bans() {
				if !s.is(b) {
					continue
				}
				switch err := c.cfg.Operator.Gate.Lift(c.ctx, b.ID, c.actor()); {
				case errors.Is(err, store.ErrNotFound): // another operator was faster
					continue
				case err != nil:
					return err
				}
				found = true
				if err := c.print("not banned any more: %s", b.Subject()); err != nil {
					return err
				}
			}
			if !found {
				return failed("there is no ban of %q: ssh HOST bans lists all", c.args[0])
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
			out, rows := []banOut{}, [][]string{c.heads("SUBJECT", "ADDED (UTC)", "ENDS", "BY ¦ who did it", "REASON")}
			for _, b := range c.cfg.Operator.Gate.Bans() {
				out = append(out, banOut{b.Subject(), utc(b.Added), utc(b.Expires), b.By, b.Reason})
				rows = append(rows, []string{
					b.Subject(), c.stamp(b.Added), c.until(b.Expires), tui.Clean(b.By, 100), tui.Clean(b.Reason, maxReason),
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
