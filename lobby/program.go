package lobby

import (
	"context"
	"errors"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/match"
)

// Why a program is not who it says, in sentences for whoever runs it.
var (
	ErrToken       = i18n.Errorf("nobody has this token: it was revoked or replaced, or is cut short; ssh HOST token new NAME makes a new one")
	ErrProgramName = i18n.Errorf("that name is registered, or looks like one that is: show its token, or choose another name")
)

// ReceiveProgram is the registered program that a token belongs to. It reads
// from the disk. The error is a sentence for whoever runs the program.
func (l *Lobby) ReceiveProgram(ctx context.Context, token string) (Player, error) {
	s := l.cfg.Store
	if s == nil {
		return Player{}, ErrNoStore
	}
	p, err := s.Programs.ByToken(ctx, token)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return Player{}, ErrToken
	case err != nil:
		l.cfg.Log.Error("token cannot be looked up", "error", err)
		return Player{}, ErrStore
	}
	l.noteUse(func(ctx context.Context) error { return s.Programs.MarkUsed(ctx, token) })
	return ProgramOf(p), nil
}

// ProgramOf is the account of a program as a player.
func ProgramOf(p store.Player) Player {
	return Player{ID: p.ID, Account: p.ID, Name: p.Name, Kind: Program, Owner: p.Owner}
}

// CheckProgramName tells whether a program without a token may go by a name:
// nil, or an error that is a sentence for whoever runs it. It reads from the
// disk.
func (l *Lobby) CheckProgramName(ctx context.Context, name string) error {
	if errors.Is(CheckName(name), ErrNameReserved) {
		return ErrNameReserved
	}
	if l.cfg.Store == nil {
		return nil
	}
	taken, err := l.cfg.Store.Accounts.IsTaken(ctx, name)
	switch {
	case err != nil:
		l.cfg.Log.Error("name cannot be looked up", "error", err)
		return ErrStore
	case taken:
		return ErrProgramName
	}
	return nil
}

// Standing is a player's rating under a rule set; false if the player has none.
// It reads from the disk.
func (l *Lobby) Standing(ctx context.Context, p Player, rules match.Rules) (store.Standing, bool) {
	if l.cfg.Store == nil || p.Account == "" {
		return store.Standing{}, false
	}
	all, err := l.cfg.Store.Ratings.Of(ctx, p.Account)
	if err != nil {
		l.cfg.Log.Error("rating cannot be read", "error", err)
	}
	for _, s := range all {
		if s.RuleSet == rules.Name {
			return s, s.Games > 0
		}
	}
	return store.Standing{}, false
}
