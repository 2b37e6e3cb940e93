// Package pairing decides who plays whom in a tournament, and ranks the entrants.
//
// A tournament has n entrants, numbered from 0 in the order of their seeds: entrant 0 is
// the strongest. The schedules of [RoundRobin] and [Gauntlet] are known in advance.
// [Swiss] and [Knockout] need the results so far. All functions are pure: the same
// arguments give the same pairings, so that a tournament is its list of results. They
// leave their arguments unchanged and may be called from any goroutine. They panic if a
// result names an entrant that does not exist.
//
// A [Result] can stand for one match or for several between the same two entrants, such
// as two with swapped sides: its points are the sums.
package pairing

// Values of [Pair.First] and [Pair.Second] that are not entrants.
const (
	// Bye means that the other entrant has no opponent in this round.
	Bye = -1
	// Open stands for the winner of a match that is still to be played.
	Open = -2
)

// Pair is two entrants who play each other. First takes the first side of the match,
// which defends first. Second fires first. In an entrant's bye, Second is [Bye].
type Pair struct {
	First, Second int
}

// IsBye reports whether an entrant has no opponent.
func (p Pair) IsBye() bool { return p.First == Bye || p.Second == Bye }

// Has reports whether the entrant is one of the pair.
func (p Pair) Has(entrant int) bool { return p.First == entrant || p.Second == entrant }

// Opponent returns the other entrant of the pair, which may be [Bye] or [Open].
func (p Pair) Opponent(entrant int) int { return p.First + p.Second - entrant }

// Result is the outcome of a pair in a round. Rounds count from 0.
type Result struct {
	Round int
	Pair
	// Points are those of First and of Second. A bye usually counts as a win.
	Points [2]float64
	// Unplayed means that the match did not take place, for example because an entrant
	// did not appear. It counts, except for the balance of sides.
	Unplayed bool
}

// sideHistory returns how often each entrant was first minus how often it was second, and its sides
// from the first match to the last: +1 for first, -1 for second.
func sideHistory(n int, results []Result) (balance []int, past [][]int) {
	balance, past = make([]int, n), make([][]int, n)
	for _, r := range results {
		if r.IsBye() || r.Unplayed {
			continue
		}
		balance[r.First]++
		balance[r.Second]--
		past[r.First] = append(past[r.First], +1)
		past[r.Second] = append(past[r.Second], -1)
	}
	return balance, past
}

func sumPoints(n int, results []Result) []float64 {
	sum := make([]float64, n)
	for _, r := range results {
		if r.First >= 0 {
			sum[r.First] += r.Points[0]
		}
		if r.Second >= 0 {
			sum[r.Second] += r.Points[1]
		}
	}
	return sum
}
