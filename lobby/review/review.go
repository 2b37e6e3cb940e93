// Package review judges the shots of finished matches by the choices of the bot admiral.
//
// For each shot, the admiral computes the odds of a hit in every cell from the results known at
// that moment, and chooses a cell. A shot's loss, in expected hits, is the odds of the admiral's
// cell minus those of the player's cell, but never less than 0. A side's accuracy is the share of
// the admiral's expected hits that it did not lose.
//
// Shots fired by the clock are not judged, nor are shots after contradicting results. If a turn has
// several shots, they are compared with as many choices of the admiral, ordered by odds.
package review

import (
	"cmp"
	"context"
	"slices"

	"broadside/bots"
	"broadside/match"
)

// Shot is a judged shot.
type Shot struct {
	// Turn is the turn's number in the match, from 1.
	Turn int        `json:"turn"`
	Cell match.Cell `json:"cell"`
	// Odds is a hit's probability.
	Odds float64 `json:"odds"`
	// Best is the cell that the admiral chose.
	Best     match.Cell `json:"best"`
	BestOdds float64    `json:"best_odds"`
}

// Loss returns the loss in expected hits, from 0 to 1.
func (s Shot) Loss() float64 { return max(0, s.BestOdds-s.Odds) }

// Side is the review of one side's shots.
type Side struct {
	// Judged is the number of judged shots.
	Judged int
	// Accuracy is from 0 to 1. It is 0 if no shot was judged.
	Accuracy float64
	// Costliest holds the shots that lost most, at most mostCostly.
	Costliest []Shot
}

// Match is a match's review, by side.
type Match [2]Side

// mostCostly is the maximum number of mistakes in a review. leastCost is the minimum loss of a
// mistake, in expected hits.
const (
	mostCostly = 3
	leastCost  = 0.01
)

// ReviewMatch reviews a match. It takes about two milliseconds per shot, or up to a hundred if ships
// move. It returns an error if the rules are invalid or ctx ends.
func ReviewMatch(ctx context.Context, r match.Rules, events []match.Event) (m Match, err error) {
	var sides [2]*judge
	for side := range sides {
		a, err := bots.NewAdviser(r)
		if err != nil {
			return m, err
		}
		sides[side] = &judge{adviser: a, moving: r.Moving}
	}
	for i, turn := 0, 0; i < len(events); i++ {
		if events[i].Kind != match.ShotFired {
			continue
		}
		if err := ctx.Err(); err != nil {
			return m, err
		}
		turn++
		t := readTurn(events, i)
		sides[events[i].Side].judgeTurn(turn, t)
		i = t.end - 1
	}
	for side, j := range sides {
		m[side] = j.summary()
	}
	return m, nil
}

type turn struct {
	// cells are the cells of the shots that the player chose, not the clock.
	cells []match.Cell
	// shots are the shots that have a result.
	shots []match.Shot
	// end is the index of the first event after the turn.
	end int
}

// readTurn returns the turn that starts with events[i]. It ends before the other side's next shot.
func readTurn(events []match.Event, i int) (t turn) {
	side := events[i].Side
	for t.end = i; t.end < len(events); t.end++ {
		switch e := &events[t.end]; {
		case e.Kind == match.ShotFired && (e.Side != side || len(t.shots) > 0):
			return t
		case e.Kind == match.ShotFired && !e.Auto:
			t.cells = append(t.cells, e.Cell)
		case e.Kind == match.ShotAnswered && e.Side == side.Other():
			t.shots = append(t.shots, match.Shot{Cell: e.Cell, Result: e.Result})
		}
	}
	return t
}

type judge struct {
	adviser *bots.Adviser
	moving  bool
	tried   match.Set
	judged  int
	// lost and all count expected hits: those lost, and those of the admiral's choices.
	lost, all float64
	costly    []Shot
}

// judgeTurn judges a turn and reports its results to the adviser.
func (j *judge) judgeTurn(number int, t turn) {
	if len(t.cells) > 0 {
		a := j.adviser.Advise(len(t.cells))
		if a.Odds != nil {
			j.judgeShots(number, t.cells, &a)
		}
	}
	for _, s := range t.shots {
		j.tried.Add(s.Cell)
	}
	j.adviser.RecordTurn(t.shots...)
}

func (j *judge) judgeShots(number int, cells []match.Cell, a *bots.Advice) {
	odds := func(c match.Cell) float64 {
		// A shot at a known cell gains nothing.
		if !j.moving && j.tried.Has(c) {
			return 0
		}
		return a.OddsAt(c)
	}
	byOdds := func(x, y match.Cell) int { return cmp.Compare(odds(y), odds(x)) }
	cells, best := slices.SortedStableFunc(slices.Values(cells), byOdds), slices.SortedStableFunc(slices.Values(a.Cells), byOdds)
	for i, c := range cells {
		b := best[min(i, len(best)-1)]
		s := Shot{Turn: number, Cell: c, Odds: odds(c), Best: b, BestOdds: odds(b)}
		j.judged++
		j.lost += s.Loss()
		j.all += s.BestOdds
		if s.Loss() >= leastCost {
			j.costly = append(j.costly, s)
		}
	}
}

func (j *judge) summary() Side {
	slices.SortStableFunc(j.costly, func(a, b Shot) int { return cmp.Compare(b.Loss(), a.Loss()) })
	s := Side{Judged: j.judged, Costliest: slices.Clip(j.costly[:min(len(j.costly), mostCostly)])}
	if j.judged > 0 {
		s.Accuracy = 1
	}
	if j.all > 0 {
		s.Accuracy = 1 - j.lost/j.all
	}
	return s
}
