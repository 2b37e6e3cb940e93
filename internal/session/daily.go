package session

import (
	"context"

	"broadside/lobby/daily"
	"broadside/match"
)

// Queries of the daily sea. They wait for the database. Rows is the most rows
// of the leaderboard that are wanted.
type (
	// OpenDaily opens the daily sea where the player left it. A guest gets a
	// fleet for practice.
	OpenDaily struct{ Rows int }
	// FireDaily shoots at a cell of the sea that was opened. With an error
	// nothing was fired, and the answer is how far the player is all the same.
	FireDaily struct {
		Cell match.Cell
		Rows int
	}
	// GetDailyStanding asks for the leaderboard of a day.
	GetDailyStanding struct {
		Day  string // as [time.DateOnly]
		Rows int
	}
)

// Daily is how far the player is with a daily sea, and the leaderboard. The
// latter has no day if it cannot be read, or nothing is kept.
type Daily struct {
	View     DailyView
	Standing DailyStanding
}

func (q OpenDaily) ask(ctx context.Context, s *Local) (Daily, error) {
	s.mu.Lock()
	try := s.daily
	s.mu.Unlock()
	me := s.Player()
	if try != nil && me.Account == "" && !try.View().Done { // a guest's own, which is stored nowhere
		return s.dailyAt(ctx, try, q.Rows), nil
	}
	try, err := s.lobby.Daily.Attempt(ctx, me)
	if err != nil {
		return Daily{}, err
	}
	return s.dailyAt(ctx, try, q.Rows), nil
}

func (q FireDaily) ask(ctx context.Context, s *Local) (Daily, error) {
	s.mu.Lock()
	try := s.daily
	s.mu.Unlock()
	if try == nil {
		var err error
		if try, err = s.lobby.Daily.Attempt(ctx, s.Player()); err != nil {
			return Daily{}, err
		}
	}
	next, err := try.Fire(ctx, q.Cell)
	return s.dailyAt(ctx, next, q.Rows), err
}

func (q GetDailyStanding) ask(ctx context.Context, s *Local) (DailyStanding, error) {
	if !s.HasStore() {
		return DailyStanding{}, nil
	}
	return daily.ReadStanding(ctx, s.lobby.Store(), s.Player().Account, q.Day, q.Rows)
}

// dailyAt notes how far the player is, and returns it with the leaderboard.
func (s *Local) dailyAt(ctx context.Context, try *daily.Attempt, rows int) Daily {
	s.mu.Lock()
	s.daily = try
	s.mu.Unlock()
	d := Daily{View: try.View()}
	// A leaderboard that cannot be read is left out: the sea itself can be
	// played.
	d.Standing, _ = GetDailyStanding{d.View.Day, rows}.ask(ctx, s)
	return d
}

// The parts of a daily sea that are plain values.
type (
	DailyView     = daily.View
	DailyRow      = daily.Row
	DailyStanding = daily.Standing
)

// DailyBlocks, DailyShare and Today are those of package lobby.
var (
	DailyBlocks = daily.Blocks
	DailyShare  = daily.Share
	Today       = daily.Today
)
