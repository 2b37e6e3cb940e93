package access

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// Config is what a gate needs to know.
type Config struct {
	Store  *store.Store
	Admins Admins       // who may come in whatever the gate says of keys
	Log    *slog.Logger // nil: no log
}

// Gate tells who may come in. Its methods may be called from any goroutine.
// Those with a context wait for the disk.
type Gate struct {
	cfg  Config
	acts sync.Mutex // held for a whole act, so that memory and disk agree

	mu     sync.RWMutex
	bans   []store.Ban     // guarded by mu
	locked bool            // guarded by mu
	inside map[string]bool // guarded by mu: accounts that were here when the lockdown began
}

// Where the store remembers a lockdown, and the accounts that were connected when it
// began.
const (
	lockdownState = "lockdown"
	insideState   = "lockdown: connected"
)

// Open reads bans and whether there is a lockdown.
func Open(ctx context.Context, cfg Config) (*Gate, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	g := &Gate{cfg: cfg}
	state, err := cfg.Store.State.Get(ctx, lockdownState)
	if err != nil {
		return nil, err
	}
	g.locked = state == "on"
	return g, g.read(ctx)
}

// read takes the bans over from the store.
func (g *Gate) read(ctx context.Context) error {
	bans, err := g.cfg.Store.Bans.Active(ctx, time.Now())
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.bans = bans
	return nil
}

// Refresh takes over what operators have done at other servers with the same
// store, and reports whether anything has changed. During a lockdown, players who
// were connected to any of the servers when it began are admitted.
func (g *Gate) Refresh(ctx context.Context) (changed bool, err error) {
	g.acts.Lock()
	defer g.acts.Unlock()
	state, err := g.cfg.Store.State.Get(ctx, lockdownState)
	on, here := state == "on", ""
	if err == nil && on {
		here, err = g.cfg.Store.State.Get(ctx, insideState)
	}
	if err != nil {
		return false, err
	}
	inside := accounts(strings.Fields(here))
	g.mu.RLock()
	bans, changed := g.bans, on != g.locked || !maps.Equal(inside, g.inside)
	g.mu.RUnlock()
	if err := g.read(ctx); err != nil {
		return false, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.locked, g.inside = on, inside
	return changed || !slices.EqualFunc(bans, g.bans, func(a, b store.Ban) bool { return a.ID == b.ID }), nil
}

// Banned tells whether a ban is of an address, or of a key unless it is an
// operator's: nil, or a sentence for the person.
func (g *Gate) Banned(a netip.Addr, fingerprint string) error {
	if _, admin := g.cfg.Admins.Name(fingerprint); admin {
		return nil
	}
	return g.banned(func(b store.Ban) bool {
		return b.Network.IsValid() && b.Network.Contains(a) || fingerprint != "" && b.Fingerprint == fingerprint
	})
}

func accounts(inside []string) map[string]bool {
	here := map[string]bool{}
	for _, account := range inside {
		here[account] = true
	}
	return here
}

// Why nobody comes in during a lockdown, in a sentence for the person.
var (
	ErrLockdown = i18n.Errorf("this-server-is-closed-for")
	errUnsure   = i18n.Errorf("the-server-cannot-read-its")
)

// Address tells whether anybody may come in from an address: nil, or an error
// that says why not.
func (g *Gate) Address(a netip.Addr) error {
	return g.banned(func(b store.Ban) bool { return b.Network.IsValid() && b.Network.Contains(a) })
}

// Program tells whether a program may come in from an address: nil, or an error
// that says why not. During a lockdown none may, for programs have no account.
func (g *Gate) Program(a netip.Addr) error {
	if err := g.Address(a); err != nil {
		return err
	}
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.locked {
		return ErrLockdown
	}
	return nil
}

// Owner tells whether the programs of an account may play, wherever they
// connect from: nil, or an error that says why not. They may not while a key of
// the account is banned. It waits for the disk.
func (g *Gate) Owner(ctx context.Context, account string) error {
	keys, err := g.cfg.Store.Keys.Of(ctx, account)
	if err != nil {
		g.cfg.Log.Error("who may come in is not known", "account", account, "error", err)
		return errUnsure
	}
	return g.banned(func(b store.Ban) bool {
		return slices.ContainsFunc(keys, func(k store.Key) bool { return k.Fingerprint == b.Fingerprint })
	})
}

// Key tells whether the owner of a key may come in, or, with an empty
// fingerprint, a guest: nil, or a sentence for the person. An operator always
// may.
func (g *Gate) Key(ctx context.Context, fingerprint string) error {
	err := g.key(ctx, fingerprint)
	if err == nil {
		return nil
	}
	if _, admin := g.cfg.Admins.Name(fingerprint); admin {
		return nil
	}
	return err
}

func (g *Gate) key(ctx context.Context, fingerprint string) error {
	if fingerprint != "" {
		err := g.banned(func(b store.Ban) bool { return b.Fingerprint == fingerprint })
		if err != nil {
			return err
		}
	}
	g.mu.RLock()
	locked, inside := g.locked, g.inside
	g.mu.RUnlock()
	if !locked {
		return nil
	}
	if fingerprint == "" {
		return ErrLockdown
	}
	p, err := g.cfg.Store.Accounts.ByKey(ctx, fingerprint)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return ErrLockdown
	case err != nil:
		g.cfg.Log.Error("who may come in is not known", "key", fingerprint, "error", err)
		return errUnsure
	case inside[p.ID]:
		return nil
	}
	allowed, err := g.cfg.Store.Lockdown.Allowed(ctx)
	if err != nil {
		g.cfg.Log.Error("who may come in is not known", "key", fingerprint, "error", err)
		return errUnsure
	}
	if slices.ContainsFunc(allowed, func(a store.Player) bool { return a.ID == p.ID }) {
		return nil
	}
	return ErrLockdown
}

// banned is what to tell somebody of the ban among those that apply which lasts
// longest; nil if none does.
func (g *Gate) banned(applies func(store.Ban) bool) error {
	now := time.Now()
	g.mu.RLock()
	defer g.mu.RUnlock()
	var worst *store.Ban
	for i, b := range g.bans {
		if !lasts(b, now) || !applies(b) {
			continue
		}
		if worst == nil || b.Expires.IsZero() || !worst.Expires.IsZero() && b.Expires.After(worst.Expires) {
			worst = &g.bans[i]
		}
	}
	if worst == nil {
		return nil
	}
	return banError(*worst)
}

func lasts(b store.Ban, at time.Time) bool { return b.Expires.IsZero() || b.Expires.After(at) }

// banError is a ban as a sentence for whom it keeps out.
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

// Ban keeps a key or a network out from now on, and returns the ban as stored.
// Who is in already stays.
func (g *Gate) Ban(ctx context.Context, b store.Ban) (store.Ban, error) {
	g.acts.Lock()
	defer g.acts.Unlock()
	b, err := g.cfg.Store.Bans.Add(ctx, b)
	if err != nil {
		return b, err
	}
	return b, g.read(ctx)
}

// Lift ends a ban, or store.ErrNotFound.
func (g *Gate) Lift(ctx context.Context, id, by string) error {
	g.acts.Lock()
	defer g.acts.Unlock()
	if err := g.cfg.Store.Bans.Lift(ctx, id, by); err != nil {
		return err
	}
	return g.read(ctx)
}

// Bans are the bans that last, oldest first.
func (g *Gate) Bans() []store.Ban {
	now := time.Now()
	g.mu.RLock()
	defer g.mu.RUnlock()
	return slices.DeleteFunc(slices.Clone(g.bans), func(b store.Ban) bool { return !lasts(b, now) })
}

// Lockdown lets only those in, from now on, whose account is on the store's
// allow-list or is among inside: the accounts of those who are here. It holds
// over a restart, after which nobody is here. Lockdown with on false ends it.
func (g *Gate) Lockdown(ctx context.Context, on bool, inside []string, by string) error {
	g.acts.Lock()
	defer g.acts.Unlock()
	value := "off"
	if on {
		value = "on"
		if err := g.cfg.Store.State.Set(ctx, insideState, strings.Join(inside, " "), ""); err != nil {
			return fmt.Errorf("storing who is connected: %w", err)
		}
	}
	if err := g.cfg.Store.State.Set(ctx, lockdownState, value, by); err != nil {
		return fmt.Errorf("turning the lockdown %s: %w", value, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.locked, g.inside = on, accounts(inside)
	return nil
}

// Locked tells whether there is a lockdown.
func (g *Gate) Locked() bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.locked
}
