package pairing

import (
	"math/bits"
	"slices"
)

// Knockout returns all rounds of the bracket of n entrants. The best two seeds can only
// meet in the final, the best four in the semifinals, and so on. If n is not a power of
// two, the best seeds have a [Bye] in the first round.
//
// The results decide who advances: the entrant with more points, and no one if both have
// none. With equal points, the better seed advances, so a caller that wants a replay adds
// no result before it. Entrants who are not known yet are [Open].
func Knockout(n int, results []Result) [][]Pair {
	if n < 2 {
		return nil
	}
	slots := bracketSlots(n)
	var rounds [][]Pair
	for round := 0; len(slots) > 1; round++ {
		later := func(r Result) bool { return r.Round >= round }
		balance, _ := sideHistory(n, slices.DeleteFunc(slices.Clone(results), later))
		pairs, next := make([]Pair, len(slots)/2), make([]int, len(slots)/2)
		for i := range pairs {
			pairs[i] = balancedPair(slots[2*i], slots[2*i+1], balance)
			next[i] = advancingEntrant(pairs[i], round, results)
		}
		rounds, slots = append(rounds, pairs), next
	}
	return rounds
}

// Champion returns the bracket's winner, or [Open] if it is not decided, or [Bye] if no one won.
func Champion(n int, results []Result) int {
	if n < 2 {
		// This is the only entrant, or Bye without entrants.
		return n - 1
	}
	rounds := Knockout(n, results)
	return advancingEntrant(rounds[len(rounds)-1][0], len(rounds)-1, results)
}

// bracketSlots returns the entrants and byes in the order of the bracket's first round.
func bracketSlots(n int) []int {
	slots := []int{0}
	for range bits.Len(uint(n - 1)) {
		next := make([]int, 0, 2*len(slots))
		for i, seed := range slots {
			other := 2*len(slots) - 1 - seed
			if i%2 == 1 {
				seed, other = other, seed
			}
			next = append(next, seed, other)
		}
		slots = next
	}
	for i, seed := range slots {
		if seed >= n {
			slots[i] = Bye
		}
	}
	return slots
}

// balancedPair returns a pair of a and b, on the sides that balance their earlier sides best.
// The better seed defends first if there is no difference.
func balancedPair(a, b int, balance []int) Pair {
	switch {
	case a == Bye:
		return Pair{b, a}
	case a < 0 || b < 0 || balance[a] < balance[b] || balance[a] == balance[b] && a < b:
		return Pair{a, b}
	}
	return Pair{b, a}
}

// advancingEntrant returns the entrant that advances from a round's pair, or [Open] or [Bye].
func advancingEntrant(p Pair, round int, results []Result) int {
	if p.Second == Bye {
		return p.First
	}
	for _, r := range results {
		if r.Round != round || r.Pair != p {
			continue
		}
		switch first, second := r.Points[0], r.Points[1]; {
		case first > second:
			return p.First
		case first < second:
			return p.Second
		case first <= 0:
			return Bye
		}
		return min(p.First, p.Second)
	}
	return Open
}
