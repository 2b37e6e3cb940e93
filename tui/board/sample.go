package board

import (
	"math/rand/v2"

	"broadside/match"
	"broadside/match/audit"
)

// SampleView returns one side's view of an unfinished match under valid rules, for a preview. It is always the
// same for the same rules.
func SampleView(r match.Rules) match.View {
	rng := rand.New(rand.NewPCG(uint64(r.Size), uint64(len(r.Fleet))))
	g := match.NewGame(r, audit.Off)
	var fleets [2]match.Set
	for side := match.First; side <= match.Second; side++ {
		layout := r.RandomLayout(rng)
		fleets[side] = layout.Cells()
		if _, err := g.Apply(match.PlaceCommand(side, layout)); err != nil {
			return g.View(match.First)
		}
	}
	for n := range r.Size * r.Size / 3 {
		side := g.ActingSide()
		if side == match.Nobody {
			break
		}
		chart := g.Chart(side)
		open := chart.OpenCells()
		// Some shots must hit, so that every symbol appears.
		if n%4 < 2 && r.FleetCellCount() > 2 {
			ships := open.Intersect(fleets[side.Other()])
			if !ships.IsEmpty() && chart.ShipsAfloat() > 1 {
				open = ships
			}
		}
		if open.IsEmpty() {
			break
		}
		if _, err := g.Apply(match.FireCommand(side, open.Nth(rng.IntN(open.Len())))); err != nil {
			break
		}
	}
	return g.View(match.First)
}
