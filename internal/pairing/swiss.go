package pairing

import (
	"cmp"
	"errors"
	"slices"
)

// ErrNoPairing is returned by [Swiss] if every pairing of the round would repeat a match.
var ErrNoPairing = errors.New("every pairing would repeat a match")

// Swiss pairs the next round of n entrants, in the manner of the Dutch system. It leaves out absent
// entrants. The results must be those of all earlier rounds, in the order of rounds. These are the
// rules, with the most important first:
//
//  1. No one meets the same opponent twice.
//  2. With an odd number of entrants, one has a bye: the lowest-ranked who has had none
//     and whose bye allows the others to be paired. If all have had one, it is the lowest.
//  3. How often an entrant is first and how often second differs by two at most, and
//     no one has the same side three times in a row.
//  4. Entrants are ranked by points, then by seed, and paired from the top. Those with
//     equal points form a score group, whose top half plays the bottom half: the first of
//     the group plays the first of the bottom half. If the rules above, applied to the
//     rest of the field, forbid an opponent, the next below is tried, then the
//     entrants above the bottom half from the bottom up. An entrant without an opponent
//     in its group floats down: it plays the highest-ranked possible opponent below.
//  5. An entrant gets the side that it has had less often than the other entrant. If that is
//     equal, it gets the side that it, unlike the other, did not have last. Otherwise the
//     better seed is first if its number plus the round is even.
//
// Rule 3 gives way if no pairing satisfies it: first the three in a row, then the balance.
// A pairing that satisfies rule 1 is always found if one exists. Otherwise Swiss returns
// [ErrNoPairing]. The pairs come in the order of rule 4, and the bye is last.
func Swiss(n int, results []Result, absent ...int) ([]Pair, error) {
	s := newSwiss(n, results)
	for i := range n {
		if !slices.Contains(absent, i) {
			s.ranked = append(s.ranked, i)
		}
	}
	slices.SortStableFunc(s.ranked, func(a, b int) int { return cmp.Compare(s.points[b], s.points[a]) })
	for s.strictness = 2; s.strictness >= 0; s.strictness-- {
		if pairs, ok := s.pairRound(); ok {
			return pairs, nil
		}
	}
	return nil, ErrNoPairing
}

// swiss is a round that is being paired.
type swiss struct {
	points []float64
	// balance is how often each entrant was first minus how often it was second.
	balance []int
	// history has each entrant's sides in the order of rounds: +1 for first, -1 for second.
	history     [][]int
	met         map[Pair]bool
	hadBye      []bool
	roundNumber int
	// ranked has the entrants to pair, best first.
	ranked []int
	// strictness says which part of rule 3 holds: the balance from 1, and no three in a row from 2.
	strictness int
}

func newSwiss(n int, results []Result) *swiss {
	s := &swiss{points: sumPoints(n, results), met: map[Pair]bool{}, hadBye: make([]bool, n)}
	s.balance, s.history = sideHistory(n, results)
	for _, r := range results {
		s.roundNumber = max(s.roundNumber, r.Round+1)
		if r.Second == Bye {
			s.hadBye[r.First] = true
			continue
		}
		s.met[Pair{r.First, r.Second}], s.met[Pair{r.Second, r.First}] = true, true
	}
	return s
}

// pairRound returns the round's pairs under the current strictness, or false if there are none.
func (s *swiss) pairRound() ([]Pair, bool) {
	if len(s.ranked)%2 == 0 {
		return s.pairRanked(s.ranked)
	}
	for _, again := range []bool{false, true} {
		for i, entrant := range slices.Backward(s.ranked) {
			if s.hadBye[entrant] != again {
				continue
			}
			if pairs, ok := s.pairRanked(slices.Delete(slices.Clone(s.ranked), i, i+1)); ok {
				return append(pairs, Pair{entrant, Bye}), true
			}
		}
	}
	return nil, false
}

// pairRanked pairs an even number of entrants, given in the order of rule 4, or returns false if that is
// not possible. It decides on one pair after another. A pair is possible if the rest has a complete
// matching.
func (s *swiss) pairRanked(ranked []int) ([]Pair, bool) {
	m := newMatching(len(ranked), func(a, b int) bool { return s.mayMeet(ranked[a], ranked[b]) })
	if !m.matchAll() {
		return nil, false
	}
	// left has positions in ranked.
	left := make([]int, len(ranked))
	for i := range left {
		left[i] = i
	}
	var pairs []Pair
	for len(left) > 0 {
		first := left[0]
		for _, i := range s.preferredOpponents(ranked, left) {
			second := left[i]
			if m.fixPair(first, second) {
				pairs = append(pairs, s.choosePairSides(ranked[first], ranked[second]))
				left = slices.Delete(left, i, i+1)[1:]
				break
			}
		}
	}
	return pairs, true
}

// preferredOpponents returns the other positions in left as opponents of the first one, in the order of
// rule 4.
func (s *swiss) preferredOpponents(ranked, left []int) (order []int) {
	// size is the score group's size.
	size := 1
	for size < len(left) && s.points[ranked[left[size]]] == s.points[ranked[left[0]]] {
		size++
	}
	half := max(size/2, 1)
	for i := half; i < size; i++ {
		order = append(order, i)
	}
	for i := half - 1; i > 0; i-- {
		order = append(order, i)
	}
	for i := size; i < len(left); i++ {
		order = append(order, i)
	}
	return order
}

// mayMeet reports whether rules 1 and 3 allow two entrants to play each other.
func (s *swiss) mayMeet(a, b int) bool {
	if s.met[Pair{a, b}] {
		return false
	}
	sideA, sideB := s.requiredSide(a), s.requiredSide(b)
	return sideA == 0 || sideA != sideB
}

// requiredSide returns the side that rule 3 requires for the entrant: +1 for first, -1 for
// second, or 0 for either.
func (s *swiss) requiredSide(entrant int) int {
	balance, past := s.balance[entrant], s.history[entrant]
	n := len(past)
	switch {
	case s.strictness >= 1 && balance >= 2:
		return -1
	case s.strictness >= 1 && balance <= -2:
		return +1
	case s.strictness >= 2 && n >= 2 && past[n-1] == past[n-2]:
		return -past[n-1]
	}
	return 0
}

// choosePairSides returns the pair of a and b on the sides of rule 5. a is ranked higher.
func (s *swiss) choosePairSides(a, b int) Pair {
	must := s.requiredSide(a) - s.requiredSide(b)
	if must != 0 {
		return newPair(a, b, must < 0)
	}
	if s.balance[a] != s.balance[b] {
		return newPair(a, b, s.balance[a] > s.balance[b])
	}
	for i := 1; i <= len(s.history[a]) && i <= len(s.history[b]); i++ {
		lastA, lastB := s.history[a][len(s.history[a])-i], s.history[b][len(s.history[b])-i]
		if lastA != lastB {
			return newPair(a, b, lastA > lastB)
		}
	}
	best := min(a, b)
	return newPair(best, a+b-best, (best+s.roundNumber)%2 == 1)
}
