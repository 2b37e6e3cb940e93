package puzzle

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"

	"broadside/bots"
	"broadside/internal/store"
	"broadside/match"
	"broadside/match/audit"
	"broadside/match/layouts"
)

const (
	// minRatio is the least ratio of the best odds to the second best ones.
	minRatio = 1.3
	// maxSteps limits the enumeration of a position's layouts. It takes about 20 milliseconds.
	maxSteps = 500_000
)

// position is a puzzle's position as it is stored.
type position struct {
	Rules match.Rules `json:"rules"`
	// Cells and Results describe the shots so far, in order.
	Cells   []match.Cell   `json:"cells"`
	Results []match.Result `json:"results"`
	// Odds are the probabilities of a ship in each cell, row by row, with four decimals.
	Odds []float64 `json:"odds"`
}

// FindPuzzles returns at most one puzzle for each side of a match, the one with the fewest shots. It considers
// only positions whose layouts can all be enumerated. It returns none if ships move or ctx ends.
func FindPuzzles(ctx context.Context, r match.Rules, events []match.Event) (found []store.Puzzle) {
	if r.Moving {
		return nil
	}
	for _, side := range []match.Side{match.First, match.Second} {
		all, turns := readShots(r, events, side)
		var best *store.Puzzle
		for i := len(turns) - 1; i >= 0 && ctx.Err() == nil; i-- {
			p, exact := newPuzzle(r, all[:turns[i]])
			if !exact {
				// Earlier positions have even more layouts.
				break
			}
			if p != nil {
				best = p
			}
		}
		if best != nil && ctx.Err() == nil {
			found = append(found, *best)
		}
	}
	return found
}

// readShots returns a side's shots without repeated ones, and how many of them precede each of its turns.
func readShots(r match.Rules, events []match.Event, side match.Side) (all []match.Shot, turns []int) {
	var tried match.Set
	pending := 0
	for _, e := range events {
		switch {
		case e.Kind == match.ShotFired && e.Side == side:
			if pending == 0 {
				turns = append(turns, len(all))
			}
			pending++
		case e.Kind == match.ShotAnswered && e.Side == side.Other():
			pending--
			if !tried.Has(e.Cell) {
				tried.Add(e.Cell)
				all = append(all, match.Shot{Cell: e.Cell, Result: e.Result})
			}
		}
	}
	return all, turns
}

// newPuzzle returns the puzzle in a position, or nil if no shot is clearly best. It returns false if it cannot
// enumerate the position's layouts.
func newPuzzle(r match.Rules, shots []match.Shot) (p *store.Puzzle, exact bool) {
	chart, log, at := match.NewChart(r), layouts.NewLog(r), position{Rules: r}
	for _, s := range shots {
		chart.Record(s.Cell, s.Result)
		if !log.Add(s.Cell, s.Result) {
			return nil, false
		}
		at.Cells, at.Results = append(at.Cells, s.Cell), append(at.Results, s.Result)
	}
	posterior := layouts.NewPosterior(layouts.NewGeometry(r), nil)
	if !posterior.ReadLog(log) || !posterior.EnumerateSums(maxSteps) || posterior.Total == 0 {
		return nil, false
	}
	at.Odds = posterior.CellOdds(posterior.Mass, posterior.Total)
	var best match.Cell
	first, second := 0.0, 0.0
	for c := range chart.OpenCells().All() {
		switch odds := at.Odds[int(c.Y)*r.Size+int(c.X)]; {
		case odds > first:
			best, first, second = c, odds, first
		case odds > second:
			second = odds
		}
	}
	// A shot that certainly hits is too easy to find.
	if first > 0.999 || first < minRatio*second {
		return nil, true
	}
	for i, odds := range at.Odds {
		at.Odds[i] = math.Round(odds*1e4) / 1e4
	}
	encoded, err := json.Marshal(at)
	return &store.Puzzle{Position: encoded, Best: best.String(), Ratio: first / second}, err == nil
}

// PlayBots plays a match between two built-in bots.
func PlayBots(rng *rand.Rand) (r match.Rules, events []match.Event, err error) {
	for r = match.Naval(); r.Moving; {
		all := match.Presets()
		r = all[rng.IntN(len(all))]
	}
	g, offered := match.NewGame(r, audit.Off), bots.Opponents(r)
	var players [2]bots.Bot
	for side := range players {
		name := offered[rng.IntN(len(offered))].Name
		players[side], err = bots.New(name, bots.Config{Rules: r, Rand: rand.New(rand.NewPCG(rng.Uint64(), 1))})
		if err != nil {
			return r, nil, err
		}
		if _, err := g.Apply(match.PlaceCommand(match.Side(side), players[side].Place())); err != nil {
			return r, nil, err
		}
	}
	for g.Phase() == match.Battle {
		turn := g.Turn()
		chart := g.Chart(turn.Side)
		cells := chart.AppendTargets(nil, turn.Shots, players[turn.Side].Fire)
		if _, err := g.Apply(match.FireCommand(turn.Side, cells...)); err != nil {
			return r, nil, err
		}
	}
	return r, g.Events(), nil
}
