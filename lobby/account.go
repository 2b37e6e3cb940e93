package lobby

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// Why there is no account for somebody, in sentences for the person.
var (
	ErrNoStore = i18n.Errorf("this server keeps no accounts")
	ErrNoKey   = i18n.Errorf("you came without a key, so there is nothing to know you by: connect with one")
	ErrStore   = i18n.Errorf("the server cannot reach its disk right now: try again in a minute")
	ErrUnknown = i18n.Errorf("the server cannot look up accounts right now: try again in a minute")
)

// guestName is the name of guests who have not chosen one, or whose own will not
// do.
const guestName = "guest"

// Receive is the person who comes with a public key, known by its fingerprint:
// the account that it opens, or a guest until they choose a name for a new
// account. The name that their client sends is none that they have chosen. A
// person without a key cannot choose one: they are a guest by the name in their
// login, unless they could be taken for somebody else. Receive reads from the
// disk. If it cannot, it still knows the players of running matches; for everybody
// else, the error is [ErrUnknown].
func (l *Lobby) Receive(ctx context.Context, name, fingerprint string) (Player, error) {
	s := l.cfg.Store
	p, err := l.Recognize(ctx, fingerprint)
	switch {
	case err != nil || p.Account != "":
		return p, err
	case s == nil:
		p.Name = name
		return p, nil
	case fingerprint != "":
		return Player{Name: guestName}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	taken, err := s.Accounts.IsTaken(ctx, name)
	switch {
	case err != nil:
		l.cfg.Log.Error("name cannot be looked up", "error", err)
		return Player{}, ErrUnknown
	case taken || CheckName(name) != nil:
		name = guestName
	}
	return Player{Name: name}, nil
}

// Recognize returns the person whose account the key with a fingerprint opens, or
// a player without an account if there is none. It reads from the database; if it
// cannot, see [Lobby.Receive].
func (l *Lobby) Recognize(ctx context.Context, fingerprint string) (Player, error) {
	s := l.cfg.Store
	switch {
	case fingerprint == "":
		return Player{}, nil
	case s == nil:
		return Player{ID: "key " + fingerprint}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	p, err := s.Accounts.ByKey(ctx, fingerprint)
	switch {
	case err == nil:
		l.noteUse(func(ctx context.Context) error { return s.Keys.MarkUsed(ctx, fingerprint) })
		return person(p), nil
	case errors.Is(err, store.ErrNotFound):
		return Player{}, nil
	}
	l.mu.Lock()
	known, ok := l.playerOf(fingerprint)
	l.mu.Unlock()
	if ok {
		return known, nil
	}
	l.cfg.Log.Error("account cannot be looked up", "key", fingerprint, "error", err)
	return Player{}, ErrUnknown
}

// person is a person's account as a player.
func person(p store.Player) Player { return Player{ID: p.ID, Account: p.ID, Name: p.Name} }

// noteUse notes that a key or a token has been used, while its owner is let in.
func (l *Lobby) noteUse(note func(context.Context) error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return
	}
	l.work.Go(func() {
		ctx, cancel := context.WithTimeout(l.ctx, storeTime)
		defer cancel()
		if err := note(ctx); err != nil {
			l.cfg.Log.Warn("use of a key or token was not noted", "error", err)
		}
	})
}

// Register makes an account for the visitor, which the key with the given
// fingerprint opens from now on; label is for the owner to know the key by. It
// waits for the disk. The error is a sentence for the person.
func (v *Member) Register(ctx context.Context, name, fingerprint, label string) (Player, error) {
	s := v.lobby.cfg.Store
	switch {
	case s == nil:
		return Player{}, ErrNoStore
	case fingerprint == "":
		return Player{}, ErrNoKey
	}
	if err := CheckName(name); err != nil {
		return Player{}, err
	}
	p, err := s.Accounts.CreatePerson(ctx, name, store.Key{Fingerprint: fingerprint, Label: label})
	if errors.Is(err, store.ErrKeyTaken) { // in another session of the same person, a moment ago
		p, err = s.Accounts.ByKey(ctx, fingerprint)
	}
	if err != nil {
		return Player{}, v.lobby.explain(err)
	}
	return v.become(person(p), fingerprint), nil
}

// Rename gives the visitor's account another name. It waits for the disk. The
// error is a sentence for the person. A match that runs goes on under the old
// name.
func (v *Member) Rename(ctx context.Context, name string) (Player, error) {
	p := v.Player()
	if p.Account == "" {
		return Player{}, ErrNoKey
	}
	if err := CheckName(name); err != nil {
		return Player{}, err
	}
	if err := v.lobby.cfg.Store.Accounts.Rename(ctx, p.Account, name, ""); err != nil {
		return Player{}, v.lobby.explain(err)
	}
	p.Name = name
	return v.become(p, ""), nil
}

// explain is an error of the store as a sentence for the person who caused it.
// What nobody but the operator can do something about goes to the log.
func (l *Lobby) explain(err error) error {
	if errors.Is(err, store.ErrNameTaken) {
		return ErrNameTaken
	}
	for _, known := range []error{store.ErrKeyTaken, store.ErrLastKey} {
		if errors.Is(err, known) {
			return known
		}
	}
	l.cfg.Log.Error("an account was not changed", "error", err)
	return ErrStore
}

// become makes another player of the visitor: of all visits, if it is the same
// account under another name, else of this one. fingerprint is that of the key that
// opens the account from now on, or empty.
func (v *Member) become(p Player, fingerprint string) Player {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if v.player.ID != p.ID {
		l.endOffersLocked(v.player.ID, nil, ErrHasLeft, ErrHasLeft)
		v.player = p
		l.learnMutes(v)
		if l.challengeToLocked(p.ID) != nil {
			l.notifyLocked(p.ID)
		}
	}
	l.noteKey(p.Account, fingerprint)
	l.rename(p.ID, p.Name)
	return p
}

// rename tells the visits of an account that it has changed: its keys, or its name,
// which is given. The lobby is locked.
func (l *Lobby) rename(account, name string) {
	for v := range l.members {
		if v.player.Account != account || account == "" {
			continue
		}
		v.revision++
		v.player.Name = name
	}
	l.changedLocked()
}

// AccountRevision grows when the visitor's account has changed, in whatever
// session: its name, its keys, or whom it has muted. News
// follow each change.
func (v *Member) AccountRevision() int {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.revision
}

// LinkTime is how long a link code can be used.
const LinkTime = 10 * time.Minute

// link is a promise to let the next key in that comes with a code.
type link struct {
	account string
	until   time.Time
}

// LinkCode is a code by which one more key can be added to the visitor's
// account, once, and until when: it is typed on the machine with that key. A
// new code makes the former one of the account worthless. The error is a
// sentence for the person.
func (v *Member) LinkCode() (string, time.Time, error) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	account := v.player.Account
	if account == "" {
		return "", time.Time{}, ErrNoKey
	}
	l.dropLinks(account)
	code, until := newCode(LinkLength), time.Now().Add(LinkTime)
	l.links[code] = link{account, until}
	l.rename(account, v.player.Name) // so that other sessions see that the former code is gone
	return code, until, nil
}

// LinkOpen reports whether a link code can still be used.
func (v *Member) LinkOpen(code string) bool {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	k, ok := v.lobby.links[code]
	return ok && k.until.After(time.Now())
}

// dropLinks makes the link codes of an account worthless, and forgets those that
// have expired. The lobby is locked.
func (l *Lobby) dropLinks(account string) {
	now := time.Now()
	for code, k := range l.links {
		if k.account == account || !k.until.After(now) {
			delete(l.links, code)
		}
	}
}

// Link adds a key to the account of a link code, which was typed by somebody at
// an address, and makes the visitor the person of that account. It waits for the
// disk. The error is a sentence for the person.
func (v *Member) Link(ctx context.Context, from netip.Addr, code, fingerprint, label string) (Player, error) {
	l := v.lobby
	if fingerprint == "" {
		return Player{}, ErrNoKey
	}
	account, err := l.takeLink(from, code)
	if err != nil {
		return Player{}, err
	}
	if err := l.cfg.Store.Keys.Add(ctx, store.Key{Fingerprint: fingerprint, Player: account, Label: label}); err != nil {
		return Player{}, l.explain(err)
	}
	p, err := l.cfg.Store.Accounts.ByID(ctx, account)
	if err != nil {
		return Player{}, l.explain(err)
	}
	return v.become(person(p), fingerprint), nil
}

// takeLink uses a link code up.
func (l *Lobby) takeLink(from netip.Addr, text string) (account string, err error) {
	code, ok := readCode(text, LinkLength)
	if !ok {
		return "", ErrLinkCode
	}
	end, err := l.guesses.Try(from)
	if err != nil {
		return "", err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	k, ok := l.links[code]
	ok = ok && k.until.After(time.Now())
	if end(ok); !ok {
		return "", ErrLinkCode
	}
	delete(l.links, code)
	return k.account, nil
}

// Keys are the keys that open the visitor's account, oldest first. It reads
// from the disk. The error is a sentence for the person.
func (v *Member) Keys(ctx context.Context) ([]store.Key, error) {
	p := v.Player()
	if p.Account == "" {
		return nil, ErrNoKey
	}
	keys, err := v.lobby.cfg.Store.Keys.Of(ctx, p.Account)
	if err != nil {
		return nil, v.lobby.explain(err)
	}
	return keys, nil
}

// RemoveKey takes a key away from the visitor's account, unless it is the only
// one. It waits for the disk. The error is a sentence for the person.
func (v *Member) RemoveKey(ctx context.Context, fingerprint string) error {
	p := v.Player()
	if p.Account == "" {
		return ErrNoKey
	}
	err := v.lobby.cfg.Store.Keys.Remove(ctx, p.Account, fingerprint)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return i18n.Errorf("that key has been removed already")
	case err != nil:
		return v.lobby.explain(err)
	}
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	v.lobby.forgetKey(p.Account, fingerprint)
	v.lobby.rename(p.Account, p.Name)
	return nil
}
