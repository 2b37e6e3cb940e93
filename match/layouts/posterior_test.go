package layouts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"broadside/match"
)

// fleetOf returns rules with ships of the given lengths, longest first.
func fleetOf(size int, contact match.Contact, lengths ...int) match.Rules {
	r := match.Rules{Name: "custom", Size: size, Contact: contact}
	for _, n := range lengths {
		r.Fleet = append(r.Fleet, match.Class{Name: "ship", Length: n})
	}
	return r
}

// positionNumbers returns a layout's positions, sorted.
func positionNumbers(w *Geometry, l match.Layout) []int {
	var out []int
	for _, ship := range l {
		out = append(out, w.Find(ship))
	}
	slices.Sort(out)
	return out
}

// everyLayout lists all legal layouts by trying each ship everywhere. If layouts differ
// only in which of two equal ships is which, it lists one of them.
func everyLayout(r match.Rules) []match.Layout {
	var all []match.Layout
	var place func(l match.Layout, i int)
	place = func(l match.Layout, i int) {
		if i == len(l) {
			all = append(all, slices.Clone(l))
			return
		}
		for _, heading := range match.Axes {
			for cell := range r.Cells().All() {
				l[i] = match.Ship{Stern: cell, Heading: heading, Length: r.Fleet[i].Length}
				if i > 0 && l[i-1].Length == l[i].Length && !isBefore(l[i-1], l[i]) {
					continue
				}
				if r.CheckShip(l, i) == nil {
					place(l, i+1)
				}
			}
		}
		l[i] = match.Ship{}
	}
	place(make(match.Layout, len(r.Fleet)), 0)
	return all
}

func isBefore(a, b match.Ship) bool {
	if a.Heading != b.Heading {
		return a.Heading < b.Heading
	}
	if a.Stern.Y != b.Stern.Y {
		return a.Stern.Y < b.Stern.Y
	}
	return a.Stern.X < b.Stern.X
}

// suspects holds the layouts that agree with all results so far, and the charts of their shots.
type suspects struct {
	layouts []match.Layout
	fleets  []*match.Fleet
}

func newSuspects(layouts []match.Layout) *suspects {
	s := &suspects{layouts: slices.Clone(layouts)}
	for _, l := range layouts {
		s.fleets = append(s.fleets, match.NewFleet(l))
	}
	return s
}

// told removes the layouts that disagree with a result.
func (s *suspects) told(cell match.Cell, r match.Result) {
	n := 0
	for i, f := range s.fleets {
		if f.Fire(cell) == r {
			s.layouts[n], s.fleets[n] = s.layouts[i], f
			n++
		}
	}
	s.layouts, s.fleets = s.layouts[:n], s.fleets[:n]
}

// sums weighs the suspects as a posterior does, ship by ship.
func (s *suspects) sums(w *Geometry, weight []float64, shots match.Set) (total, wounded float64, mass []float64) {
	mass = make([]float64, len(w.positions))
	for _, l := range s.layouts {
		v, hit := 1.0, false
		for _, ship := range l {
			if weight != nil {
				v *= weight[w.Find(ship)]
			}
			cells := ship.Cells()
			hit = hit || cells.Overlaps(&shots) && !cells.IsSubsetOf(&shots)
		}
		total += v
		if hit {
			wounded += v
		}
		for _, ship := range l {
			mass[w.Find(ship)] += v
		}
	}
	return total, wounded, mass
}

// bruteGames is the number of games under each of smallRules.
var bruteGames = 2

var smallRules = []match.Rules{
	fleetOf(5, match.TouchNone, 3, 2, 2), fleetOf(5, match.TouchCorners, 4, 3, 2), fleetOf(5, match.TouchAny, 3, 3, 2),
	fleetOf(6, match.TouchNone, 4, 3, 2), fleetOf(6, match.TouchCorners, 3, 3, 2), fleetOf(6, match.TouchAny, 4, 2, 2),
	fleetOf(5, match.TouchAny, 2, 2, 2), fleetOf(6, match.TouchAny, 3, 2, 2),
}

// TestPosteriorAgainstBruteForce checks the exact and the sampled sums after each shot of games on
// small boards. They must agree with sums over a list of all layouts that give the same results. In
// every other game the layouts have weights.
func TestPosteriorAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, rules := range smallRules {
		t.Run(fmt.Sprint(rules.Size, rules.Contact, rules.FleetCellCount()), func(t *testing.T) {
			w := NewGeometry(rules)
			layouts := everyLayout(rules)
			for game := range bruteGames {
				p := NewPosterior(w, rng)
				if game%2 == 1 {
					p.Weight = make([]float64, len(w.positions))
					for i := range p.Weight {
						p.Weight[i] = 0.5 + 2*rng.Float64()
					}
				}
				comparePosterior(t, p, layouts, rng)
			}
		})
	}
}

// comparePosterior plays one game of random shots.
func comparePosterior(t *testing.T, p *Posterior, layouts []match.Layout, rng *rand.Rand) {
	truth := match.NewFleet(layouts[rng.IntN(len(layouts))])
	s := newSuspects(layouts)
	log := NewLog(p.Rules)
	var shots match.Set
	for _, n := range rng.Perm(p.Rules.Size * p.Rules.Size) {
		total, wounded, mass := s.sums(p.Geometry, p.Weight, shots)
		if !p.ReadLog(log) || !p.EnumerateSums(1<<30) {
			t.Fatalf("after %d shots nothing is possible, but %d layouts are", shots.Len(), len(s.layouts))
		}
		checkClose(t, "total", p.Total, total)
		checkClose(t, "wounded", p.Wounded, wounded)
		for i := range mass {
			checkClose(t, "mass", p.Mass[i], mass[i])
		}
		compareSample(t, p, total, wounded, mass)
		compareAgrees(t, p, layouts, s, shots)
		cell := p.cell(n)
		r := truth.Fire(cell)
		s.told(cell, r)
		log.Add(cell, r)
		shots.Add(cell)
		if r == match.LastSunk {
			return
		}
	}
}

// compareAgrees checks agrees for all matching layouts, once there are few, and for some
// others.
func compareAgrees(t *testing.T, p *Posterior, layouts []match.Layout, s *suspects, shots match.Set) {
	t.Helper()
	if len(s.layouts) > 500 {
		return
	}
	left := map[string]bool{}
	for _, l := range s.layouts {
		left[fmt.Sprint(positionNumbers(p.Geometry, l))] = true
		hit := slices.ContainsFunc(l, func(ship match.Ship) bool {
			cells := ship.Cells()
			return cells.Overlaps(&shots) && !cells.IsSubsetOf(&shots)
		})
		if agrees, wounded := p.Agrees(positionNumbers(p.Geometry, l)); !agrees || wounded != hit {
			t.Fatalf("after %d shots %v agrees = %v, wounded = %v", shots.Len(), l, agrees, wounded)
		}
	}
	for i := 0; i < len(layouts); i += 1 + len(layouts)/500 {
		positions := positionNumbers(p.Geometry, layouts[i])
		if agrees, _ := p.Agrees(positions); agrees != left[fmt.Sprint(positions)] {
			t.Fatalf("after %d shots %v agrees: %v", shots.Len(), layouts[i], agrees)
		}
	}
}

func checkClose(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
		t.Fatalf("%s is %v, counted %v", what, got, want)
	}
}

// compareSample compares a sample with the exact values, in units of the standard error
// between batches.
func compareSample(t *testing.T, p *Posterior, total, wounded float64, mass []float64) {
	t.Helper()
	const batches, draws = 20, 100
	// Row 0 has the totals and row 1 the hits on ships afloat. The positions follow.
	sums := make([][2]float64, 2+len(mass))
	for range batches {
		p.SampleSums(draws)
		for i := range sums {
			v := p.Total
			switch {
			case i == 1:
				v = p.Wounded
			case i > 1:
				v = p.Mass[i-2]
			}
			sums[i][0] += v
			sums[i][1] += v * v
		}
	}
	for i, sum := range sums {
		want := total
		switch {
		case i == 1:
			want = wounded
		case i > 1:
			want = mass[i-2]
		}
		mean := sum[0] / batches
		// A minimum spread is added, because a few draws of a rare position may have none.
		se := math.Sqrt(max(0, sum[1]/batches-mean*mean)/batches) + 0.002*total
		if math.Abs(mean-want) > 6*se {
			t.Fatalf("row %d: sampled %v ± %v, counted %v of %v", i, mean, se, want, total)
		}
	}
}

// TestEstimatedNumberOfLayouts checks that estimated numbers of layouts agree with the known ones.
func TestEstimatedNumberOfLayouts(t *testing.T) {
	for _, c := range []struct {
		rules match.Rules
		want  float64
		draws int
		slack float64
	}{
		{match.Classic(), 2_898_771_376, 100_000, 0.01},
		{match.Hasbro(), 15_046_987_768, 100_000, 0.01},
		{fleetOf(10, match.TouchNone, 5, 4, 4, 3, 3, 3, 2, 2, 2, 2), 26_509_655_816_984, 200_000, 0.1},
	} {
		p := NewPosterior(NewGeometry(c.rules), rand.New(rand.NewPCG(1, 2)))
		if !p.ReadLog(NewLog(c.rules)) {
			t.Fatal("nothing is possible on an empty chart")
		}
		p.SampleSums(c.draws)
		t.Logf("%s, %d ships: %.4g layouts, known are %.4g", c.rules.Name, len(c.rules.Fleet), p.Total, c.want)
		if math.Abs(p.Total/c.want-1) > c.slack {
			t.Errorf("%v: %.6g layouts estimated, known are %.6g", c.rules, p.Total, c.want)
		}
	}
}

// cell returns the cell with a number.
func (w *Geometry) cell(n int) match.Cell { return match.NewCell(n%w.Rules.Size, n/w.Rules.Size) }
