package bots

import (
	"fmt"
	"math/rand/v2"

	"broadside/match"
)

// Advice is the admiral's evaluation of a position.
type Advice struct {
	// Cells are a turn's shots as the admiral would choose them, best first.
	Cells []match.Cell
	// Odds are the probabilities of a ship in each cell, from 0 to 1, row by row. If ships
	// move, they are those of an unhit part. Odds is nil if the results contradict each other.
	Odds []float64
	size int
}

// OddsAt returns a cell's entry in Odds, which must not be nil.
func (a *Advice) OddsAt(c match.Cell) float64 { return a.Odds[int(c.Y)*a.size+int(c.X)] }

// Adviser asks the admiral about the positions of one side in a game, ignoring the
// opponent's habits. The advice depends only on the rules and the results so far, so every
// Adviser gives the same one.
type Adviser struct {
	rules match.Rules
	chart match.Chart
	// tracker is nil unless ships move.
	tracker *trackerBot
	// advice is the tracker's advice for the current position, or nil before it is asked.
	advice *Advice
}

// NewAdviser returns an Adviser for a game before its first shot. It returns an error if
// the rules are invalid.
func NewAdviser(r match.Rules) (*Adviser, error) {
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("ask the admiral: %w", err)
	}
	a := &Adviser{rules: r, chart: match.NewChart(r)}
	if r.Moving {
		a.tracker = newTrackerBot(a.config())
	}
	return a, nil
}

// config seeds the random numbers with the position.
func (a *Adviser) config() Config {
	return Config{Rules: a.rules, Rand: rand.New(rand.NewPCG(1, uint64(a.chart.Fired)))}
}

// RecordTurn records a turn's results.
func (a *Adviser) RecordTurn(turn ...match.Shot) {
	if a.tracker != nil {
		// An Adviser that was not asked must use up the same random numbers.
		a.Advise(1)
	}
	a.advice = nil
	for _, s := range turn {
		a.chart.Record(s.Cell, s.Result)
	}
}

// Advise returns advice for a turn of n shots. It takes as long as n shots of the admiral.
func (a *Adviser) Advise(n int) Advice {
	if a.tracker != nil {
		return a.adviseMoving()
	}
	b, chart := newAdmiral(a.config()), a.chart
	advice := Advice{size: a.rules.Size}
	for range n {
		var cell match.Cell
		cell, advice.Odds = b.chooseCell(&chart)
		advice.Cells = append(advice.Cells, cell)
		chart.Shots.Add(cell)
	}
	return advice
}

// adviseMoving implements Advise for rules that let ships move, where a turn has one shot.
func (a *Adviser) adviseMoving() Advice {
	if a.advice == nil {
		a.advice = &Advice{Cells: []match.Cell{a.tracker.Fire(&a.chart)}, Odds: a.tracker.belief.CellOdds(1), size: a.rules.Size}
		for i, p := range a.advice.Odds {
			a.advice.Odds[i] = min(p, 1)
		}
	}
	return *a.advice
}
