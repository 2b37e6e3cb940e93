package bots

import (
	"math/rand/v2"
	"testing"

	"broadside/match"
)

// TestAnchorIsWeighed: that nothing has moved gets likely where nothing moves,
// and is given up where something does.
func TestAnchorIsWeighed(t *testing.T) {
	rules := match.Naval()
	for mover, want := range map[string][2]int{"stay": {6, 8}, "random": {0, 2}} {
		kept := 0
		for seed := range uint64(8) {
			target, err := New("easy", Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 4)), Mover: mover})
			if err != nil {
				t.Fatal(err)
			}
			b := newTracker(Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 5))})
			sinkMoving(t, rules, &player{shooter: b}, target)
			if b.still != nil && b.still.share > 0.8 {
				kept++
			}
		}
		if kept < want[0] || kept > want[1] {
			t.Errorf("%s: it takes %d fleets out of 8 for such as never moved, not %d to %d", mover, kept, want[0], want[1])
		}
	}
}

// TestMovedForCertain: other answers for the same cell show that something has
// moved; a ship that was hit may have sunk since.
func TestMovedForCertain(t *testing.T) {
	for _, c := range []struct {
		first, second match.Result
		stays         bool
	}{
		{match.Water, match.Water, true}, {match.Hit, match.Hit, true}, {match.Hit, match.Sunk, true}, {match.Sunk, match.Sunk, true},
		{match.Water, match.Hit, false}, {match.Hit, match.Water, false}, {match.Sunk, match.Hit, false}, {match.Sunk, match.Water, false},
	} {
		a := newAnchor(base{match.Naval(), rand.New(rand.NewPCG(1, 1))})
		if !a.told(44, c.first, 0.2) || a.told(44, c.second, 0.2) != c.stays {
			t.Errorf("%v, then %v: not %t", c.first, c.second, c.stays)
		}
	}
}

// TestToldBeforeTheFirstShot: what the clock has fired for it counts as well.
func TestToldBeforeTheFirstShot(t *testing.T) {
	b := newTracker(Config{Rules: match.Naval(), Rand: rand.New(rand.NewPCG(1, 1))})
	b.Told(match.At(4, 4), match.Hit)
	chart := match.NewChart(match.Naval())
	chart.Record(match.At(4, 4), match.Hit)
	b.Fire(&chart)
	if beside := b.still.cells[45] + b.still.cells[43] + b.still.cells[54] + b.still.cells[34]; beside < 1 {
		t.Errorf("it expects %.2f cells of a ship beside a hit, not one or more", beside)
	}
}

// TestTrackerStartsAnew: a course that is all wrong can go on to agree with the
// answers, and lead to the same few cells. It is believed for a while only.
func TestTrackerStartsAnew(t *testing.T) {
	rules := match.Naval()
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 6))
		layout := rules.RandomLayout(rng)
		b := newTracker(Config{Rules: rules, Rand: rng})
		fleet, chart := match.NewFleet(layout), match.NewChart(rules)
		fire := func(c match.Cell) match.Result {
			r := fleet.Shoot(c)
			chart.Record(c, r)
			b.Told(c, r)
			return r
		}
		// All are sunk but a ship of five and one of three, which nobody has
		// hit. The one course left has ships of four and two float.
		for i, ship := range layout {
			for n := range ship.Length {
				if i != 0 && i != 3 {
					fire(ship.Stern.Step(ship.Heading, n))
				}
			}
		}
		wrong := newCourse(b.roads, fleetHabits(true)[0])
		for length := range wrong.whole {
			wrong.whole[length].n = 0
		}
		wrong.whole[2].n = 1
		wrong.hit = []hulk{{length: 4, states: []state{{damage: 1, p: 1, room: 1}}, scale: 1}}
		b.courses, b.ready, b.still, b.sailed = []*course{wrong}, false, nil, true
		from := chart.Fired
		for r := match.Hit; r != match.LastSunk; {
			if r = fire(b.Fire(&chart)); chart.Fired > from+120 {
				t.Fatalf("seed %d: it has not found them in %d shots", seed, chart.Fired-from)
			}
		}
		t.Logf("seed %d: %d shots", seed, chart.Fired-from)
	}
}
