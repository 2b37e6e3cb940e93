package bots

import (
	"slices"

	"broadside/match"
)

// chaser follows up hits on ships afloat; see chaseTargets. It implements [Lister].
type chaser struct{ base }

// chaseTargets returns the open cells to fire at around the hits on ships afloat, empty if there are
// none. Two hits determine a line, so these are the cells at the ends of the lines through all hits.
// If all ends are closed and no ship has sunk, the hits belong to several adjacent ships, and
// each hit is chased as a separate ship.
func chaseTargets(chart *match.Chart, open match.Set) match.Set {
	hits := hitsAfloat(chart)
	ends := lineEnds(hits, open)
	if !ends.IsEmpty() {
		return ends
	}
	for hit := range hits.All() {
		next := lineEnds(match.SetOf(hit), open)
		if !next.IsEmpty() {
			return next
		}
	}
	return match.Set{}
}

// hitsAfloat returns the hits on ships afloat. Where ships may touch, the chart does not always know
// which ship has sunk. Then it was probably the longest run of hits through the last one.
func hitsAfloat(chart *match.Chart) match.Set {
	if chart.Rules.Contact != match.TouchAny {
		return chart.Hits
	}
	var hits match.Set
	for _, shot := range chart.Log {
		switch shot.Result {
		case match.Hit:
			hits.Add(shot.Cell)
		case match.Sunk, match.LastSunk:
			removeLongestRun(&hits, shot.Cell, chart.Rules.Fleet[0].Length)
		}
	}
	return hits
}

// removeLongestRun removes the longest straight run of hits that continues at a cell, if it is not
// longer than any ship.
func removeLongestRun(hits *match.Set, cell match.Cell, longest int) {
	var best match.Set
	for _, axis := range match.Axes {
		var run match.Set
		for _, h := range [...]match.Heading{axis, axis.Rotate(2)} {
			for next := cell.Step(h, 1); hits.Has(next); next = next.Step(h, 1) {
				run.Add(next)
			}
		}
		n := run.Len()
		if n > best.Len() && n < longest {
			best = run
		}
	}
	*hits = hits.Minus(best)
}

// lineEnds returns the open cells at the ends of the lines that hits form, or around a single hit.
func lineEnds(hits, open match.Set) match.Set {
	var ends match.Set
	single := hits.Len() == 1
	for cell := range hits.All() {
		for h := match.North; h <= match.West; h++ {
			if !single && !hits.Has(cell.Step(h, -1)) {
				// The step is not along a line.
				continue
			}
			next := cell.Step(h, 1)
			if open.Has(next) {
				ends.Add(next)
			}
		}
	}
	return ends
}

// OpenList implements [Lister].
func (*chaser) OpenList(chart *match.Chart) ([]match.Cell, bool) {
	next := chaseTargets(chart, openCells(chart))
	return slices.Collect(next.All()), true
}
