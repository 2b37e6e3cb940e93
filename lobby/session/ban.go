package session

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// BanTarget is the target of a ban.
type BanTarget struct {
	Account string   // ID of the banned account, or of the account with the banned key
	Whole   bool     // the ban covers the account and all its keys
	Keys    []string // fingerprints
	Network netip.Prefix
}

// BanResult is the result of [BanSubject].
type BanResult struct {
	Bans         []store.Ban
	Disconnected int // number of closed connections
}

// keyPrefix is the prefix of fingerprints.
const keyPrefix = "SHA256:"

// IsFingerprint reports whether a text is a key's fingerprint rather than a name.
func IsFingerprint(text string) bool { return strings.HasPrefix(text, keyPrefix) }

// Covers reports whether a subject includes a connection with the given key, from the
// given address, or of a program with the given owner.
func (s BanTarget) Covers(fingerprint string, addr netip.Addr, owner string) bool {
	return fingerprint != "" && slices.Contains(s.Keys, fingerprint) || s.Network.IsValid() && s.Network.Contains(addr) ||
		s.Account != "" && owner == s.Account
}

// matches reports whether a ban applies to the subject.
func (s BanTarget) matches(b store.Ban) bool {
	return b.Fingerprint != "" && slices.Contains(s.Keys, b.Fingerprint) || s.Network.IsValid() && s.Network == b.Network
}

// FindBanTarget returns the keys and addresses that a ban of a player or a key would
// cover.
func (op Operations) FindBanTarget(ctx context.Context, name string) (BanTarget, error) {
	if IsFingerprint(name) {
		return op.findKeyTarget(ctx, name)
	}
	p, err := op.store.Accounts.FindByName(ctx, name)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && p.Kind == store.Bot:
		return op.findConnectedTarget(ctx, name)
	case err != nil:
		return BanTarget{}, err
	case p.Kind == store.Program:
		owner, err := op.store.Accounts.FindByID(ctx, p.Owner)
		if err == nil {
			err = i18n.Errorf("the program %s belongs to %s: ban %s to keep out all of their programs", p.Name, owner.Name, owner.Name)
		}
		return BanTarget{}, err
	}
	keys, err := op.store.Keys.ListByPlayer(ctx, p.ID)
	subject := BanTarget{Account: p.ID, Whole: true}
	for _, k := range keys {
		subject.Keys = append(subject.Keys, k.Fingerprint)
	}
	return subject, err
}

// findKeyTarget returns the key and the account that it opens, if there is one. A ban also
// covers the account's programs and link codes, even while they are not connected.
func (op Operations) findKeyTarget(ctx context.Context, fingerprint string) (BanTarget, error) {
	subject := BanTarget{Keys: []string{fingerprint}}
	p, err := op.store.Accounts.FindByKey(ctx, fingerprint)
	if errors.Is(err, store.ErrNotFound) {
		return subject, nil
	}
	subject.Account = p.ID
	return subject, err
}

// findConnectedTarget returns the key of a connected player without an account, given a name
// or a session number.
func (op Operations) findConnectedTarget(ctx context.Context, name string) (BanTarget, error) {
	for _, c := range op.host.List() {
		switch {
		case !c.Matches(name):
		case c.Fingerprint != "":
			return op.findKeyTarget(ctx, c.Fingerprint)
		default:
			return BanTarget{}, i18n.Errorf("%s has no key: ban the address %s", name, c.Addr)
		}
	}
	return BanTarget{}, i18n.Errorf("no account and no connected player is called %q", name)
}

// Ban bans a subject until a time, or permanently if it is zero, and ends
// its connections.
func (op Operations) Ban(ctx context.Context, subject BanTarget, expires time.Time, reason string) (BanResult, error) {
	var banned BanResult
	for _, b := range subject.newBans() {
		b.By, b.Expires, b.Reason = op.name, expires, reason
		b, err := op.access.Ban(ctx, b)
		if err != nil {
			return banned, err
		}
		banned.Bans = append(banned.Bans, b)
	}
	if subject.Account != "" {
		op.lobby.Accounts.RevokeLinkCodes(subject.Account)
	}
	expelled := map[string]bool{}
	if subject.Whole {
		expelled[subject.Account] = true
	}
	for _, c := range op.host.List() {
		if c.Player.ID != "" && subject.Covers(c.Fingerprint, c.Addr, c.Player.Owner) {
			expelled[c.Player.ID] = true
		}
	}
	message := i18n.NewMessage("You are banned from this server.")
	if reason != "" {
		message = i18n.NewMessage("You are banned from this server: %s", reason)
	}
	banned.Disconnected = op.access.CutConnections(subject, message) // new connections are already refused
	for id := range expelled {
		op.lobby.Accounts.RevokeLinkCodes(id)
		op.lobby.Matches.ForfeitAll(id)
	}
	return banned, nil
}

// newBans returns one ban per key, and one for the network.
func (s BanTarget) newBans() (all []store.Ban) {
	for _, k := range s.Keys {
		all = append(all, store.Ban{Fingerprint: k})
	}
	if s.Network.IsValid() {
		all = append(all, store.Ban{Network: s.Network})
	}
	return all
}

// Unban ends the bans of a subject. The answer contains the ended bans.
func (op Operations) Unban(ctx context.Context, subject BanTarget) (lifted []store.Ban, err error) {
	for _, b := range op.access.Bans() {
		if !subject.matches(b) {
			continue
		}
		switch err := op.access.LiftBan(ctx, b.ID, op.name); {
		case errors.Is(err, store.ErrNotFound): // another operator was faster
		case err != nil:
			return lifted, err
		default:
			lifted = append(lifted, b)
		}
	}
	return lifted, nil
}

// Bans returns the active bans, oldest first.
func (op Operations) Bans() []store.Ban {
	return op.access.Bans()
}

// SetLockdown starts or ends a lockdown.
func (op Operations) SetLockdown(ctx context.Context, on bool) error {
	return op.access.SetLockdown(ctx, on, op.name)
}

// IsLockedDown reports whether a lockdown is active.
func (op Operations) IsLockedDown() bool {
	return op.access.IsLocked()
}
