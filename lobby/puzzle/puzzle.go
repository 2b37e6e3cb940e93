// Package puzzle implements puzzles. In a puzzle, a player looks for the best shot in a position from a finished
// match, in which one shot is clearly best.
//
// The odds are exact, because a puzzle is made only if all layouts that agree with the results can be enumerated.
// A puzzle contains its position and names no player, so it does not depend on the match. Everyone gets the same
// puzzles each day. A player's first answer counts.
package puzzle

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/daily"
	"broadside/match"
)

// PerDay is the number of puzzles for each day.
const PerDay = 5

// Errors of [Puzzles], as sentences for the player.
var (
	ErrNone     = i18n.Errorf("there is no such puzzle now: the server makes new ones every night")
	ErrAnswered = i18n.Errorf("you have answered this puzzle before: your first answer counts")
)

// Puzzle is a puzzle as a player sees it.
type Puzzle struct {
	Number int
	Chart  match.Chart
	// Answer is nil until the player has answered.
	Answer *Answer
	// secret lacks the player's cell.
	secret Answer
}

// Rules returns the position's rules without salvos, because a puzzle has one shot.
func (p Puzzle) Rules() match.Rules {
	rules := p.Chart.Rules
	rules.Salvo = false
	return rules
}

// Answer is an answer with the exact odds.
type Answer struct {
	Cell, Best match.Cell
	// odds are the odds of each cell, row by row.
	odds []float64
	size int
}

// Odds returns the probability of a ship in a cell.
func (a Answer) Odds(c match.Cell) float64 { return a.odds[int(c.Y)*a.size+int(c.X)] }

// Share returns the answer's odds as a share of the best ones.
func (a Answer) Share() float64 { return a.Odds(a.Cell) / a.Odds(a.Best) }

// IsRight reports whether the player has found the best shot.
func (a Answer) IsRight() bool { return a.Cell == a.Best }

// WithAnswer returns the puzzle with an answer.
func (p Puzzle) WithAnswer(c match.Cell) Puzzle {
	answer := p.secret
	answer.Cell = c
	p.Answer = &answer
	return p
}

// parsePosition returns a stored position.
func parsePosition(stored json.RawMessage) (at position, err error) {
	err = json.Unmarshal(stored, &at)
	if err == nil && (len(at.Results) != len(at.Cells) || len(at.Odds) != at.Rules.Size*at.Rules.Size) {
		err = errors.New("the position is damaged")
	}
	return at, err
}

// parsePuzzle returns a stored puzzle.
func parsePuzzle(stored *store.Puzzle) (p Puzzle, err error) {
	at, err := parsePosition(stored.Position)
	if err != nil {
		return p, err
	}
	best, err := match.ParseCell(stored.Best)
	p = Puzzle{Number: stored.Number, Chart: match.NewChart(at.Rules), secret: Answer{Best: best, odds: at.Odds, size: at.Rules.Size}}
	for i, c := range at.Cells {
		p.Chart.Record(c, at.Results[i])
	}
	if err != nil || stored.Own == "" {
		return p, err
	}
	own, err := match.ParseCell(stored.Own)
	return p.WithAnswer(own), err
}

// Today is a day's puzzles as a player sees them.
type Today struct {
	Day string
	// Puzzles are the day's puzzles, the easiest first. There are none if the server has too few.
	Puzzles []Puzzle
	// Streak is on how many consecutive days the player has answered all puzzles, and Longest the longest streak.
	Streak, Longest int
}

// NextIndex returns the index of the first puzzle that the player has not answered, or the number of puzzles.
func (t *Today) NextIndex() int {
	for i, p := range t.Puzzles {
		if p.Answer == nil {
			return i
		}
	}
	return len(t.Puzzles)
}

// IsDone reports whether the player has answered all puzzles of the day.
func (t *Today) IsDone() bool { return len(t.Puzzles) > 0 && t.NextIndex() == len(t.Puzzles) }

// Puzzles finds puzzles for players and makes new ones. Its methods may be called from any goroutine and wait
// for the database.
type Puzzles struct {
	// Store may be nil. Then there are no puzzles.
	Store *store.Store
	Log   *slog.Logger
}

// Today returns today's puzzles for an account, or for a guest without one.
func (ps *Puzzles) Today(ctx context.Context, player string) (t Today, err error) {
	t.Day = daily.PuzzleDay(time.Now())
	if ps.Store == nil {
		return t, nil
	}
	stored, err := ps.Store.Puzzles.ListByDay(ctx, player, t.Day)
	if err == nil && player != "" {
		t.Streak, t.Longest, err = ps.Store.Puzzles.Streak(ctx, player, t.Day, PerDay)
	}
	t.Puzzles, err = ps.parsePuzzles(ctx, stored, err)
	return t, err
}

// ListMore returns at most limit other puzzles that an account has not answered, the easiest first.
func (ps *Puzzles) ListMore(ctx context.Context, player string, limit int) ([]Puzzle, error) {
	if ps.Store == nil {
		return nil, nil
	}
	stored, err := ps.Store.Puzzles.ListMore(ctx, player, daily.PuzzleDay(time.Now()), limit)
	return ps.parsePuzzles(ctx, stored, err)
}

// parsePuzzles takes the results of reading puzzles.
func (ps *Puzzles) parsePuzzles(ctx context.Context, stored []store.Puzzle, err error) (all []Puzzle, _ error) {
	for i := 0; i < len(stored) && err == nil; i++ {
		var p Puzzle
		p, err = parsePuzzle(&stored[i])
		all = append(all, p)
	}
	return all, ps.explainError(ctx, err)
}

// Find returns the puzzle with a number. The error is [ErrNone] if there is none.
func (ps *Puzzles) Find(ctx context.Context, player string, number int) (p Puzzle, err error) {
	if ps.Store == nil {
		return p, ErrNone
	}
	stored, err := ps.Store.Puzzles.Get(ctx, player, daily.PuzzleDay(time.Now()), number)
	if err == nil {
		p, err = parsePuzzle(&stored)
	}
	return p, ps.explainError(ctx, err)
}

// Answer answers a puzzle and returns it with the answer that counts. An account's first answer is stored. For a
// later one, it returns the first answer and [ErrAnswered].
func (ps *Puzzles) Answer(ctx context.Context, player string, number int, c match.Cell) (Puzzle, error) {
	p, err := ps.Find(ctx, player, number)
	switch {
	case err != nil:
		return p, err
	case p.Answer != nil:
		return p, ErrAnswered
	case !p.Chart.Rules.Contains(c):
		return p, i18n.Errorf("%v is not on the board: choose another cell", c)
	case p.Chart.Shots.Has(c):
		return p, i18n.Errorf("the position has a shot at %v already: choose another cell", c)
	case player == "":
		return p.WithAnswer(c), nil
	}
	err = ps.Store.Puzzles.Answer(ctx, player, number, c.String(), daily.PuzzleDay(time.Now()))
	if errors.Is(err, store.ErrAnswered) {
		// Now there is a first answer to return.
		return ps.Answer(ctx, player, number, c)
	}
	if err != nil {
		return p, ps.explainError(ctx, err)
	}
	return p.WithAnswer(c), nil
}

// explainError logs an error of the store and returns an error for the player.
func (ps *Puzzles) explainError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrNotFound):
		return ErrNone
	case ctx.Err() == nil:
		ps.Log.Error("cannot read puzzles", "error", err)
	}
	return account.ErrStore
}
