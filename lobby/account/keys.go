package account

import (
	"context"
	"errors"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/code"
)

// LinkCodeLifetime is how long a link code is valid.
const LinkCodeLifetime = 10 * time.Minute

// ErrLinkCode is returned for an invalid link code.
var ErrLinkCode = i18n.Errorf("this link code is wrong, used or expired: get a new one on the other computer")

// linkCode is a valid link code, which adds one key to an account.
type linkCode struct {
	account string
	expires time.Time
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
	text, until := code.New(code.LinkLength), time.Now().Add(LinkCodeLifetime)
	a.mu.Lock()
	a.revokeLinkCodesLocked(p.Account)
	a.linkCodes[text] = linkCode{p.Account, until}
	a.mu.Unlock()
	// Other sessions show the old code.
	a.cfg.Changed(p)
	return text, until, nil
}

// IsLinkCodeValid reports whether a link code is still valid.
func (a *Accounts) IsLinkCodeValid(text string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	k, ok := a.linkCodes[text]
	return ok && k.expires.After(time.Now())
}

// RevokeLinkCodes makes an account's link codes invalid.
func (a *Accounts) RevokeLinkCodes(account string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.revokeLinkCodesLocked(account)
}

func (a *Accounts) revokeLinkCodesLocked(account string) {
	now := time.Now()
	for text, k := range a.linkCodes {
		if k.account == account || !k.expires.After(now) {
			delete(a.linkCodes, text)
		}
	}
}

// LinkKey adds a key to the account whose link code was entered, and returns the account's
// owner. The label names the key.
func (a *Accounts) LinkKey(ctx context.Context, text, fingerprint, label string) (Player, error) {
	if fingerprint == "" {
		return Player{}, ErrNoKey
	}
	account, err := a.takeLinkCode(text)
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
	a.LoadRatedCounts(ctx, p.ID)
	return PersonPlayer(p), nil
}

func (a *Accounts) takeLinkCode(text string) (account string, err error) {
	entered, ok := code.Parse(text, code.LinkLength)
	if !ok {
		return "", ErrLinkCode
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	k, ok := a.linkCodes[entered]
	ok = ok && k.expires.After(time.Now())
	if !ok {
		return "", ErrLinkCode
	}
	delete(a.linkCodes, entered)
	return k.account, nil
}
