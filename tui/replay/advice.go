package replay

import (
	"fmt"
	"slices"

	"broadside/bots"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
)

// Advice is the admiral bot's choice of the next shot in a frame.
type Advice struct {
	Frame int
	bots.Advice
}

// Advise returns a function that asks the admiral for advice on a frame of a running
// battle. The function takes milliseconds, or up to seconds if ships move, and may be
// called on any goroutine. If the admiral cannot explain the answers so far, its advice has
// no Odds.
func (r *Replay) Advise(n int) func() *Advice {
	rules, turns, shots := r.rules, r.turnsBefore(n), max(1, r.View(n).Shots)
	return func() *Advice {
		a, err := bots.NewAdviser(rules)
		if err != nil {
			return &Advice{Frame: n}
		}
		for _, t := range turns {
			a.Observe(t...)
		}
		return &Advice{n, a.Advise(shots)}
	}
}

// turnsBefore returns the answered shots of the earlier turns of the side that shoots next
// in a frame.
func (r *Replay) turnsBefore(n int) (turns [][]match.Shot) {
	shooter := r.View(n).Turn
	for i := range n {
		if t, ok := r.Turn(i + 1); ok && t.Side == shooter {
			turns = append(turns, t.Shots)
		}
	}
	return turns
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
	b := board.Enemy(chart, a.Cells[0], v.Last[side.Other()]...)
	hottest := 0.0
	open := chart.Open()
	for cell := range open.All() {
		hottest = max(hottest, a.Of(cell))
	}
	hulls := v.Fleets[side].Cells()
	for cell := range open.All() {
		sign := " "
		switch {
		case slices.Contains(a.Cells, cell):
			sign = "▸"
		case hulls.Has(cell):
			sign = board.SignHull
		}
		p := a.Of(cell)
		b.Write(cell, sign+percent(p), term.Heat(p/max(hottest, 1e-9)))
	}
	return b
}
