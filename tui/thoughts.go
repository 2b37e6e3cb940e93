package tui

import (
	"fmt"
	"math/rand/v2"

	"broadside/bots"
	"broadside/internal/term/look"
	"broadside/match"
	"broadside/tui/board"
)

// thoughts are what the admiral thinks of the next shot of a picture.
type thoughts struct {
	picture int
	advice  bots.Advice
}

// think asks the admiral about a shot. It takes some milliseconds, so it is not
// for Update.
func think(r match.Rules, shots []match.Shot, picture int) *thoughts {
	// The same thoughts whenever somebody looks at the same picture.
	a, err := bots.Advise(r, shots, rand.New(rand.NewPCG(1, uint64(picture))))
	if err != nil || a.Odds == nil {
		return &thoughts{picture: picture}
	}
	return &thoughts{picture: picture, advice: a}
}

// shotsBefore are the shots of who shoots next in a picture.
func (f *Film) shotsBefore(n int) []match.Shot {
	shooter := f.see(n).Turn
	var shots []match.Shot
	for _, e := range f.events[:f.cuts[n]] {
		if e.Kind == match.ShotAnswered && e.Side == shooter.Other() {
			shots = append(shots, match.Shot{Cell: e.Cell, Result: e.Result, Number: len(shots) + 1})
		}
	}
	return shots
}

// heat is the ink of a cell of a heat map, for a share of the hottest. The text
// in the cell says the same.
func heat(share float64) look.Ink {
	return look.Heat0 + look.Ink(max(0, min(look.Heats-1, int(share*float64(look.Heats)))))
}

// percent is a probability as two characters.
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

// thoughtsBoard is the board of a side that is about to be shot at: what is
// known of it, and the odds of a ship in every other cell, in percent. A ship
// that nobody has seen yet is marked.
func thoughtsBoard(v *match.View, side match.Side, t *thoughts) *board.Board {
	chart := &v.Charts[side.Other()]
	b := chartBoard(chart, t.advice.Cell, v.Last[side.Other()])
	hottest := 0.0
	open := chart.Open()
	for cell := range open.All() {
		hottest = max(hottest, t.advice.Of(cell))
	}
	hulls := v.Fleets[side].Cells()
	for cell := range open.All() {
		sign := " "
		switch {
		case cell == t.advice.Cell:
			sign = "▸"
		case hulls.Has(cell):
			sign = board.SignHull
		}
		p := t.advice.Of(cell)
		b.Write(cell, sign+percent(p), heat(p/max(hottest, 1e-9)))
	}
	return b
}
