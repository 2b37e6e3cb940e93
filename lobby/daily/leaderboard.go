package daily

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

// ResultBlocks returns an attempt's results as text, with one block per shot. It does not reveal
// the cells.
func ResultBlocks(course []match.Result) string {
	var b strings.Builder
	for _, r := range course {
		b.WriteRune(map[match.Result]rune{match.Miss: '░', match.Hit: '▓', match.Sunk: '█', match.LastSunk: '█'}[r])
	}
	return b.String()
}

// shareWidth is the number of shots on each line of [BlockLines].
const shareWidth = 20

// BlockLines returns the blocks of [ResultBlocks] as lines.
func BlockLines(blocks string) (lines []string) {
	all := []rune(blocks)
	for len(all) > 0 {
		n := min(shareWidth, len(all))
		lines = append(lines, string(all[:n]))
		all = all[n:]
	}
	return lines
}

// Row is a row of a day's leaderboard.
type Row struct {
	// Place starts at 1. It is 0 for newcomers and unfinished attempts.
	Place int
	Name  string
	Shots int
	// Own reports that the row belongs to the player who asked.
	Own bool
}

// Leaderboard is one player's view of a day's leaderboard. It hides the progress of other
// players' unfinished attempts, and all cells.
type Leaderboard struct {
	Day string
	// Best has the rows with the fewest shots first, and earlier ones first among equals.
	Best []Row
	// Finished is the number of ranked players.
	Finished int
	// Newcomers have finished but are not ranked, see [store.Daily.Newcomers]. The order is that of Best.
	Newcomers []Row
	// Own is the player's row.
	Own Row
	// Done reports that the player has finished.
	Done bool
	// Blocks is the player's result, see [ResultBlocks].
	Blocks string
	// Yesterday is the previous day's winner. Its place is 0 if there was none.
	Yesterday Row
	// Streak is on how many consecutive days the player has finished, see [store.Daily.Streak].
	Streak int
	// Longest is the player's longest streak.
	Longest int
}

// ReadLeaderboard reads up to limit rows of a day's leaderboard, as seen by the given
// account. The account may be empty.
func ReadLeaderboard(ctx context.Context, s *store.Store, account, day string, limit int) (Leaderboard, error) {
	d := Leaderboard{Day: day}
	when, err := time.Parse(time.DateOnly, day)
	if err == nil && when.Year() == 0 {
		err = errors.New("no day is before that")
	}
	if err != nil {
		return d, fmt.Errorf("read the daily sea: %w", err)
	}
	row := func(place int, r store.DailyResult) Row {
		return Row{Place: place, Name: r.Name, Shots: r.Shots, Own: account != "" && r.Player == account}
	}
	best, err := s.Daily.ListQualified(ctx, day, limit)
	if err != nil {
		return d, err
	}
	for i, r := range best {
		d.Best = append(d.Best, row(i+1, r))
	}
	late, err := s.Daily.ListNewcomers(ctx, day, limit)
	if err != nil {
		return d, err
	}
	for _, r := range late {
		d.Newcomers = append(d.Newcomers, row(0, r))
	}
	winner, err := s.Daily.ListQualified(ctx, PuzzleDay(when.AddDate(0, 0, -1)), 1)
	if err != nil {
		return d, err
	}
	if len(winner) > 0 {
		d.Yesterday = row(1, winner[0])
	}
	d.Own.Place, d.Finished, err = s.Daily.Place(ctx, account, day)
	if err != nil || account == "" {
		return d, err
	}
	own, err := s.Daily.Get(ctx, account, day)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return d, err
	}
	d.Own = Row{Place: d.Own.Place, Name: own.Name, Shots: own.Shots, Own: true}
	d.Blocks, d.Done = own.ShareText, own.Finished
	d.Streak, d.Longest, err = s.Daily.Streak(ctx, account, day)
	return d, err
}
