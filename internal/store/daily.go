package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// DailyResult is a player's progress in the Daily sea of one day.
type DailyResult struct {
	// Day is formatted as [time.DateOnly].
	Day string
	// Player is the account's ID.
	Player string
	// Name is filled in by the store.
	Name  string
	Shots int
	// ShareText has blocks that the player can share.
	ShareText string
	// Finished is set if all ships are sunk.
	Finished bool
	// Progress is what the caller needs to continue. It may be nil.
	Progress json.RawMessage
	// LastShot is the time of the last shot.
	LastShot time.Time
}

const dailyColumns = `daily.day, daily.player, players.name, daily.shots, daily.line, daily.done, daily.progress, daily.at`

func (r *DailyResult) scanTargets() []any {
	return []any{&r.Day, &r.Player, &r.Name, &r.Shots, &r.ShareText, &r.Finished, scanJSON(&r.Progress), scanTime(&r.LastShot)}
}

// Errors of [Daily.Save].
var (
	ErrFinished  = errors.New("the Daily sea of that day is finished")
	ErrOvertaken = errors.New("another session has fired")
)

// Daily stores the players' results in the Daily sea.
type Daily struct{ db *database }

// Save stores a player's progress. A shot cannot be undone: the error is [ErrOvertaken] if r has no more
// shots than the stored result, so that only one of two sessions can continue from the same shot. It is
// [ErrFinished] if the player has sunk all ships, and [ErrNotFound] if the player does not exist.
func (d Daily) Save(ctx context.Context, r DailyResult) error {
	if _, err := time.Parse(time.DateOnly, r.Day); err != nil {
		return err
	}
	if r.Progress == nil {
		r.Progress = json.RawMessage("{}")
	}
	if err := checkJSON(r.Progress); err != nil {
		return err
	}
	return d.db.update(ctx, func(t *tx) error {
		n, err := t.exec(`INSERT INTO daily (day, player, shots, line, done, progress, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (day, player) DO UPDATE SET shots = excluded.shots, line = excluded.line, done = excluded.done,
			progress = excluded.progress, at = excluded.at WHERE daily.done = FALSE AND daily.shots < excluded.shots`,
			r.Day, r.Player, r.Shots, cleanText(r.ShareText), r.Finished, string(r.Progress), toMicros(r.LastShot))
		if err != nil || n > 0 {
			return err
		}
		var done bool
		if err := t.get(`SELECT done FROM daily WHERE day = $1 AND player = $2`, []any{r.Day, r.Player}, &done); err != nil {
			return err
		}
		if done {
			return ErrFinished
		}
		return ErrOvertaken
	})
}

// Get returns a player's result of a day, or [ErrNotFound].
func (d Daily) Get(ctx context.Context, player, day string) (r DailyResult, err error) {
	err = d.db.get(ctx, `SELECT `+dailyColumns+` FROM daily JOIN players ON players.id = daily.player
		WHERE daily.player = $1 AND daily.day = $2`, []any{cleanText(player), cleanText(day)}, r.scanTargets()...)
	return r, err
}

// Requirements for a place in the table of a day. They prevent players from finding the
// fleet with a new second account.
const (
	// DailyAge is the account's least age when the day starts.
	DailyAge = 7 * 24 * time.Hour
	// DailyMatches is the least number of rated matches.
	DailyMatches = 5
)

// qualifiedCondition is the SQL condition for a place in the table. Its second argument is the
// latest permitted registration time, the third is DailyMatches.
const qualifiedCondition = `(players.created <= $2 AND
	(SELECT COALESCE(SUM(games), 0) FROM ratings WHERE ratings.player = players.id) >= $3)`

// latestRegistration returns the latest registration time that qualifies for a day's table.
func latestRegistration(day string) (int64, error) {
	start, err := time.Parse(time.DateOnly, day)
	return toMicros(start.Add(-DailyAge)), err
}

// ListQualified returns at most limit results of a day: fewest shots first, then earliest. It
// lists only players who have sunk all ships, whose account is at least [DailyAge] old,
// and who have played [DailyMatches].
func (d Daily) ListQualified(ctx context.Context, day string, limit int) ([]DailyResult, error) {
	return d.listFinished(ctx, day, limit, qualifiedCondition)
}

// ListNewcomers returns the results of a day that Table excludes because of the player's
// account, in the same order.
func (d Daily) ListNewcomers(ctx context.Context, day string, limit int) ([]DailyResult, error) {
	return d.listFinished(ctx, day, limit, `NOT `+qualifiedCondition)
}

func (d Daily) listFinished(ctx context.Context, day string, limit int, condition string) ([]DailyResult, error) {
	registered, err := latestRegistration(day)
	if err != nil {
		return nil, err
	}
	return listRows(ctx, d.db, `SELECT `+dailyColumns+` FROM daily JOIN players ON players.id = daily.player
		WHERE daily.day = $1 AND daily.done = TRUE AND `+condition+`
		ORDER BY daily.shots, daily.at, daily.player LIMIT $4`,
		[]any{cleanText(day), registered, DailyMatches, max(0, limit)}, (*DailyResult).scanTargets)
}

// Place returns a player's place in the table of a day, starting at 1, and the number of
// players in the table. The place is 0 for a player who is not in it.
func (d Daily) Place(ctx context.Context, player, day string) (place, total int, err error) {
	registered, err := latestRegistration(day)
	if err != nil {
		return 0, 0, err
	}
	err = d.db.get(ctx, `WITH ranked AS (SELECT daily.* FROM daily JOIN players ON players.id = daily.player
			WHERE daily.day = $1 AND daily.done = TRUE AND `+qualifiedCondition+`)
		SELECT COUNT(*), COUNT(CASE WHEN ranked.shots < own.shots OR ranked.shots = own.shots AND
			(ranked.at < own.at OR ranked.at = own.at AND ranked.player <= own.player) THEN 1 END)
		FROM ranked LEFT JOIN ranked AS own ON own.player = $4`, []any{cleanText(day), registered, DailyMatches, cleanText(player)}, &total, &place)
	return place, total, err
}

// Streak returns the number of consecutive days on which a player sank all ships, up to today, or up to
// yesterday if today's result is unfinished. It also returns the player's longest streak.
func (d Daily) Streak(ctx context.Context, player, today string) (current, best int, err error) {
	return d.db.readStreak(ctx, today, `SELECT day FROM daily WHERE player = $1 AND done = TRUE AND day <= $2 ORDER BY day`,
		cleanText(player), today)
}

// readStreak returns the number of consecutive days in a query's rows, up to today or yesterday, and the longest
// such number. The rows are in order.
func (db *database) readStreak(ctx context.Context, today, query string, args ...any) (current, best int, err error) {
	now, err := time.Parse(time.DateOnly, today)
	if err != nil {
		return 0, 0, err
	}
	parse := func(day string) (time.Time, error) { return time.Parse(time.DateOnly, day) }
	days, err := listRows(ctx, db, query, args, func(day *time.Time) []any { return []any{scanInto(day, parse)} })
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
	return current, best, err
}
