package daily

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/match"
)

// Errors of [Attempt.Fire].
var (
	ErrDone      = i18n.Errorf("you have already sunk today's fleet: a new one comes tomorrow")
	ErrClosed    = i18n.Errorf("that day is over: go back and open today's sea")
	ErrElsewhere = i18n.Errorf("you continued in another session: this is the current state")
)

// Attempt is a player's attempt at a puzzle. It is immutable: each shot returns a new
// attempt. Its methods may be called from any goroutine.
type Attempt struct {
	puzzle *Puzzle
	// account is empty for practice.
	account string
	// layout is secret. A view shows only the results of shots.
	layout match.Layout
	view   View
}

// View is the part of an attempt that the player may see. It is immutable.
type View struct {
	// Day has the format [time.DateOnly].
	Day string
	// Practice reports that a guest fires at a fleet of their own, which is not ranked.
	Practice bool
	Chart    match.Chart
	// Cells are the cells of the shots, in order.
	Cells []match.Cell
	// Results are the results of the shots.
	Results []match.Result
	// Done reports that all ships are sunk.
	Done bool
}

// View returns the part of the attempt that the player may see.
func (a *Attempt) View() View { return a.view }

// String keeps the fleet out of logs.
func (a *Attempt) String() string {
	return fmt.Sprintf("the sea of %s after %d shots", a.view.Day, len(a.view.Cells))
}

// GoString is [Attempt.String].
func (a *Attempt) GoString() string { return a.String() }

func (a *Attempt) replayShots(cells []match.Cell) *Attempt {
	next := &Attempt{puzzle: a.puzzle, account: a.account, layout: a.layout, view: View{
		Day: a.view.Day, Practice: a.view.Practice, Chart: match.NewChart(a.view.Chart.Rules), Cells: cells,
	}}
	fleet := match.NewFleet(a.layout)
	for _, cell := range cells {
		r := fleet.Fire(cell)
		next.view.Chart.Record(cell, r)
		next.view.Results = append(next.view.Results, r)
		next.view.Done = next.view.Done || r == match.LastSunk
	}
	return next
}

// Fire fires at a cell and returns the attempt to continue with. The shot is stored before its
// result is revealed. If Fire returns an error, no shot was fired. With [ErrElsewhere], the
// returned attempt includes the shots of the player's other session. The error is a sentence for
// the player.
func (a *Attempt) Fire(ctx context.Context, cell match.Cell) (*Attempt, error) {
	v := &a.view
	switch {
	case v.Done:
		return a, ErrDone
	case !v.Chart.Rules.Contains(cell):
		return a, i18n.Errorf("%v is not on the board: choose another cell", cell)
	case v.Chart.Shots.Has(cell):
		return a, i18n.Errorf("you have already fired at %v: choose another cell", cell)
	}
	// Other goroutines may read v.Cells, so it is copied.
	next := a.replayShots(append(slices.Clip(v.Cells), cell))
	if v.Practice {
		return next, nil
	}
	err := next.save(ctx)
	switch {
	case errors.Is(err, store.ErrOvertaken), errors.Is(err, store.ErrFinished):
		other, err := a.puzzle.loadAttempt(ctx, a.account, v.Day)
		if err != nil {
			return a, err
		}
		return other, ErrElsewhere
	case errors.Is(err, ErrClosed):
		return a, err
	case err != nil:
		return a, a.puzzle.explain(ctx, err)
	}
	return next, nil
}

// save stores the attempt after its latest shot.
func (a *Attempt) save(ctx context.Context) error {
	v, now := &a.view, time.Now()
	day := PuzzleDay(now)
	if day != v.Day && PuzzleDay(now.Add(-extraTime)) != v.Day {
		return ErrClosed
	}
	names := make([]string, len(v.Cells))
	for i, c := range v.Cells {
		names[i] = c.String()
	}
	progress, err := json.Marshal(names)
	if err != nil {
		return err
	}
	return a.puzzle.cfg.Store.Daily.Save(ctx, store.DailyResult{
		Day: v.Day, Player: a.account, Shots: len(names), ShareText: ResultBlocks(v.Results), Finished: v.Done, Progress: progress, LastShot: now,
	})
}
