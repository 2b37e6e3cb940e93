package bots

import (
	"math/rand/v2"
	"testing"

	"broadside/internal/test/race"
	"broadside/match"
)

// TestTrackerNoticesWhetherShipsMove checks that the stationary hypothesis becomes likely
// if nothing moves, and is abandoned if something does.
func TestTrackerNoticesWhetherShipsMove(t *testing.T) {
	race.SkipComputation(t)
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
			if b.belief.Stationary() > 0.8 {
				kept++
			}
		}
		if kept < want[0] || kept > want[1] {
			t.Errorf("%s: it believes that %d of 8 fleets never moved, not %d to %d", mover, kept, want[0], want[1])
		}
	}
}
