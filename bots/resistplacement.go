package bots

import (
	"broadside/bots/infer"
	"broadside/match"
	"broadside/match/layouts"
)

const (
	// resistRare is how strongly rarely used cells are preferred against unknown opponents,
	// and resistLate how strongly cells that the opponent fires at late are. Higher values
	// would create a habit that opponents can learn.
	resistRare, resistLate = 6, 5
	// resistGames is the number of games after which the opponent's order of shots has half
	// of its full weight.
	resistGames = 4
	// resistDraws is the number of layouts from which the use of cells is estimated.
	resistDraws = 1000
)

// placeResist places a fleet so that a strong opponent needs many shots. An opponent
// without knowledge of the bot first fires at the cells most likely to hold a ship, so the
// first fleet goes to the edges or to cells that few layouts use. Opponents soon recognize
// such fleets. From the second game on, any cell is possible, but cells that this opponent
// fired at late are preferred.
func placeResist(c Config) match.Layout {
	known := c.Memory != nil && c.Memory.Games > 0
	if !known && c.Rand.IntN(2) == 0 {
		return placeEdges(c)
	}
	p := layouts.NewPosterior(layouts.NewGeometry(c.Rules), c.Rand)
	p.ReadLog(layouts.NewLog(c.Rules))
	var preferences []float64
	if known {
		preferences = preferLateCells(c.Memory, resistLate)
	} else {
		p.SampleSums(resistDraws)
		preferences = preferRareCells(c.Rules, p.CellOdds(p.Mass, p.Total), resistRare)
	}
	if layout, ok := p.DrawPreferred(preferences); ok {
		return layout
	}
	return placeUniform(c)
}

// preferRareCells returns preferences for the cells that layouts use less often.
func preferRareCells(r match.Rules, chances []float64, strength float64) []float64 {
	usual := float64(r.FleetCellCount()) / float64(len(chances))
	for c, v := range chances {
		chances[c] = strength * (1 - v/usual)
	}
	return chances
}

// preferLateCells returns preferences for the cells that an opponent fired at late or never.
func preferLateCells(m *infer.Memory, strength float64) []float64 {
	cells := len(m.Shots)
	games, shots := float64(m.Games), 0
	for _, n := range m.Shots {
		shots += n
	}
	// A shot not fired in a game counts as fired after its end.
	never := (float64(shots)/games + float64(cells)) / 2
	turn := make([]float64, cells)
	mean := 0.0
	for c := range turn {
		turn[c] = (float64(m.Turns[c]) + (games-float64(m.Shots[c]))*never) / games
		mean += turn[c] / float64(cells)
	}
	for c, v := range turn {
		turn[c] = strength * (v/mean - 1) * games / (games + resistGames)
	}
	return turn
}
