package pairing

// RoundRobin returns the rounds in which n entrants play each other once in each cycle. It
// uses the circle method: one entrant stays in place and the others rotate. With an odd
// number of entrants, one of them does not appear in each round. In one cycle, an entrant
// is first as often as it is second, or once more or less. The next cycle swaps sides.
func RoundRobin(n, cycles int) [][]Pair {
	if n < 2 {
		return nil
	}
	// The number of entrants that rotate is odd.
	circle := n - 1 + n%2
	var rounds [][]Pair
	for cycle := range cycles {
		for r := range circle {
			var round []Pair
			for k := range (circle + 1) / 2 {
				a, b := (r+k)%circle, (r-k+circle)%circle
				swap := (k+cycle)%2 == 1
				if k == 0 {
					// b is the entrant that stays in place.
					b, swap = circle, (r+cycle)%2 == 1
				}
				// Otherwise a has no opponent, because n is odd.
				if b < n {
					round = append(round, newPair(a, b, swap))
				}
			}
			rounds = append(rounds, round)
		}
	}
	return rounds
}

// Gauntlet returns the rounds in which entrant 0 plays each of the others once in each cycle, with
// balanced sides.
func Gauntlet(n, cycles int) [][]Pair {
	var rounds [][]Pair
	for cycle := range cycles {
		for other := 1; other < n; other++ {
			rounds = append(rounds, []Pair{newPair(0, other, (other+cycle)%2 == 0)})
		}
	}
	return rounds
}

// newPair returns the pair of a and b, or of b and a if swap is set.
func newPair(a, b int, swap bool) Pair {
	if swap {
		return Pair{b, a}
	}
	return Pair{a, b}
}
