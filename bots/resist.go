package bots

import (
	"broadside/bots/infer"
	"broadside/match"
)

const (
	// resistRare is how much layouts on rarely used cells are preferred
	// against someone unknown, and resistLate how much those on cells that the
	// opponent shoots at late. More would be a habit that can be learned.
	resistRare, resistLate = 6, 5
	// resistGames is how many games must have been seen for the opponent's
	// order of shooting to count half.
	resistGames = 4
)

// placeResist makes a strong opponent need many shots. An opponent who knows
// nothing about the bot shoots first where ships lie most often: against that one
// the fleet goes to the edges, or to cells that few layouts use. Such fleets are
// soon recognized. So from the second game on the fleet goes anywhere, but
// preferably to cells that this opponent shot at late.
func placeResist(c Config) match.Layout {
	known := c.Memory != nil && c.Memory.Games > 0
	if !known && c.Rand.IntN(2) == 0 {
		return placeEdges(c)
	}
	layouts := infer.NewSampler(c.Rules, c.Rand)
	var preferences []float64
	if known {
		preferences = lateness(c.Memory, resistLate)
	} else {
		preferences = rareness(c.Rules, layouts.Chances(), resistRare)
	}
	if layout, ok := layouts.Prefer(preferences); ok {
		return layout
	}
	return placeUniform(c)
}

// rareness returns preferences for the cells that layouts use less often than
// others.
func rareness(r match.Rules, chances []float64, strength float64) []float64 {
	usual := float64(r.FleetCells()) / float64(len(chances))
	for c, v := range chances {
		chances[c] = strength * (1 - v/usual)
	}
	return chances
}

// lateness returns preferences for the cells that an opponent shot at late or not
// at all.
func lateness(m *infer.Memory, strength float64) []float64 {
	cells := len(m.Shots)
	games, shots := float64(m.Games), 0
	for _, n := range m.Shots {
		shots += n
	}
	// A shot that did not come in a game would have come after its end.
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
