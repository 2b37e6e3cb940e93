package session

import (
	"context"
	"errors"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
)

// maxPrograms is the maximum number of programs that a person may register.
const maxPrograms = 20

// Token is a registered program's token. Its secret is shown only once.
type Token struct{ Name, Secret string }

var errTooManyPrograms = i18n.Errorf("you have registered %d programs, which is the limit: use one of them", maxPrograms)

// Programs returns the player's registered programs, oldest first.
func (s *Session) Programs(ctx context.Context) ([]store.RegisteredProgram, error) {
	return s.lobby.Store().Programs.ListByOwner(ctx, s.Player().Account)
}

// NewToken registers a program for the player, or replaces the program's token.
func (s *Session) NewToken(ctx context.Context, name string) (Token, error) {
	if err := account.CheckName(name); err != nil {
		return Token{}, err
	}
	p, secret, err := s.lobby.Store().Programs.Register(ctx, s.Player().Account, name, maxPrograms)
	switch {
	case errors.Is(err, store.ErrNameTaken):
		return Token{}, account.ErrNameTaken
	case errors.Is(err, store.ErrTooMany):
		return Token{}, errTooManyPrograms
	case err != nil:
		return Token{}, err
	}
	s.host.endProgram(p)
	return Token{p.Name, secret}, nil
}

// RevokeToken invalidates the token of one of the player's programs, and returns the program's
// name.
func (s *Session) RevokeToken(ctx context.Context, name string) (string, error) {
	p, err := s.lobby.Store().Programs.RevokeToken(ctx, s.Player().Account, name)
	if err == nil {
		s.host.endProgram(p)
	}
	return p.Name, err
}

// endProgram ends the sessions of a program whose token has been invalidated. h may be
// nil.
func (h *Host) endProgram(p store.Player) {
	if h != nil {
		h.EndSessions(func(c SessionInfo) bool { return c.Player.Account == p.ID }, i18n.NewMessage("the program's token is no longer valid"))
	}
}

// ResolveProgram returns the player for a program that the client runs over SSH: the registered
// program with a name or, without a name, an unregistered program named after the player's
// account or the client.
func (s *Session) ResolveProgram(ctx context.Context, name string) (account.Player, error) {
	me := s.Player()
	switch {
	case name != "":
		p, err := s.lobby.Store().Accounts.FindByName(ctx, name)
		if err == nil && (me.Account == "" || p.Owner != me.Account) {
			err = store.ErrNotFound
		}
		if err != nil {
			return account.Player{}, err
		}
		s.lobby.Accounts.LoadRatedCounts(ctx, p.ID)
		return account.ProgramPlayer(p), nil
	case me.Account != "":
		return account.Player{Kind: account.Program, Name: me.Name}, nil
	case s.lobby.Accounts.CheckProgramName(ctx, s.client.Name) == nil && account.CheckName(s.client.Name) == nil:
		return account.Player{Kind: account.Program, Name: s.client.Name}, nil
	}
	return account.Player{Kind: account.Program}, nil
}
