package access

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// Config configures a [Policy].
type Config struct {
	Store     *store.Store
	Operators *Operators   // operators, who are admitted despite banned keys and lockdowns
	Log       *slog.Logger // may be nil
}

// Policy decides which clients are admitted. Its methods may be called from any goroutine.
// Those with a context wait for the store.
type Policy struct {
	cfg     Config
	changes sync.Mutex // held while memory and store change together

	mu     sync.RWMutex
	bans   []store.Ban // guarded by mu
	locked bool        // guarded by mu
}

// lockdownState is the name of the value in the store that says whether a lockdown is on or off.
const lockdownState = "lockdown"

// Open reads bans and lockdown from the store.
func Open(ctx context.Context, cfg Config) (*Policy, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	g := &Policy{cfg: cfg}
	_, err := g.Refresh(ctx)
	return g, err
}

// Refresh reads the changes that operators made on other nodes, and reports whether there were any.
func (p *Policy) Refresh(ctx context.Context) (changed bool, err error) {
	p.changes.Lock()
	defer p.changes.Unlock()
	return p.reload(ctx)
}

// reload reads bans and lockdown from the store, and reports whether they have changed.
func (p *Policy) reload(ctx context.Context) (changed bool, err error) {
	state, err := p.cfg.Store.State.Get(ctx, lockdownState)
	if err != nil {
		return false, err
	}
	bans, err := p.cfg.Store.Bans.ListActive(ctx, time.Now())
	if err != nil {
		return false, err
	}
	locked := state == "on"
	p.mu.Lock()
	defer p.mu.Unlock()
	changed = locked != p.locked || !slices.EqualFunc(bans, p.bans, func(a, b store.Ban) bool { return a.ID == b.ID })
	p.locked, p.bans = locked, bans
	return changed, nil
}

// CheckBans returns an error if an address or a key is banned and the key is not an operator's.
// The error is meant for the user.
func (p *Policy) CheckBans(a netip.Addr, fingerprint string) error {
	_, admin := p.cfg.Operators.Name(fingerprint)
	if admin {
		return nil
	}
	return p.checkBans(func(b store.Ban) bool {
		return b.Network.IsValid() && b.Network.Contains(a) || fingerprint != "" && b.Fingerprint == fingerprint
	})
}

// Errors for users who are not admitted.
var (
	ErrLockdown = i18n.Errorf("this server is closed for now: come back later")
	errUnsure   = i18n.Errorf("the server cannot read its data right now: try again in a minute")
)

// CheckAddress returns an error if an address is banned.
func (p *Policy) CheckAddress(a netip.Addr) error {
	return p.checkBans(func(b store.Ban) bool { return b.Network.IsValid() && b.Network.Contains(a) })
}

// CheckProgram returns an error if programs from an address are not admitted. A lockdown admits
// no programs, because they have no key.
func (p *Policy) CheckProgram(a netip.Addr) error {
	if err := p.CheckAddress(a); err != nil {
		return err
	}
	if p.IsLocked() {
		return ErrLockdown
	}
	return nil
}

// CheckOwner returns an error if one of an account's keys is banned. The account's programs are then not
// admitted from any address.
func (p *Policy) CheckOwner(ctx context.Context, account string) error {
	keys, err := p.cfg.Store.Keys.ListByPlayer(ctx, account)
	if err != nil {
		p.cfg.Log.Error("cannot decide whether to admit a client", "account", account, "error", err)
		return errUnsure
	}
	return p.checkBans(func(b store.Ban) bool {
		return slices.ContainsFunc(keys, func(k store.Key) bool { return k.Fingerprint == b.Fingerprint })
	})
}

// CheckKey returns an error, for the user, if a key's owner is not admitted. An empty fingerprint stands
// for a guest. Operators are always admitted.
func (p *Policy) CheckKey(ctx context.Context, fingerprint string) error {
	err := p.checkKey(ctx, fingerprint)
	if err == nil {
		return nil
	}
	_, admin := p.cfg.Operators.Name(fingerprint)
	if admin {
		return nil
	}
	return err
}

func (p *Policy) checkKey(ctx context.Context, fingerprint string) error {
	if fingerprint != "" {
		err := p.checkBans(func(b store.Ban) bool { return b.Fingerprint == fingerprint })
		if err != nil {
			return err
		}
	}
	if !p.IsLocked() {
		return nil
	}
	if fingerprint == "" {
		return ErrLockdown
	}
	_, err := p.cfg.Store.Accounts.FindByKey(ctx, fingerprint)
	if errors.Is(err, store.ErrNotFound) {
		return ErrLockdown
	}
	if err != nil {
		p.cfg.Log.Error("cannot decide whether to admit a client", "key", fingerprint, "error", err)
		return errUnsure
	}
	return nil
}

// checkBans returns the longest ban that applies as an error, or nil.
func (p *Policy) checkBans(applies func(store.Ban) bool) error {
	now := time.Now()
	p.mu.RLock()
	defer p.mu.RUnlock()
	var worst *store.Ban
	for i, b := range p.bans {
		if !isActive(b, now) || !applies(b) {
			continue
		}
		if worst == nil || b.Expires.IsZero() || !worst.Expires.IsZero() && b.Expires.After(worst.Expires) {
			worst = &p.bans[i]
		}
	}
	if worst == nil {
		return nil
	}
	return banError(*worst)
}

func isActive(b store.Ban, at time.Time) bool { return b.Expires.IsZero() || b.Expires.After(at) }

// banError is a ban as an error for the banned user.
type banError store.Ban

func (b banError) Error() string {
	text := "you are banned from this server"
	if !b.Expires.IsZero() {
		text += " until " + b.Expires.UTC().Format("2006-01-02 15:04 MST")
	}
	if b.Reason != "" {
		text += ": " + b.Reason
	}
	return text
}

// Ban stores and applies a ban of a key or a network, and returns it as stored. It does not
// close existing connections.
func (p *Policy) Ban(ctx context.Context, b store.Ban) (store.Ban, error) {
	p.changes.Lock()
	defer p.changes.Unlock()
	b, err := p.cfg.Store.Bans.Add(ctx, b)
	if err != nil {
		return b, err
	}
	_, err = p.reload(ctx)
	return b, err
}

// LiftBan ends a ban. It returns store.ErrNotFound if there is no such ban.
func (p *Policy) LiftBan(ctx context.Context, id, by string) error {
	p.changes.Lock()
	defer p.changes.Unlock()
	if err := p.cfg.Store.Bans.Lift(ctx, id, by); err != nil {
		return err
	}
	_, err := p.reload(ctx)
	return err
}

// Bans returns the active bans, oldest first.
func (p *Policy) Bans() []store.Ban {
	now := time.Now()
	p.mu.RLock()
	defer p.mu.RUnlock()
	return slices.DeleteFunc(slices.Clone(p.bans), func(b store.Ban) bool { return !isActive(b, now) })
}

// SetLockdown starts or ends a lockdown, which admits only operators and existing accounts. It survives a
// restart.
func (p *Policy) SetLockdown(ctx context.Context, on bool, by string) error {
	p.changes.Lock()
	defer p.changes.Unlock()
	value := "off"
	if on {
		value = "on"
	}
	if err := p.cfg.Store.State.Set(ctx, lockdownState, value, by); err != nil {
		return fmt.Errorf("turn lockdown %s: %w", value, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.locked = on
	return nil
}

// IsLocked reports whether there is a lockdown.
func (p *Policy) IsLocked() bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.locked
}
