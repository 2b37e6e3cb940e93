package session

import (
	"context"
	"time"

	"broadside/internal/store"
	"broadside/lobby/account"
)

// Actions of an account. They wait for the database.
type (
	// Register creates an account that the player's key opens.
	Register struct{ Name string }
	// Rename renames the account.
	Rename struct{ Name string }
	// LinkKey adds the player's key to the account that issued a link code, and signs the
	// player in to that account.
	LinkKey struct{ Code string }
	// RemoveKey removes a key from the account. The last key cannot be removed.
	RemoveKey struct{ Fingerprint string }
	// DoNotDisturb sets whether the player refuses challenges.
	DoNotDisturb struct{ On bool }
	// StoreSettings calls [Session.SaveSettings] and waits for the result.
	StoreSettings struct{ Settings account.Settings }
)

func (a Register) do(ctx context.Context, s *Local) error {
	p, err := s.lobby.Accounts.Register(ctx, a.Name, s.client.Fingerprint, s.client.Name)
	return s.signIn(p, err)
}

func (a LinkKey) do(ctx context.Context, s *Local) error {
	return s.codes.try(s.lobby, func() error {
		p, err := s.lobby.Accounts.Link(ctx, a.Code, s.client.Fingerprint, s.client.Name)
		return s.signIn(p, err)
	})
}

// signIn switches the session to p, the owner of the account that the session's key
// opens, unless err is set.
func (s *Local) signIn(p account.Player, err error) error {
	if err == nil {
		s.member.SignIn(p, s.client.Fingerprint)
	}
	return err
}

func (a Rename) do(ctx context.Context, s *Local) error {
	return s.lobby.Accounts.Rename(ctx, s.Player(), a.Name)
}

func (a RemoveKey) do(ctx context.Context, s *Local) error {
	return s.lobby.Accounts.RemoveKey(ctx, s.Player(), a.Fingerprint)
}

func (a DoNotDisturb) do(_ context.Context, s *Local) error {
	s.member.SetDoNotDisturb(a.On)
	return nil
}

func (a StoreSettings) do(ctx context.Context, s *Local) error {
	select {
	case err := <-s.SaveSettings(a.Settings):
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// SaveSettings implements [Session].
func (s *Local) SaveSettings(settings account.Settings) <-chan error {
	if s.member == nil {
		refused := make(chan error, 1)
		refused <- ErrForPeople
		return refused
	}
	s.member.SetDoNotDisturb(settings.DoNotDisturb)
	return s.lobby.Accounts.SaveSettings(s.Player(), settings)
}

// Queries of an account. They wait for the database.
type (
	// GetSettings asks for the stored settings, or the defaults if there are none.
	GetSettings struct{}
	// Keys asks for the keys that open the account, oldest first.
	Keys struct{}
	// NewLinkCode asks for a code that adds a key to the account. It replaces any earlier
	// code.
	NewLinkCode struct{}
	// CheckLinkCode asks whether a link code of the account is still valid.
	CheckLinkCode struct{ Code string }
	// Muted asks for the players that the player has muted permanently, ordered by name.
	Muted struct{}
)

// LinkCode is a single-use code and when it expires.
type LinkCode struct {
	Code  string
	Until time.Time
}

func (GetSettings) ask(ctx context.Context, s *Local) (account.Settings, error) {
	return s.lobby.Accounts.Settings(ctx, s.Player()), nil
}

func (Keys) ask(ctx context.Context, s *Local) ([]store.Key, error) {
	return s.lobby.Accounts.Keys(ctx, s.Player())
}

func (NewLinkCode) ask(_ context.Context, s *Local) (LinkCode, error) {
	code, until, err := s.lobby.Accounts.NewLinkCode(s.Player())
	return LinkCode{code, until}, err
}

func (q CheckLinkCode) ask(_ context.Context, s *Local) (bool, error) {
	return s.lobby.Accounts.LinkValid(q.Code), nil
}

func (Muted) ask(ctx context.Context, s *Local) ([]account.Player, error) {
	return s.member.Chat.Muted(ctx)
}
