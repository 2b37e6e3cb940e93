package bots

import (
	"fmt"
	"math/rand/v2"

	"broadside/match"
)

// Advice is the admiral's evaluation of a position.
type Advice struct {
	Cell match.Cell // the cell it would shoot at
	// Odds are the probabilities of a ship, from 0 to 1, row by row; if ships move, the
	// probabilities of an unhit part. Nil if the results contradict each other.
	Odds []float64
	size int
}

// Of returns the probability of a ship in a cell of the board. It requires Odds.
func (a *Advice) Of(c match.Cell) float64 { return a.Odds[int(c.Y)*a.size+int(c.X)] }

// Advise returns the admiral's next shot after the given answered shots, ignoring the
// opponent's habits. It takes as long as one shot of the admiral; if ships move, as long as
// all shots so far. It returns an error if the rules are invalid.
func Advise(r match.Rules, shots []match.Shot, rng *rand.Rand) (Advice, error) {
	c := Config{Rules: r, Rand: rng}
	if err := r.Validate(); err != nil {
		return Advice{}, fmt.Errorf("asking the admiral: %w", err)
	}
	if r.Moving {
		return adviseMoving(c, shots), nil
	}
	b := newAdmiral(c)
	chart := match.NewChart(r)
	for _, s := range shots {
		chart.Record(s.Cell, s.Result)
		b.Observe(s.Cell, s.Result)
	}
	a := Advice{size: r.Size}
	a.Cell, a.Odds = b.advise(&chart)
	return a, nil
}

// adviseMoving implements Advise for rules that let ships move.
func adviseMoving(c Config, shots []match.Shot) Advice {
	b := newTracker(c)
	chart := match.NewChart(c.Rules)
	for _, s := range shots {
		chart.Record(s.Cell, s.Result)
		b.Observe(s.Cell, s.Result)
	}
	a := Advice{Cell: b.Fire(&chart), Odds: b.belief.Chances(1), size: c.Rules.Size}
	for i, p := range a.Odds {
		a.Odds[i] = min(p, 1)
	}
	return a
}
