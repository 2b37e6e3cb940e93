package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// DailyResult is how far a player has come with the daily sea of a day.
type DailyResult struct {
	Day      string // as [time.DateOnly]
	Player   string // ID
	Name     string // filled in by the store
	Shots    int
	Line     string          // the line of blocks to be shared
	Done     bool            // all ships are sunk
	Progress json.RawMessage // what the caller needs to go on; may be nil
	At       time.Time       // of the last shot
}

// Why a daily result is not changed.
var (
	ErrDone      = errors.New("that day's sea has been played to the end")
	ErrOvertaken = errors.New("as many shots have been fired meanwhile")
)

// SaveDaily stores how far a player has come, or the end: after that nothing
// changes any more, [ErrDone]. No shot is taken back: what has no more shots
// than is stored is [ErrOvertaken], so that of two sessions that go on from the
// same shot one does. A player that there is not is [ErrNotFound].
func (s *Store) SaveDaily(ctx context.Context, r DailyResult) error {
	if err := s.saveDaily(ctx, r); err != nil {
		return fmt.Errorf("storing the daily sea of %s: %w", r.Day, err)
	}
	return nil
}

func (s *Store) saveDaily(ctx context.Context, r DailyResult) error {
	if _, err := time.Parse(time.DateOnly, r.Day); err != nil {
		return err
	}
	if r.Progress == nil {
		r.Progress = json.RawMessage("{}")
	}
	if err := validJSON(r.Progress); err != nil {
		return err
	}
	return s.change(ctx, func(t *tx) error {
		if _, err := t.name(r.Player); err != nil {
			return err
		}
		n, err := t.exec(`INSERT INTO daily (day, player, shots, line, done, progress, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (day, player) DO UPDATE SET shots = excluded.shots, line = excluded.line, done = excluded.done,
			progress = excluded.progress, at = excluded.at WHERE daily.done = FALSE AND daily.shots < excluded.shots`,
			r.Day, r.Player, r.Shots, text(r.Line), r.Done, string(r.Progress), micros(r.At))
		if err != nil || n > 0 {
			return err
		}
		var done bool
		if err := t.get(`SELECT done FROM daily WHERE day = $1 AND player = $2`, []any{r.Day, r.Player}, &done); err != nil {
			return err
		}
		if done {
			return ErrDone
		}
		return ErrOvertaken
	})
}

const dailyColumns = `daily.day, daily.player, players.name, daily.shots, daily.line, daily.done, daily.progress, daily.at`

func scanDaily(scan func(...any) error) (DailyResult, error) {
	var r DailyResult
	var progress string
	var at int64
	err := scan(&r.Day, &r.Player, &r.Name, &r.Shots, &r.Line, &r.Done, &progress, &at)
	r.Progress, r.At = json.RawMessage(progress), moment(at)
	return r, err
}

// Daily is how far a player has come with the sea of a day, or [ErrNotFound].
func (s *Store) Daily(ctx context.Context, player, day string) (DailyResult, error) {
	r, err := scanDaily(func(dest ...any) error {
		return s.get(ctx, `SELECT `+dailyColumns+` FROM daily JOIN players ON players.id = daily.player
			WHERE daily.player = $1 AND daily.day = $2`, []any{text(player), text(day)}, dest...)
	})
	if err != nil {
		return DailyResult{}, fmt.Errorf("reading the daily sea of %s: %w", day, err)
	}
	return r, nil
}

// DailyTable is the best of those who have completed the sea of a day, at most
// limit: fewest shots first, then who was done first. Only accounts that were
// [DailyAge] old when the day began and have [DailyMatches] are among them: a
// second account can look for the fleet first. The others are in
// [Store.DailyNewcomers].
func (s *Store) DailyTable(ctx context.Context, day string, limit int) ([]DailyResult, error) {
	return s.dailyTable(ctx, day, limit, established)
}

// What makes an account expensive enough for the table of a day.
const (
	DailyAge     = 7 * 24 * time.Hour
	DailyMatches = 5 // rated ones
)

// established is true for the players of the table. Its arguments are the second,
// the latest moment to have registered, and the third, DailyMatches.
const established = `(players.created <= $2 AND
	(SELECT COALESCE(SUM(games), 0) FROM ratings WHERE ratings.player = players.id) >= $3)`

// oldEnough is the latest moment to have registered for the table of a day.
func oldEnough(day string) (int64, error) {
	start, err := time.Parse(time.DateOnly, day)
	return micros(start.Add(-DailyAge)), err
}

// DailyNewcomers are those who have completed the sea of a day with an account
// that [Store.DailyTable] does not take, in the same order.
func (s *Store) DailyNewcomers(ctx context.Context, day string, limit int) ([]DailyResult, error) {
	return s.dailyTable(ctx, day, limit, `NOT `+established)
}

func (s *Store) dailyTable(ctx context.Context, day string, limit int, who string) ([]DailyResult, error) {
	registered, err := oldEnough(day)
	if err != nil {
		return nil, fmt.Errorf("reading the table of a day: %w", err)
	}
	all, err := list(ctx, s, `SELECT `+dailyColumns+` FROM daily JOIN players ON players.id = daily.player
		WHERE daily.day = $1 AND daily.done = TRUE AND `+who+`
		ORDER BY daily.shots, daily.at, daily.player LIMIT $4`,
		[]any{text(day), registered, DailyMatches, max(0, limit)}, scanDaily)
	if err != nil {
		return nil, fmt.Errorf("reading the table of %s: %w", day, err)
	}
	return all, nil
}

// DailyPlace is a player's place in the table of a day, counted from 1, and how
// many are in it. The place is 0 for who is not in it, see [Store.DailyTable].
func (s *Store) DailyPlace(ctx context.Context, player, day string) (place, of int, err error) {
	registered, err := oldEnough(day)
	if err != nil {
		return 0, 0, fmt.Errorf("reading a place of a day: %w", err)
	}
	err = s.get(ctx, `WITH ranked AS (SELECT daily.* FROM daily JOIN players ON players.id = daily.player
			WHERE daily.day = $1 AND daily.done = TRUE AND `+established+`)
		SELECT COUNT(*), COUNT(CASE WHEN ranked.shots < own.shots OR ranked.shots = own.shots AND
			(ranked.at < own.at OR ranked.at = own.at AND ranked.player <= own.player) THEN 1 END)
		FROM ranked LEFT JOIN ranked AS own ON own.player = $4`, []any{text(day), registered, DailyMatches, text(player)}, &of, &place)
	if err != nil {
		return 0, 0, fmt.Errorf("reading a place of %s: %w", day, err)
	}
	return place, of, nil
}

// Streak is how many days in a row a player has completed the daily sea: up to
// today, or to yesterday while today's is not done, and the most ever.
func (s *Store) Streak(ctx context.Context, player, today string) (current, best int, err error) {
	now, err := time.Parse(time.DateOnly, today)
	if err != nil {
		return 0, 0, fmt.Errorf("counting days: %w", err)
	}
	days, err := list(ctx, s, `SELECT day FROM daily WHERE player = $1 AND done = TRUE AND day <= $2 ORDER BY day`,
		[]any{text(player), today}, func(scan func(...any) error) (time.Time, error) {
			var day string
			if err := scan(&day); err != nil {
				return time.Time{}, err
			}
			return time.Parse(time.DateOnly, day)
		})
	if err != nil {
		return 0, 0, fmt.Errorf("counting days: %w", err)
	}
	run := 0
	for i, day := range days {
		if i == 0 || !day.Equal(days[i-1].AddDate(0, 0, 1)) {
			run = 0
		}
		run++
		best = max(best, run)
		if !day.Before(now.AddDate(0, 0, -1)) {
			current = run
		}
	}
	return current, best, nil
}
