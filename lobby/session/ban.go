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
	"broadside/lobby/account"
)

// BanTarget is what a ban covers: an account, keys or a network.
type BanTarget struct {
	// AccountID identifies the banned account, or the account with the banned key.
	AccountID string
	// AllKeys reports that the ban covers the account and all its keys.
	AllKeys      bool
	Fingerprints []string
	Network      netip.Prefix
}

// BanResult is the result of [Operations.Ban].
type BanResult struct {
	Bans              []store.Ban
	ClosedConnections int
}

// IsFingerprint reports whether a text is a key's fingerprint rather than a name.
func IsFingerprint(text string) bool { return strings.HasPrefix(text, "SHA256:") }

// Covers reports whether a ban of the target ends a connection with this key, from this address, or
// by a program of this owner.
func (t BanTarget) Covers(fingerprint string, addr netip.Addr, owner string) bool {
	return fingerprint != "" && slices.Contains(t.Fingerprints, fingerprint) || t.Network.IsValid() && t.Network.Contains(addr) ||
		t.AccountID != "" && owner == t.AccountID
}

func (t BanTarget) matches(b store.Ban) bool {
	return b.Fingerprint != "" && slices.Contains(t.Fingerprints, b.Fingerprint) || t.Network.IsValid() && t.Network == b.Network
}

// FindBanTarget returns what a ban covers. name is a player's name or a key's fingerprint.
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
	target := BanTarget{AccountID: p.ID, AllKeys: true}
	for _, k := range keys {
		target.Fingerprints = append(target.Fingerprints, k.Fingerprint)
	}
	return target, err
}

// findKeyTarget returns a key and the account that it opens, if any. A ban also covers the
// account's programs and link codes, even while they are not connected.
func (op Operations) findKeyTarget(ctx context.Context, fingerprint string) (BanTarget, error) {
	target := BanTarget{Fingerprints: []string{fingerprint}}
	p, err := op.store.Accounts.FindByKey(ctx, fingerprint)
	if errors.Is(err, store.ErrNotFound) {
		return target, nil
	}
	target.AccountID = p.ID
	return target, err
}

// findConnectedTarget returns the key of a connected player without an account, by the player's
// name or session number.
func (op Operations) findConnectedTarget(ctx context.Context, name string) (BanTarget, error) {
	for _, c := range op.host.List() {
		if !c.Matches(name) {
			continue
		}
		if c.Fingerprint == "" {
			return BanTarget{}, i18n.Errorf("%s has no key: ban the address %s", name, c.Addr)
		}
		return op.findKeyTarget(ctx, c.Fingerprint)
	}
	return BanTarget{}, i18n.Errorf("no account and no connected player is called %q", name)
}

// Ban bans a target until a time, or permanently if the time is zero, and ends its
// connections.
func (op Operations) Ban(ctx context.Context, target BanTarget, expires time.Time, reason string) (BanResult, error) {
	var banned BanResult
	for _, b := range target.newBans() {
		b.By, b.Expires, b.Reason = op.name, expires, reason
		b, err := op.access.Ban(ctx, b)
		if err != nil {
			return banned, err
		}
		banned.Bans = append(banned.Bans, b)
	}
	if target.AccountID != "" {
		op.lobby.Accounts.RevokeLinkCodes(target.AccountID)
	}
	expelled := map[string]bool{}
	if target.AllKeys {
		expelled[target.AccountID] = true
	}
	for _, c := range op.host.List() {
		if c.Player.ID != "" && target.Covers(c.Fingerprint, c.Addr, c.Player.Owner) {
			expelled[c.Player.ID] = true
		}
	}
	message := i18n.NewMessage("You are banned from this server.")
	if reason != "" {
		message = i18n.NewMessage("You are banned from this server: %s", reason)
	}
	// The access control already refuses new connections, so only open ones remain.
	banned.ClosedConnections = op.access.CutConnections(target, message)
	var err error
	if target.AllKeys {
		programs, listErr := op.lobby.Store().Programs.ListByOwner(ctx, target.AccountID)
		err = listErr
		for _, p := range programs {
			expelled[p.ID] = true
		}
	}
	for id := range expelled {
		op.lobby.Accounts.RevokeLinkCodes(id)
		op.lobby.Matches.ForfeitAll(id)
		err = errors.Join(err, op.lobby.Correspondence.ForfeitAll(ctx, account.Player{ID: id, Account: id}))
	}
	return banned, err
}

func (t BanTarget) newBans() (bans []store.Ban) {
	for _, k := range t.Fingerprints {
		bans = append(bans, store.Ban{Fingerprint: k})
	}
	if t.Network.IsValid() {
		bans = append(bans, store.Ban{Network: t.Network})
	}
	return bans
}

// Unban ends a target's bans and returns them.
func (op Operations) Unban(ctx context.Context, target BanTarget) (lifted []store.Ban, err error) {
	for _, b := range op.access.Bans() {
		if !target.matches(b) {
			continue
		}
		err := op.access.LiftBan(ctx, b.ID, op.name)
		if errors.Is(err, store.ErrNotFound) {
			// Another operator was faster.
			continue
		}
		if err != nil {
			return lifted, err
		}
		lifted = append(lifted, b)
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
