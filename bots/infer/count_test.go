package infer

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"broadside/match"
)

// explains reports whether a theory describes a layout: its ships are exactly the layout's
// ships that were hit.
func (th *theory) explains(l match.Layout, shots match.Set) bool {
	n := 0
	for _, ship := range l {
		cells := ship.Cells()
		if !cells.Overlaps(&shots) {
			continue
		}
		n++
		k := th.at(ship.Stern)
		if k < 0 || int(th.ships[k].length) != ship.Length || th.ships[k].south != (ship.Heading == match.South) ||
			th.ships[k].x != ship.Stern.X || th.ships[k].y != ship.Stern.Y || int(th.ships[k].hits) != cells.Intersect(shots).Len() {
			return false
		}
	}
	return n == int(th.n)
}

// TestTheoriesAgainstAllLayouts fires at random and compares the theories with a list of
// all layouts. Each layout that gives the same answers has exactly one theory.
func TestTheoriesAgainstAllLayouts(t *testing.T) {
	for _, contact := range []match.Contact{match.TouchNone, match.TouchCorners, match.TouchAny} {
		rules := fleetOf(5, contact, 3, 2, 2)
		for seed := range uint64(4) {
			all := everyLayout(rules)
			rng := rand.New(rand.NewPCG(seed, 1))
			truth := match.NewFleet(all[rng.IntN(len(all))])
			possible := all // shares the array of all; the remaining layouts move to its front
			fleets := make([]*match.Fleet, len(all))
			for i, l := range all {
				fleets[i] = match.NewFleet(l)
			}
			th := newTheories(rules)
			var shots match.Set
			for r := match.Water; r != match.LastSunk; {
				cell := rules.Board().Minus(shots).Nth(rng.IntN(25 - shots.Len()))
				shots.Add(cell)
				r = truth.Shoot(cell)
				th.update(cell, r)
				n := 0
				for i, f := range fleets {
					if f.Shoot(cell) == r {
						possible[n], fleets[n] = possible[i], f
						n++
					}
				}
				possible, fleets = possible[:n], fleets[:n]
				for _, l := range possible {
					explained := 0
					for i := range th.all {
						if th.all[i].explains(l, shots) {
							explained++
						}
					}
					if explained != 1 {
						t.Fatalf("%v: %d theories after %d shots are for %v", contact, explained, shots.Len(), l)
					}
				}
			}
		}
	}
}

// TestTheoriesLeftOutAreFoundAgain limits the number of theories to very few.
func TestTheoriesLeftOutAreFoundAgain(t *testing.T) {
	rules := match.Hasbro()
	rng := rand.New(rand.NewPCG(1, 1))
	again := 0
	for range 100 {
		b := NewCount(rules)
		b.most = 20
		l := rules.RandomLayout(rng)
		fleet, chart := match.NewFleet(l), match.NewChart(rules)
		for r := match.Water; r != match.LastSunk; {
			thinned := b.thinned
			e := b.Update(chart.Open())
			cell := slices.MaxFunc(e.Cells, func(x, y CellChance) int { return cmp.Compare(x.Chance, y.Chance) }).Cell
			r = fleet.Shoot(cell)
			chart.Record(cell, r)
			b.Add(cell, r)
			if thinned && !b.thinned {
				again++
			}
			if len(b.answers) != chart.Fired {
				t.Fatal("true answers were taken for lies")
			}
		}
	}
	if again == 0 {
		t.Error("no theory was ever left out: the test shows nothing")
	}
}

// TestFieldCountsPlaces compares the field of a single ship with a manual count.
func TestFieldCountsPlaces(t *testing.T) {
	rules := fleetOf(5, match.TouchAny, 3)
	rng := rand.New(rand.NewPCG(1, 1))
	for length := match.MinLength; length <= match.MaxLength; length++ {
		for range 50 {
			open := rules.Board()
			for range rng.IntN(12) {
				open.Remove(match.At(rng.IntN(5), rng.IntN(5)))
			}
			places, covering := 0, map[match.Cell]int{}
			for stern := range open.All() {
				for _, h := range [...]match.Heading{match.East, match.South} {
					cells := match.Ship{Stern: stern, Heading: h, Length: length}.Cells()
					if cells.Within(&open) && stern.Step(h, length-1) != match.At(-1, -1) && rules.Contains(stern.Step(h, length-1)) {
						places++
						for c := range cells.All() {
							covering[c]++
						}
					}
				}
			}
			f := newField(rules)
			var one PerLength
			one[length] = 1
			for range 2 { // the number of places is known the second time
				f.weigh(open)
				f.count(&one)
			}
			if got := f.places[length]; math.Abs(got-float64(places)) > 1e-9 {
				t.Fatalf("%g places of length %d, counted %d", got, length, places)
			}
			f.cover()
			for c := range rules.Board().All() {
				want := 0.0
				if places > 0 {
					want = float64(covering[c]) / float64(places)
				}
				if got := f.taken[f.index(c.X, c.Y)]; math.Abs(got-want) > 1e-9 {
					t.Fatalf("length %d, %v: chance %g, counted %g", length, c, got, want)
				}
			}
		}
	}
}

// fleetOf returns rules with ships of the given lengths, longest first.
func fleetOf(size int, contact match.Contact, lengths ...int) match.Rules {
	r := match.Rules{Name: "custom", Size: size, Contact: contact}
	for _, n := range lengths {
		r.Fleet = append(r.Fleet, match.Class{Name: "ship", Length: n})
	}
	return r
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
		for _, heading := range []match.Heading{match.East, match.South} {
			for cell := range r.Board().All() {
				l[i] = match.Ship{Stern: cell, Heading: heading, Length: r.Fleet[i].Length}
				if i > 0 && l[i-1].Length == l[i].Length && !before(l[i-1], l[i]) {
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

func before(a, b match.Ship) bool {
	if a.Heading != b.Heading {
		return a.Heading < b.Heading
	}
	if a.Stern.Y != b.Stern.Y {
		return a.Stern.Y < b.Stern.Y
	}
	return a.Stern.X < b.Stern.X
}
