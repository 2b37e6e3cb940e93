package session

import (
	"context"

	"broadside/lobby/daily"
	"broadside/match"
)

// Daily holds a player's attempt at the Daily sea and the day's leaderboard. The leaderboard has
// no day if it cannot be read or the server has no store.
type Daily struct {
	View        daily.View
	Leaderboard daily.Leaderboard
}

// OpenDaily opens today's Daily sea with the player's progress. A guest gets a practice fleet.
// The leaderboard has at most the given number of rows.
func (s *Session) OpenDaily(ctx context.Context, rows int) (Daily, error) {
	s.mu.Lock()
	attempt := s.daily
	s.mu.Unlock()
	me := s.Player()
	// A guest's attempt exists only in this session.
	if attempt != nil && me.Account == "" && !attempt.View().Done {
		return s.setAttempt(ctx, attempt, rows), nil
	}
	attempt, err := s.lobby.Daily.OpenAttempt(ctx, me)
	if err != nil {
		return Daily{}, err
	}
	return s.setAttempt(ctx, attempt, rows), nil
}

// FireDaily fires at a cell of the opened Daily sea. If it returns an error, no shot was fired,
// and the result is the attempt so far.
func (s *Session) FireDaily(ctx context.Context, cell match.Cell, rows int) (Daily, error) {
	s.mu.Lock()
	attempt := s.daily
	s.mu.Unlock()
	if attempt == nil {
		var err error
		if attempt, err = s.lobby.Daily.OpenAttempt(ctx, s.Player()); err != nil {
			return Daily{}, err
		}
	}
	next, err := attempt.Fire(ctx, cell)
	v := next.View()
	if err == nil && v.Done && !v.Practice {
		s.lobby.NotifyDailyChange()
	}
	return s.setAttempt(ctx, next, rows), err
}

// DailyLeaderboard returns the first rows of a day's leaderboard. The day has the format
// [time.DateOnly].
func (s *Session) DailyLeaderboard(ctx context.Context, day string, rows int) (daily.Leaderboard, error) {
	if s.lobby.Store() == nil {
		return daily.Leaderboard{}, nil
	}
	return daily.ReadLeaderboard(ctx, s.lobby.Store(), s.Player().Account, day, rows)
}

// setAttempt keeps the player's attempt and returns it with the day's leaderboard.
func (s *Session) setAttempt(ctx context.Context, attempt *daily.Attempt, rows int) Daily {
	s.mu.Lock()
	s.daily = attempt
	s.mu.Unlock()
	d := Daily{View: attempt.View()}
	// An unreadable leaderboard is left out, since the puzzle can still be played.
	d.Leaderboard, _ = s.DailyLeaderboard(ctx, d.View.Day, rows)
	return d
}
