package session

import (
	"context"
	"slices"
	"time"

	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/profile"
	"broadside/match"
)

// Queries of public data. All except Matches and GetLobby read from the database and return its
// errors; see [Session.HasStore].
type (
	// Matches asks for the running public matches, newest first. They include the match of two
	// bots while it is featured or watched.
	Matches struct{}
	// GetLobby asks for the current state of the lobby, for sessions without snapshots.
	GetLobby struct{}
	// Games asks for finished matches after a cursor, newest first. Private matches of other
	// players are left out.
	Games struct {
		Of    string // the account; empty: all players
		After store.Cursor
		Limit int
	}
	// GetRecord asks for the record of a finished match.
	GetRecord struct{ ID string }
	// Leaderboard asks for the top players of a rule set.
	Leaderboard struct {
		Board store.Category
		Rules string
		Limit int
	}
	// GetProfile asks for the profile of an account.
	GetProfile struct {
		ID    string
		Brief bool // without the openings
	}
	// FindAccount asks for the account with a name, ignoring case.
	FindAccount struct{ Name string }
)

func (Matches) ask(_ context.Context, s *Local) ([]lobby.Running, error) {
	return Public(s.lobby.Matches.List()), nil
}

// Public returns the matches that lists show: without the private ones. It does not change all,
// and returns it if it has none.
func Public(all []lobby.Running) []lobby.Running {
	private := func(r lobby.Running) bool { return r.Private }
	if !slices.ContainsFunc(all, private) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), private)
}

func (GetLobby) ask(_ context.Context, s *Local) (lobby.Snapshot, error) {
	return *s.lobby.Snapshot(), nil
}

func (q Games) ask(ctx context.Context, s *Local) ([]store.Summary, error) {
	seen := s.lobby.Store().Matches.SeenBy(s.Player().Account)
	if q.Of == "" {
		return seen.List(ctx, q.After, q.Limit)
	}
	return seen.Of(ctx, q.Of, q.After, q.Limit)
}

func (q GetRecord) ask(ctx context.Context, s *Local) (store.Match, error) {
	return s.lobby.Store().Matches.ByID(ctx, q.ID)
}

func (q Leaderboard) ask(ctx context.Context, s *Local) ([]store.Standing, error) {
	return s.lobby.Store().Ratings.Leaderboard(ctx, q.Board, q.Rules, time.Now(), q.Limit)
}

func (q GetProfile) ask(ctx context.Context, s *Local) (profile.Profile, error) {
	p, err := s.lobby.Store().Accounts.ByID(ctx, q.ID)
	if err != nil {
		return profile.Profile{}, err
	}
	p.Settings = nil // private
	return profile.Read(ctx, s.lobby.Store(), p, !q.Brief)
}

func (q FindAccount) ask(ctx context.Context, s *Local) (store.Player, error) {
	p, err := s.lobby.Store().Accounts.ByName(ctx, q.Name)
	p.Settings = nil // private
	return p, err
}

// Fleets asks for the player's saved fleets, ordered by name. It waits for the database.
type Fleets struct{}

func (Fleets) ask(ctx context.Context, s *Local) ([]store.Fleet, error) {
	return s.lobby.Accounts.Fleets(s.Player()).List(ctx)
}

// Actions on the player's saved fleets. They wait for the database.
type (
	// SaveFleet saves a fleet under a name and replaces any fleet with the same name.
	SaveFleet struct {
		Name   string
		Rules  match.Rules
		Layout match.Layout
	}
	// RemoveFleet removes the named fleet.
	RemoveFleet struct{ Name string }
)

func (a SaveFleet) do(ctx context.Context, s *Local) error {
	return s.lobby.Accounts.Fleets(s.Player()).Save(ctx, a.Name, a.Rules, a.Layout)
}

func (a RemoveFleet) do(ctx context.Context, s *Local) error {
	return s.lobby.Accounts.Fleets(s.Player()).Remove(ctx, a.Name)
}
