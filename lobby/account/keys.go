package account

import (
	"context"
	"errors"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/code"
)

// LinkTime is how long a link code is valid.
const LinkTime = 10 * time.Minute

// ErrLinkCode is returned for an invalid link code.
var ErrLinkCode = i18n.Errorf("this link code is wrong, used or expired: get a new one on the other computer")

// link is a valid link code: it adds one key to an account.
type link struct {
	account string
	until   time.Time
}

// Keys returns the keys that open a player's account, oldest first.
func (a *Accounts) Keys(ctx context.Context, p Player) ([]store.Key, error) {
	if p.Account == "" {
		return nil, ErrNoKey
	}
	keys, err := a.cfg.Store.Keys.ListByPlayer(ctx, p.Account)
	if err != nil {
		return nil, a.explain(err)
	}
	return keys, nil
}

// RemoveKey removes a key from a player's account. The last key cannot be removed.
func (a *Accounts) RemoveKey(ctx context.Context, p Player, fingerprint string) error {
	if p.Account == "" {
		return ErrNoKey
	}
	err := a.cfg.Store.Keys.Remove(ctx, p.Account, fingerprint)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return i18n.Errorf("that key has already been removed")
	case err != nil:
		return a.explain(err)
	}
	a.cfg.KeyRemoved(p.Account, fingerprint)
	a.cfg.Changed(p)
	return nil
}

// NewLinkCode returns a single-use code that adds a key to a player's account, and when
// the code expires. It replaces any earlier code of the account.
func (a *Accounts) NewLinkCode(p Player) (string, time.Time, error) {
	if p.Account == "" {
		return "", time.Time{}, ErrNoKey
	}
	text, until := code.New(code.LinkLength), time.Now().Add(LinkTime)
	a.mu.Lock()
	a.revokeLinksLocked(p.Account)
	a.links[text] = link{p.Account, until}
	a.mu.Unlock()
	a.cfg.Changed(p) // other sessions show the old code
	return text, until, nil
}

// LinkValid reports whether a link code is still valid.
func (a *Accounts) LinkValid(text string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	k, ok := a.links[text]
	return ok && k.until.After(time.Now())
}

// RevokeLinks makes the link codes of an account invalid.
func (a *Accounts) RevokeLinks(account string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.revokeLinksLocked(account)
}

func (a *Accounts) revokeLinksLocked(account string) {
	now := time.Now()
	for text, k := range a.links {
		if k.account == account || !k.until.After(now) {
			delete(a.links, text)
		}
	}
}

// Link adds a key to the account whose link code was entered, and returns the account's
// owner. The label names the key.
func (a *Accounts) Link(ctx context.Context, text, fingerprint, label string) (Player, error) {
	if fingerprint == "" {
		return Player{}, ErrNoKey
	}
	account, err := a.useLink(text)
	if err != nil {
		return Player{}, err
	}
	if err := a.cfg.Store.Keys.Add(ctx, store.Key{Fingerprint: fingerprint, Player: account, Label: label}); err != nil {
		return Player{}, a.explain(err)
	}
	p, err := a.cfg.Store.Accounts.FindByID(ctx, account)
	if err != nil {
		return Player{}, a.explain(err)
	}
	a.ReadHistory(ctx, p.ID)
	return OfPerson(p), nil
}

func (a *Accounts) useLink(text string) (account string, err error) {
	entered, ok := code.Parse(text, code.LinkLength)
	if !ok {
		return "", ErrLinkCode
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	k, ok := a.links[entered]
	ok = ok && k.until.After(time.Now())
	if !ok {
		return "", ErrLinkCode
	}
	delete(a.links, entered)
	return k.account, nil
}
