// Package review judges the shots of finished matches by the choices of the bot admiral.
//
// For each shot, the admiral gives the odds of a hit in every cell, from the results known
// at that moment, and its own choice. The loss of a shot, in expected hits, is the odds of
// the admiral's choice minus those of its own cell, but never less than 0. The accuracy of
// a side is the share of the admiral's expected hits that it did not lose.
//
// Shots fired by the clock are not judged, nor are shots after answers that contradict each
// other. If a turn has several shots, they are compared with as many choices of the
// admiral, in the order of their odds.
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
	Turn     int        `json:"turn"` // number of the turn in the match, from 1
	Cell     match.Cell `json:"cell"`
	Odds     float64    `json:"odds"` // the hit's probability
	Best     match.Cell `json:"best"` // the admiral's choice
	BestOdds float64    `json:"best_odds"`
}

// Loss returns the loss in expected hits, from 0 to 1.
func (s Shot) Loss() float64 { return max(0, s.BestOdds-s.Odds) }

// Side is the review of one side's shots.
type Side struct {
	Judged    int     // shots
	Accuracy  float64 // from 0 to 1; 0 if no shot was judged
	Costliest []Shot  // the shots that lost most, at most mostCostly
}

// Match is a match's review, by side.
type Match [2]Side

// mostCostly is the maximum number of mistakes in a review, and leastCost a mistake's least loss in
// expected hits.
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
	cells []match.Cell // without those chosen by the clock
	shots []match.Shot // answered
	end   int          // index of the first event after it
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
	adviser   *bots.Adviser
	moving    bool
	tried     match.Set
	judged    int
	lost, all float64 // expected hits: lost ones, and those of the admiral
	costly    []Shot
}

// judgeTurn judges a turn and reports its answers to the adviser.
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
		if !j.moving && j.tried.Has(c) { // a known cell gains nothing
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
