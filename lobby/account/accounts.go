// Package account manages accounts, registered programs, settings and saved fleets.
//
// Errors returned to callers are sentences for the player unless documented otherwise.
package account

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/store/rating"
	"broadside/match"
)

// Errors of accounts.
var (
	ErrNoStore = i18n.Errorf("this server has no accounts")
	ErrNoKey   = i18n.Errorf("you are a guest: connect with an SSH key")
	ErrStore   = i18n.Errorf("the server cannot read its data right now: try again in a minute")
	ErrLookup  = i18n.Errorf("the server cannot look up accounts right now: try again in a minute")
)

// StoreTimeout limits how long a player waits for the database.
const StoreTimeout = 3 * time.Second

const guestName = "guest"

// Config configures [New].
type Config struct {
	// Store may be nil. Then there are no accounts.
	Store *store.Store
	// Log is required.
	Log *slog.Logger
	// Known returns the player that a key identifies while the database is unavailable.
	Known func(fingerprint string) (Player, bool)
	// Changed is called after an account's name, keys or link code have changed. The
	// player has the account's current name.
	Changed func(Player)
	// KeyRemoved is called after a key has been removed from an account.
	KeyRemoved func(account, fingerprint string)
}

// Accounts manages the accounts of players. Its methods may be called from any goroutine.
// Methods with a context wait for the database.
type Accounts struct {
	cfg Config
	// bots holds the IDs of the built-in bots' accounts, by name. OpenBots fills it once.
	bots map[string]string
	// ctx ends with Close.
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	// mu guards the fields below. It is never held while waiting.
	mu     sync.Mutex
	closed bool
	// linkCodes holds the valid link codes.
	linkCodes map[string]linkCode
	// unsaved holds settings that are not stored yet, by account.
	unsaved map[string]*unsaved
	// histories holds what limits rated matches, by account.
	histories map[string]history
	// day is the UTC day of the rated matches in histories.
	day time.Time
}

// New returns the accounts in a store. Close them with [Accounts.Close].
func New(cfg Config) *Accounts {
	a := &Accounts{
		cfg: cfg, bots: map[string]string{}, linkCodes: map[string]linkCode{}, unsaved: map[string]*unsaved{}, histories: map[string]history{},
	}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	return a
}

// Close waits until all settings are stored.
func (a *Accounts) Close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.cancel()
	a.work.Wait()
}

// OpenBots finds or creates the built-in bots' accounts.
func (a *Accounts) OpenBots(ctx context.Context) error {
	if a.cfg.Store == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*StoreTimeout)
	defer cancel()
	for _, b := range bots.All() {
		// A bot with a parameter is a different player for each value, so it has no account.
		if b.Argument != "" {
			continue
		}
		p, err := a.cfg.Store.Accounts.EnsureBot(ctx, b.Name)
		if err != nil {
			return err
		}
		a.bots[b.Name] = p.ID
	}
	return nil
}

// BotPlayer returns a built-in bot as a player, with its fixed ratings.
func (a *Accounts) BotPlayer(name string) Player {
	p := Player{ID: "bot-" + name, Name: name, Kind: Bot, Account: a.bots[name]}
	for _, rules := range match.PresetNames() {
		if r, ok := rating.BotRating(rules, name); ok {
			p.Ratings = p.Ratings.Replace(rules, r.String())
		}
	}
	return p
}

// IdentifyClient returns the player for a client. If the client's key opens an account, this is the
// account's owner. Other clients are guests. A guest with a key gets a default name, and one
// without a key keeps the name it sent, unless that is too similar to an account's name. If the
// database is unavailable, see [Accounts.IdentifyKey]. A client without a key that sends the
// default name needs no lookup.
func (a *Accounts) IdentifyClient(ctx context.Context, name, fingerprint string) (Player, error) {
	p, err := a.IdentifyKey(ctx, fingerprint)
	switch {
	case err != nil || p.Account != "":
		return p, err
	case a.cfg.Store == nil:
		p.Name = name
		return p, nil
	case fingerprint != "" || name == guestName:
		p.Name = guestName
		return p, nil
	}
	ctx, cancel := context.WithTimeout(ctx, StoreTimeout)
	defer cancel()
	taken, err := a.cfg.Store.Accounts.IsNameTaken(ctx, name)
	switch {
	case err != nil:
		a.cfg.Log.Error("name cannot be looked up", "error", err)
		return Player{}, ErrLookup
	case taken || CheckName(name) != nil:
		name = guestName
	}
	return Player{Name: name}, nil
}

// IdentifyKey returns the owner of the account that a key opens, or the player of [KeyPlayer] if there is no
// account. If the database is unavailable, it recognizes only players in running matches and returns
// [ErrLookup] for others.
func (a *Accounts) IdentifyKey(ctx context.Context, fingerprint string) (Player, error) {
	s := a.cfg.Store
	switch {
	case fingerprint == "":
		return Player{}, nil
	case s == nil:
		return KeyPlayer(fingerprint), nil
	}
	ctx, cancel := context.WithTimeout(ctx, StoreTimeout)
	defer cancel()
	p, err := s.Accounts.FindByKey(ctx, fingerprint)
	switch {
	case err == nil:
		a.storeUse(func(ctx context.Context) error { return s.Keys.MarkUsed(ctx, fingerprint) })
		known := PersonPlayer(p)
		known.Ratings = a.ratings(ctx, p.ID)
		a.LoadRatedCounts(ctx, p.ID)
		return known, nil
	case errors.Is(err, store.ErrNotFound):
		return KeyPlayer(fingerprint), nil
	}
	if known, ok := a.cfg.Known(fingerprint); ok {
		return known, nil
	}
	a.cfg.Log.Error("account cannot be looked up", "key", fingerprint, "error", err)
	return Player{}, ErrLookup
}

// ratings returns a player's ratings as shown on screens, by rule set. There are none if the
// database is unavailable.
func (a *Accounts) ratings(ctx context.Context, player string) (shown Ratings) {
	all, err := a.cfg.Store.Ratings.ListByPlayer(ctx, player)
	if err != nil {
		a.cfg.Log.Error("rating cannot be read", "error", err)
	}
	for _, s := range all {
		shown = shown.Replace(s.RuleSet, s.String())
	}
	return shown
}

// storeUse stores when a key or token was last used. It does not wait.
func (a *Accounts) storeUse(note func(context.Context) error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return
	}
	a.work.Go(func() {
		ctx, cancel := context.WithTimeout(a.ctx, StoreTimeout)
		defer cancel()
		if err := note(ctx); err != nil {
			a.cfg.Log.Warn("last use of a key or token not stored", "error", err)
		}
	})
}

// Register creates an account that a key opens, and labels the key. If the key already
// opens an account, Register returns its owner.
func (a *Accounts) Register(ctx context.Context, name, fingerprint, label string) (Player, error) {
	s := a.cfg.Store
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
	// Another session of the same player has registered the key.
	if errors.Is(err, store.ErrKeyTaken) {
		p, err = s.Accounts.FindByKey(ctx, fingerprint)
	}
	if err != nil {
		return Player{}, a.explain(err)
	}
	return PersonPlayer(p), nil
}

// Rename renames a player's account, at most once in RenamePause unless the name only changes its
// look. Running matches keep the old name.
func (a *Accounts) Rename(ctx context.Context, p Player, name string) error {
	if p.Account == "" {
		return ErrNoKey
	}
	if err := CheckName(name); err != nil {
		return err
	}
	last, err := a.cfg.Store.Accounts.RenameTime(ctx, p.Account)
	switch {
	case err != nil:
		return a.explain(err)
	case time.Since(last) < RenamePause && store.Skeleton(name) != store.Skeleton(p.Name):
		return ErrRenamedToday
	}
	if err := a.cfg.Store.Accounts.Rename(ctx, p.Account, name, ""); err != nil {
		return a.explain(err)
	}
	p.Name = name
	a.cfg.Changed(p)
	return nil
}

// RenameByOperator renames an account on behalf of an operator. Running matches keep the old
// name.
func (a *Accounts) RenameByOperator(ctx context.Context, account, name, operator string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if err := a.cfg.Store.Accounts.Rename(ctx, account, name, operator); err != nil {
		if errors.Is(err, store.ErrNameTaken) {
			return ErrNameTaken
		}
		return err
	}
	a.cfg.Changed(Player{ID: account, Account: account, Name: name})
	return nil
}

// explain turns an error of the store into a sentence for the player. It logs errors that
// only the operator can fix.
func (a *Accounts) explain(err error) error {
	if errors.Is(err, store.ErrNameTaken) {
		return ErrNameTaken
	}
	for _, known := range []error{store.ErrKeyTaken, store.ErrLastKey} {
		if errors.Is(err, known) {
			return known
		}
	}
	a.cfg.Log.Error("an account was not changed", "error", err)
	return ErrStore
}

// FindStanding returns a player's rating under a rule set, or false if there is none or the
// database is unavailable.
func (a *Accounts) FindStanding(ctx context.Context, p Player, rules match.Rules) (store.Standing, bool) {
	if a.cfg.Store == nil || p.Account == "" {
		return store.Standing{}, false
	}
	all, err := a.cfg.Store.Ratings.ListByPlayer(ctx, p.Account)
	if err != nil {
		a.cfg.Log.Error("rating cannot be read", "error", err)
	}
	for _, s := range all {
		if s.RuleSet == rules.Name {
			return s, s.Games > 0
		}
	}
	return store.Standing{}, false
}
