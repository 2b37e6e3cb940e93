package account

import (
	"context"
	"errors"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// Errors of programs, as sentences for their owners.
var (
	ErrToken       = i18n.Errorf("unknown token (revoked, replaced or incomplete): create one with ssh HOST token new NAME")
	ErrProgramName = i18n.Errorf("that name is registered, or too similar to one that is: send its token, or choose another name")
)

// FindProgramByToken returns the program that was registered with a token.
func (a *Accounts) FindProgramByToken(ctx context.Context, token string) (Player, error) {
	s := a.cfg.Store
	if s == nil {
		return Player{}, ErrNoStore
	}
	p, err := s.Programs.FindByToken(ctx, token)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return Player{}, ErrToken
	case err != nil:
		a.cfg.Log.Error("token cannot be looked up", "error", err)
		return Player{}, ErrStore
	}
	a.storeUse(func(ctx context.Context) error { return s.Programs.MarkTokenUsed(ctx, token) })
	a.LoadRatedCounts(ctx, p.ID)
	return ProgramPlayer(p), nil
}

// CheckProgramName returns an error if a program without a token may not use a name.
func (a *Accounts) CheckProgramName(ctx context.Context, name string) error {
	if errors.Is(CheckName(name), ErrNameReserved) {
		return ErrNameReserved
	}
	if a.cfg.Store == nil {
		return nil
	}
	taken, err := a.cfg.Store.Accounts.IsNameTaken(ctx, name)
	switch {
	case err != nil:
		a.cfg.Log.Error("name cannot be looked up", "error", err)
		return ErrStore
	case taken:
		return ErrProgramName
	}
	return nil
}
