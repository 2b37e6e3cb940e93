package session

import (
	"context"

	"broadside/lobby/daily"
	"broadside/match"
)

// Queries of the daily puzzle. They wait for the database. Rows limits the number of rows
// of the leaderboard.
type (
	// OpenDaily opens today's puzzle with the player's progress. A guest gets a practice
	// fleet.
	OpenDaily struct{ Rows int }
	// FireDaily fires at a cell of the opened puzzle. If it returns an error, no shot was
	// fired, and the answer is the attempt so far.
	FireDaily struct {
		Cell match.Cell
		Rows int
	}
	// GetDailyStanding asks for a day's leaderboard.
	GetDailyStanding struct {
		Day  string // as [time.DateOnly]
		Rows int
	}
)

// Daily holds a player's attempt and the leaderboard. The leaderboard has no day if it
// cannot be read or the server has no store.
type Daily struct {
	View     daily.View
	Standing daily.Standing
}

func (q OpenDaily) ask(ctx context.Context, s *Local) (Daily, error) {
	s.mu.Lock()
	attempt := s.daily
	s.mu.Unlock()
	me := s.Player()
	if attempt != nil && me.Account == "" && !attempt.View().Done { // a guest's attempt is not stored
		return s.dailyAt(ctx, attempt, q.Rows), nil
	}
	attempt, err := s.lobby.Daily.Attempt(ctx, me)
	if err != nil {
		return Daily{}, err
	}
	return s.dailyAt(ctx, attempt, q.Rows), nil
}

func (q FireDaily) ask(ctx context.Context, s *Local) (Daily, error) {
	s.mu.Lock()
	attempt := s.daily
	s.mu.Unlock()
	if attempt == nil {
		var err error
		if attempt, err = s.lobby.Daily.Attempt(ctx, s.Player()); err != nil {
			return Daily{}, err
		}
	}
	next, err := attempt.Fire(ctx, q.Cell)
	return s.dailyAt(ctx, next, q.Rows), err
}

func (q GetDailyStanding) ask(ctx context.Context, s *Local) (daily.Standing, error) {
	if s.lobby.Store() == nil {
		return daily.Standing{}, nil
	}
	return daily.ReadStanding(ctx, s.lobby.Store(), s.Player().Account, q.Day, q.Rows)
}

// dailyAt keeps the player's attempt and returns it with the leaderboard.
func (s *Local) dailyAt(ctx context.Context, attempt *daily.Attempt, rows int) Daily {
	s.mu.Lock()
	s.daily = attempt
	s.mu.Unlock()
	d := Daily{View: attempt.View()}
	// An unreadable leaderboard is left out, since the puzzle can still be played.
	d.Standing, _ = GetDailyStanding{d.View.Day, rows}.ask(ctx, s)
	return d
}
