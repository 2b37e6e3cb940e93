package match

import (
	"math/rand/v2"
	"testing"
)

// TestDenseLimits checks that no next ship has more free places than the limit, for many partial
// fleets that leave as much space as possible. Exceeding a limit would make some layouts likelier
// than others.
func TestDenseLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	closest := 0.0
	for _, size := range []int{5, 6, 8, 10, 13} {
		rules := Rules{Size: size, Contact: TouchNone}
		for range 4000 {
			water, taken := rules.Cells(), 0
			for length := MaxLength; length >= MinLength; {
				east, south := water.sternsWithin(length)
				free, limit := east.Len()+south.Len(), rules.maxPlaces(length, taken)
				if free > limit {
					t.Fatalf("size %d: %d places for length %d with %d squares taken, the limit is %d", size, free, length, taken, limit)
				}
				if taken > 0 && limit > 0 {
					closest = max(closest, float64(free)/float64(limit))
				}
				if free == 0 || rng.IntN(3) == 0 {
					length--
					continue
				}
				// This is mostly the first place in the order of rows, because packed
				// fleets leave the most room.
				ship := Ship{Heading: East, Length: length}
				n := rng.IntN(min(free, 1+rng.IntN(4)))
				if lying := east.Len(); n < lying {
					ship.Stern = east.Nth(n)
				} else {
					ship.Stern, ship.Heading = south.Nth(n-lying), South
				}
				water = water.Minus(TouchNone.Halo(ship.Cells()))
				taken += blockSize(length)
			}
		}
	}
	if closest < 0.8 {
		t.Errorf("no fleet came nearer to a limit than %.2f of it: they do not try hard", closest)
	}
	for size := MinSize; size <= MaxSize; size++ {
		rules := Rules{Size: size, Contact: TouchNone}
		for length := MinLength; length <= MaxLength; length++ {
			if got, want := rules.maxPlaces(length, 0), rules.placeCount(length); got != want {
				t.Errorf("size %d: the limit for the first ship of length %d is %d, there are %d places", size, length, got, want)
			}
		}
	}
}
