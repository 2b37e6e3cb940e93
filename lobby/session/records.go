package session

import (
	"context"
	"slices"
	"time"

	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
)

// RunningMatches returns the running public matches, newest first. They include the match of two
// bots while it is featured or watched.
func (s *Session) RunningMatches() []lobby.RunningMatch {
	return PublicMatches(s.lobby.Matches.List())
}

// PublicMatches returns the matches that are not private. It does not change all, and returns it if
// none is private.
func PublicMatches(all []lobby.RunningMatch) []lobby.RunningMatch {
	private := func(r lobby.RunningMatch) bool { return r.Private }
	if !slices.ContainsFunc(all, private) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), private)
}

// LobbySnapshot returns the lobby's current state, for sessions that receive no snapshots.
func (s *Session) LobbySnapshot() lobby.Snapshot {
	return *s.lobby.Snapshot()
}

// FinishedMatches returns finished matches after a cursor, newest first, without other players'
// private matches. account is the ID of the account that played them, or empty for all.
func (s *Session) FinishedMatches(ctx context.Context, account string, after store.Cursor, limit int) ([]store.Summary, error) {
	seen := s.lobby.Store().Matches.RestrictTo(s.Player().Account)
	if account == "" {
		return seen.List(ctx, after, limit)
	}
	return seen.ListByPlayer(ctx, account, after, limit)
}

// MatchRecord returns a finished match's record.
func (s *Session) MatchRecord(ctx context.Context, id string) (store.Match, error) {
	return s.lobby.Store().Matches.FindByID(ctx, id)
}

// Leaderboard returns the top players of a rule set.
func (s *Session) Leaderboard(ctx context.Context, board store.Category, rules string, limit int) ([]store.Standing, error) {
	return s.lobby.Store().Ratings.Leaderboard(ctx, board, rules, time.Now(), limit)
}

// Profile returns an account's profile. A brief one has no first shots and no career.
func (s *Session) Profile(ctx context.Context, id string, brief bool) (account.Profile, error) {
	p, err := s.lobby.Store().Accounts.FindByID(ctx, id)
	if err != nil {
		return account.Profile{}, err
	}
	p.Settings = nil // They are private.
	profile, err := account.ReadProfile(ctx, s.lobby.Store(), p, !brief)
	if err != nil || brief {
		return profile, err
	}
	// The list leaves out private matches of other players.
	matches, err := s.FinishedMatches(ctx, id, store.Cursor{}, account.CareerMatches)
	profile.Career = account.NewCareer(id, matches)
	return profile, err
}

// FindAccount returns the account with a name, ignoring case.
func (s *Session) FindAccount(ctx context.Context, name string) (store.Player, error) {
	p, err := s.lobby.Store().Accounts.FindByName(ctx, name)
	p.Settings = nil // They are private.
	return p, err
}
