package tui

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"charm.land/lipgloss/v2"

	"broadside/bots"
	"broadside/match"
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

// heats are the styles of a heat map, from cold to hot. The number in the cell
// says the same.
var heats = sync.OnceValue(func() []lipgloss.Style {
	return []lipgloss.Style{
		style(lightGrey, "#23304a"), style(lightGrey, "#3b3a63"), style(white, "#5d3f78"), style(white, "#843f7d"),
		style(white, "#a84173"), style(white, "#c64a60"), style(black, "#df6a4a"), style(black, "#ef9440"), style(black, "#f8c44f"),
	}
})

// heat is a cell of a heat map: a share of the hottest, with the text that says
// it and a sign before it.
func heat(share float64, sign, text string) string {
	all := heats()
	i := max(0, min(len(all)-1, int(share*float64(len(all)))))
	return all[i].Render(sign + text)
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

// drawThoughts draws the board of a side that is about to be shot at: what is
// known of it, and the odds of a ship in every other cell, in percent. A ship
// that nobody has seen yet is marked.
func drawThoughts(v *match.View, side match.Side, t *thoughts) []string {
	chart := &v.Charts[side.Other()]
	hottest := 0.0
	for cell := range v.Rules.Board().All() {
		if chart.At(cell) == match.Unknown {
			hottest = max(hottest, t.advice.Of(cell))
		}
	}
	hulls := v.Fleets[side].Cells()
	return drawBoard(v.Rules.Size, t.advice.Cell, func(cell match.Cell) string {
		if chart.At(cell) != match.Unknown {
			return looks().chart[chart.At(cell)][frameOf(cell, noCell, v.Last[side.Other()])]
		}
		sign := " "
		switch {
		case cell == t.advice.Cell:
			sign = "▸"
		case hulls.Has(cell):
			sign = glyphHull
		}
		p := t.advice.Of(cell)
		return heat(p/max(hottest, 1e-9), sign, percent(p))
	})
}
