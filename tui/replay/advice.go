package replay

import (
	"fmt"
	"math/rand/v2"

	"broadside/bots"
	"broadside/internal/term"
	"broadside/match"
	"broadside/tui/board"
)

// Advice is the admiral bot's choice of the next shot in a frame.
type Advice struct {
	Frame int
	bots.Advice
}

// Advise returns a function that asks the admiral for advice on a frame of a running
// battle. The function takes milliseconds and may be called on any goroutine. If the
// admiral cannot explain the answers so far, its advice has no Odds.
func (r *Replay) Advise(n int) func() *Advice {
	rules, shots := r.rules, r.shotsBefore(n)
	return func() *Advice {
		// Seeded by the frame, so that the same frame always gets the same advice.
		a, err := bots.Advise(rules, shots, rand.New(rand.NewPCG(1, uint64(n))))
		if err != nil || a.Odds == nil {
			return &Advice{Frame: n}
		}
		return &Advice{n, a}
	}
}

// shotsBefore returns the earlier shots of the side that shoots next in a frame.
func (r *Replay) shotsBefore(n int) []match.Shot {
	shooter := r.View(n).Turn
	var shots []match.Shot
	for _, e := range r.events[:r.cuts[n]] {
		if e.Kind == match.ShotAnswered && e.Side == shooter.Other() {
			shots = append(shots, match.Shot{Cell: e.Cell, Result: e.Result, Number: len(shots) + 1})
		}
	}
	return shots
}

// percent returns a probability in percent, as two characters.
func percent(p float64) string {
	switch n := int(100*p + 0.5); {
	case n > 99:
		return "!!"
	case n == 0:
		return " ·"
	default:
		return fmt.Sprintf("%2d", n)
	}
}

// adviceBoard returns the board of the side that is shot at next: its known cells, and
// the probability of a ship in each other cell, in percent. It marks the cells of
// undiscovered ships.
func adviceBoard(v *match.View, side match.Side, a *Advice) *board.Board {
	chart := &v.Charts[side.Other()]
	b := board.Enemy(chart, a.Cell, v.Last[side.Other()]...)
	hottest := 0.0
	open := chart.Open()
	for cell := range open.All() {
		hottest = max(hottest, a.Of(cell))
	}
	hulls := v.Fleets[side].Cells()
	for cell := range open.All() {
		sign := " "
		switch {
		case cell == a.Cell:
			sign = "▸"
		case hulls.Has(cell):
			sign = board.SignHull
		}
		p := a.Of(cell)
		b.Write(cell, sign+percent(p), term.Heat(p/max(hottest, 1e-9)))
	}
	return b
}
