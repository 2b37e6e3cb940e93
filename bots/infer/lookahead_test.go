package infer

import (
	"math"
	"math/rand/v2"
	"testing"

	"broadside/match"
)

// TestLookahead compares the predicted misses with those of games played to the end, in
// which each shot goes to the most frequent cell among the layouts that give the same
// answers.
func TestLookahead(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, rules := range []match.Rules{
		fleetOf(6, match.TouchCorners, 3, 3, 2), fleetOf(6, match.TouchAny, 4, 2, 2), fleetOf(9, match.TouchNone, 3, 2),
	} {
		w := newGeometry(rules)
		layouts := everyLayout(rules)
		for range 30 {
			var some []match.Layout
			l := newLookahead(w)
			l.reset()
			log := newAnswers(rules)
			for range 1 + rng.IntN(12) {
				some = append(some, layouts[rng.IntN(len(layouts))])
				l.add(numbers(w, some[len(some)-1]), log, 1)
			}
			var cells []uint16
			misses := map[uint16]int{}
			for range 5 {
				c := uint16(rng.IntN(rules.Size * rules.Size))
				cells = append(cells, c)
				misses[c] = countMisses(w, some, int(c))
			}
			ranked := l.rank(cells, 1)
			for i := 1; i < len(ranked); i++ {
				if misses[ranked[i-1]] > misses[ranked[i]] {
					t.Fatalf("%d layouts: cells are ranked %v, their misses are %v", len(some), ranked, misses)
				}
			}
			all := make([]int32, len(some))
			for i := range all {
				all[i] = int32(i)
			}
			hope := l.table()
			l.count(all, hope, nil)
			if got := l.shoot(all, int(cells[0]), hope); got != int64(heaviest*misses[cells[0]]) {
				t.Fatalf("%d layouts: %d misses foreseen, %d counted", len(some), got/heaviest, misses[cells[0]])
			}
		}
	}
}

// countMisses plays the game to the end for each layout.
func countMisses(w *geometry, layouts []match.Layout, first int) int {
	total := 0
	for _, truth := range layouts {
		fleet, s := match.NewFleet(truth), suspect(layouts)
		var shots match.Set
		for cell := w.cell(first); ; {
			r := fleet.Shoot(cell)
			shots.Add(cell)
			s.told(cell, r)
			if r == match.LastSunk {
				break
			}
			if r == match.Water {
				total++
			}
			most := 0
			votes := make([]int, w.rules.Size*w.rules.Size)
			for _, l := range s.layouts {
				for c := range l.Cells().Minus(shots).All() {
					votes[w.number(c)]++
				}
			}
			for c, n := range votes {
				if n > most {
					cell, most = w.cell(c), n
				}
			}
		}
	}
	return total
}

// TestLookaheadOfUnequalWeights lists layouts of very different weights.
func TestLookaheadOfUnequalWeights(t *testing.T) {
	rules := fleetOf(6, match.TouchCorners, 3, 2)
	w := newGeometry(rules)
	layouts := everyLayout(rules)
	l := newLookahead(w)
	l.reset()
	log := newAnswers(rules)
	for i, weight := range []float64{1e-9, 3, math.SmallestNonzeroFloat64, 2.5} {
		l.add(numbers(w, layouts[i*300]), log, weight)
	}
	likely := layouts[300].Cells()
	if best := w.cell(int(l.best([]uint16{0, 7, 14, 21, 28, 35, uint16(w.number(likely.Nth(0)))}))); !likely.Has(best) {
		other := layouts[900].Cells()
		if !other.Has(best) {
			t.Errorf("%v is chosen, which neither of the likely layouts has", best)
		}
	}
}
