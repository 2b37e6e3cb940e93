package infer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"broadside/match"
)

// TestMovedForCertain checks that a different answer for the same cell proves a move,
// unless a hit ship may have sunk since.
func TestMovedForCertain(t *testing.T) {
	for _, c := range []struct {
		first, second match.Result
		stays         bool
	}{
		{match.Miss, match.Miss, true}, {match.Hit, match.Hit, true}, {match.Hit, match.Sunk, true}, {match.Sunk, match.Sunk, true},
		{match.Miss, match.Hit, false}, {match.Hit, match.Miss, false}, {match.Sunk, match.Hit, false}, {match.Sunk, match.Miss, false},
	} {
		a := newStationary(match.Naval(), rand.New(rand.NewPCG(1, 1)))
		if !a.observe(match.NewCell(4, 4), c.first, 0.2) || a.observe(match.NewCell(4, 4), c.second, 0.2) != c.stays {
			t.Errorf("%v, then %v: not %t", c.first, c.second, c.stays)
		}
	}
}

// TestAnswerBeforeTheFirstUpdate checks that a shot fired by the clock counts as well.
func TestAnswerBeforeTheFirstUpdate(t *testing.T) {
	b := NewTracker(match.Naval(), nil, rand.New(rand.NewPCG(1, 1)))
	b.Add(match.NewCell(4, 4), match.Hit)
	b.StationaryOdds()
	if beside := b.still.cells[45] + b.still.cells[43] + b.still.cells[54] + b.still.cells[34]; beside < 1 {
		t.Errorf("it expects %.2f cells of a ship beside a hit, not one or more", beside)
	}
}

// TestUnexpectedHit checks which ship is found at a cell where none was expected: the shortest wounded one
// afloat, otherwise the shortest that was never hit.
func TestUnexpectedHit(t *testing.T) {
	const c = 44
	for _, test := range []struct {
		about string
		hit   []hitShip
		unhit bool
		// at is the index of the ship that is found, or -1 if none is.
		at     int
		length int
		// shortest is the number of ships of length 2 that were never hit, afterwards.
		shortest int
	}{
		{"the shorter wounded ship", []hitShip{newWoundedShip(4, 1), newWoundedShip(2, 1), newWoundedShip(3, 1)}, true, 1, 2, 4},
		{"not one that has sunk", []hitShip{newWoundedShip(2, 3), newWoundedShip(4, 1)}, true, 1, 4, 4},
		{"a ship that was never hit", []hitShip{newWoundedShip(2, 3)}, true, 1, 2, 3},
		{"none is left", []hitShip{newWoundedShip(2, 3)}, false, -1, 0, 0},
	} {
		w := navalMoveGraph()
		a := newHypothesis(w, fleetHabits(true)[0])
		if !test.unhit {
			a.unhit = [match.MaxLength + 1]unhitShips{}
		}
		a.hit = append(a.hit, test.hit...)
		a.placeUnexpectedShip(w, c, match.Hit)
		for i, k := range a.hit {
			covers := true
			for _, s := range k.states {
				covers = covers && slices.Index(w.lengths[k.length].Cells[s.place], c) >= 0
			}
			if covers != (i == test.at) || covers && k.length != test.length {
				t.Errorf("%s: ship %d of length %d is found: %v", test.about, i, k.length, covers)
			}
		}
		if n := a.unhit[2].count; n != test.shortest || test.at >= len(a.hit) {
			t.Errorf("%s: %d ships hit, %d of length 2 were never hit", test.about, len(a.hit), n)
		}
	}
}

// newWoundedShip returns a ship in the first place of its length.
func newWoundedShip(length int, damage uint8) hitShip {
	return hitShip{length: length, states: []shipState{{damage: damage, odds: 1, room: 1}}, scale: 1}
}

// TestTrackerRestarts checks that the tracker finds the ships after a restart. A wrong
// hypothesis may agree with all results and lead to the same few cells.
func TestTrackerRestarts(t *testing.T) {
	rules := match.Naval()
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 6))
		layout := rules.RandomLayout(rng)
		b := NewTracker(rules, nil, rng)
		fleet, chart := match.NewFleet(layout), match.NewChart(rules)
		fire := func(c match.Cell) match.Result {
			r := fleet.Fire(c)
			chart.Record(c, r)
			b.Add(c, r)
			return r
		}
		// All are sunk except a ship of five and one of three, which have never
		// been hit. In the only hypothesis, ships of four and two are afloat.
		for i, ship := range layout {
			for n := range ship.Length {
				if i != 0 && i != 3 {
					fire(ship.Stern.Step(ship.Heading, n))
				}
			}
		}
		wrong := newHypothesis(b.moves, fleetHabits(true)[0])
		for length := range wrong.unhit {
			wrong.unhit[length].count = 0
		}
		wrong.unhit[2].count = 1
		wrong.hit = []hitShip{{length: 4, states: []shipState{{damage: 1, odds: 1, room: 1}}, scale: 1}}
		b.hypotheses, b.ready, b.still, b.moved = []*hypothesis{wrong}, false, nil, true
		b.Restart(&chart)
		from := chart.Fired
		for r := match.Hit; r != match.LastSunk; {
			chances := b.CellOdds(1)
			best, most := match.Cell{}, -1.0
			for c := range chart.OpenCells().All() {
				if p := chances[int(c.Y)*rules.Size+int(c.X)]; p > most {
					best, most = c, p
				}
			}
			if r = fire(best); chart.Fired > from+120 {
				t.Fatalf("seed %d: they are not found in %d shots", seed, chart.Fired-from)
			}
		}
		t.Logf("seed %d: %d shots", seed, chart.Fired-from)
	}
}
