package session

import (
	"context"
	"time"

	"broadside/internal/store"
	"broadside/lobby/account"
)

// Register creates an account that the player's key opens.
func (s *Session) Register(ctx context.Context, name string) error {
	p, err := s.lobby.Accounts.Register(ctx, name, s.client.Fingerprint, s.client.Name)
	if err != nil {
		return err
	}
	s.member.SignIn(p, s.client.Fingerprint)
	return nil
}

// LinkKey adds the player's key to the account with a link code, and signs the player in.
func (s *Session) LinkKey(ctx context.Context, code string) error {
	return s.codeThrottle.tryCode(s.lobby, func() error {
		p, err := s.lobby.Accounts.LinkKey(ctx, code, s.client.Fingerprint, s.client.Name)
		if err != nil {
			return err
		}
		s.member.SignIn(p, s.client.Fingerprint)
		return nil
	})
}

// Rename renames the account.
func (s *Session) Rename(ctx context.Context, name string) error {
	return s.lobby.Accounts.Rename(ctx, s.Player(), name)
}

// RemoveKey removes a key from the account. The last key cannot be removed.
func (s *Session) RemoveKey(ctx context.Context, fingerprint string) error {
	return s.lobby.Accounts.RemoveKey(ctx, s.Player(), fingerprint)
}

// SetDoNotDisturb sets whether the player refuses challenges.
func (s *Session) SetDoNotDisturb(on bool) { s.member.SetDoNotDisturb(on) }

// SaveSettings stores settings with the account, if there is one, without waiting.
// DoNotDisturb takes effect immediately, even for guests. The channel yields one value:
// nil once the settings are stored, or an error.
func (s *Session) SaveSettings(settings account.Settings) <-chan error {
	s.member.SetDoNotDisturb(settings.DoNotDisturb)
	return s.lobby.Accounts.SaveSettings(s.Player(), settings)
}

// LinkCode is a single-use code that adds a key to an account.
type LinkCode struct {
	Code    string
	Expires time.Time
}

// Settings returns the stored settings, or the defaults if there are none.
func (s *Session) Settings(ctx context.Context) (account.Settings, error) {
	return s.lobby.Accounts.Settings(ctx, s.Player()), nil
}

// Keys returns the keys that open the account, oldest first.
func (s *Session) Keys(ctx context.Context) ([]store.Key, error) {
	return s.lobby.Accounts.Keys(ctx, s.Player())
}

// NewLinkCode returns a code that adds a key to the account. It replaces any earlier
// code.
func (s *Session) NewLinkCode() (LinkCode, error) {
	code, until, err := s.lobby.Accounts.NewLinkCode(s.Player())
	return LinkCode{code, until}, err
}

// IsLinkCodeValid reports whether a link code of the account is still valid.
func (s *Session) IsLinkCodeValid(code string) bool {
	return s.lobby.Accounts.IsLinkCodeValid(code)
}

// MutedPlayers returns the players that the player has muted permanently, ordered by name.
func (s *Session) MutedPlayers(ctx context.Context) ([]account.Player, error) {
	return s.member.Chat.MutedPlayers(ctx)
}
