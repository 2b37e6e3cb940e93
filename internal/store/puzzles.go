package store

import (
	"context"
	"encoding/json"
	"errors"
)

// Puzzle is a position in which one shot is clearly best.
type Puzzle struct {
	// Number is set by [Puzzles.Add].
	Number int
	// Position is defined by the caller.
	Position json.RawMessage
	// Best is the best cell's name.
	Best string
	// Ratio is the best cell's odds divided by the second best ones. It is only stored, not read.
	Ratio float64
	// Own is the name of the cell that the reader has answered with, or empty.
	Own string
}

const selectPuzzles = `SELECT puzzles.number, puzzles.position, puzzles.best, COALESCE(own.cell, '') FROM puzzles
	LEFT JOIN puzzle_answers own ON own.puzzle = puzzles.number AND own.player = $1 `

func (p *Puzzle) scanTargets() []any {
	return []any{&p.Number, scanJSON(&p.Position), &p.Best, &p.Own}
}

// unusedCondition is the SQL condition for puzzles that are kept for days to come. That is every second one.
const unusedCondition = `(puzzles.day = '' AND puzzles.number % 2 = 1)`

// visibleCondition is the SQL condition for puzzles that a reader may see on the day that is the second argument.
const visibleCondition = `(puzzles.day <= $2 AND NOT ` + unusedCondition + `)`

// Puzzles stores puzzles and the players' answers.
type Puzzles struct{ db *database }

// Add stores new puzzles.
func (ps Puzzles) Add(ctx context.Context, all ...Puzzle) error {
	return ps.db.update(ctx, func(t *tx) error {
		for _, p := range all {
			if err := checkJSON(p.Position); err != nil {
				return err
			}
			_, err := t.exec(`INSERT INTO puzzles (number, position, best, ratio, day, answers, solved)
				VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM puzzles), $1, $2, $3, '', 0, 0)`,
				string(p.Position), p.Best, p.Ratio)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// CountUnused returns the number of puzzles that are kept for days to come.
func (ps Puzzles) CountUnused(ctx context.Context) (n int, err error) {
	err = ps.db.get(ctx, `SELECT COUNT(*) FROM puzzles WHERE `+unusedCondition, nil, &n)
	return n, err
}

// ListByDay returns a day's puzzles for a reader, who may have no account, the easiest first.
func (ps Puzzles) ListByDay(ctx context.Context, reader, day string) ([]Puzzle, error) {
	return listRows(ctx, ps.db, selectPuzzles+`WHERE puzzles.day = $2 ORDER BY puzzles.ratio DESC, puzzles.number`,
		[]any{cleanText(reader), day}, (*Puzzle).scanTargets)
}

// ChooseForDay chooses n puzzles for a day, unless there are fewer or the day has puzzles already.
func (ps Puzzles) ChooseForDay(ctx context.Context, day string, n int) error {
	return ps.db.update(ctx, func(t *tx) error {
		_, err := t.exec(`UPDATE puzzles SET day = $1 WHERE NOT EXISTS (SELECT 1 FROM puzzles WHERE day = $1)
			AND (SELECT COUNT(*) FROM puzzles WHERE `+unusedCondition+`) >= $2
			AND number IN (SELECT number FROM puzzles WHERE `+unusedCondition+` ORDER BY number LIMIT $2)`, day, n)
		return err
	})
}

// ListMore returns at most limit puzzles that a reader may see and has not answered, except today's. The easiest
// come first. A puzzle's difficulty is the share of right answers or, before the first answer, follows from its
// ratio.
func (ps Puzzles) ListMore(ctx context.Context, reader, today string, limit int) ([]Puzzle, error) {
	return listRows(ctx, ps.db, selectPuzzles+`WHERE own.cell IS NULL AND puzzles.day <> $2 AND `+visibleCondition+`
		ORDER BY CASE WHEN puzzles.answers > 0 THEN 1.0 * puzzles.solved / puzzles.answers ELSE 1 - 1 / puzzles.ratio END DESC,
		puzzles.number LIMIT $3`, []any{cleanText(reader), today, limit}, (*Puzzle).scanTargets)
}

// Get returns a puzzle for a reader. It returns [ErrNotFound] for those of days to come.
func (ps Puzzles) Get(ctx context.Context, reader, today string, number int) (p Puzzle, err error) {
	err = ps.db.get(ctx, selectPuzzles+`WHERE puzzles.number = $3 AND `+visibleCondition,
		[]any{cleanText(reader), today, number}, p.scanTargets()...)
	return p, err
}

// ErrAnswered is returned for a second answer to a puzzle.
var ErrAnswered = errors.New("the player has answered this puzzle before")

// Answer stores a player's first answer to a puzzle, given on a day, or returns [ErrAnswered]. It returns
// [ErrNotFound] if the player or the puzzle does not exist.
func (ps Puzzles) Answer(ctx context.Context, player string, number int, cell, day string) error {
	return ps.db.update(ctx, func(t *tx) error {
		n, err := t.exec(`INSERT INTO puzzle_answers (player, puzzle, cell, day) VALUES ($1, $2, $3, $4)
			ON CONFLICT (player, puzzle) DO NOTHING`, player, number, cell, day)
		if err == nil && n == 0 {
			err = ErrAnswered
		}
		if err != nil {
			return err
		}
		_, err = t.exec(`UPDATE puzzles SET answers = answers + 1, solved = solved + CASE best WHEN $1 THEN 1 ELSE 0 END
			WHERE number = $2`, cell, number)
		return err
	})
}

// Streak returns on how many consecutive days a player has answered that day's n puzzles, as [Daily.Streak]
// does.
func (ps Puzzles) Streak(ctx context.Context, player, today string, n int) (current, best int, err error) {
	return ps.db.readStreak(ctx, today, `SELECT puzzles.day FROM puzzle_answers own JOIN puzzles ON puzzles.number = own.puzzle
		WHERE own.player = $1 AND puzzles.day <> '' AND puzzles.day <= $2 AND own.day <= puzzles.day
		GROUP BY puzzles.day HAVING COUNT(*) >= $3 ORDER BY puzzles.day`, cleanText(player), today, n)
}
