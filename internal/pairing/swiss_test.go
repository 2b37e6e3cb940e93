package pairing_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"broadside/internal/pairing"
)

// TestSwissEqualsBacktracking plays random tournaments and compares each round with an
// independent computation. Entrants withdraw and matches remain unplayed now and then.
func TestSwissEqualsBacktracking(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		n := 2 + rng.IntN(13)
		var results []pairing.Result
		absent := map[int]bool{}
		for round := range 1 + rng.IntN(n) {
			if rng.IntN(8) == 0 && n-len(absent) > 3 {
				absent[rng.IntN(n)] = true
			}
			pairs, err := pairing.Swiss(n, results, sortedKeys(absent)...)
			want := pairByBacktracking(n, results, absent)
			if want == nil {
				if !errors.Is(err, pairing.ErrNoPairing) {
					t.Fatalf("%d entrants, round %d: got %v, %v, but there is no pairing", n, round, pairs, err)
				}
				break
			}
			if got := plainPairs(pairs); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%d entrants, round %d after %v:\ngot  %v, %v\nwant %v", n, round, results, got, err, want)
			}
			results = append(results, simulateRound(round, pairs, rng)...)
		}
	}
}

// TestSwissOfLargeField checks rules 1 to 3 on 42 and 101 entrants.
func TestSwissOfLargeField(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{42, 101} {
		var results []pairing.Result
		met, byes, balance := map[[2]int]bool{}, make([]int, n), make([]int, n)
		for round := range 11 {
			pairs, err := pairing.Swiss(n, results)
			if err != nil {
				t.Fatal(err)
			}
			checkEveryonePlaysOnce(t, n, pairs)
			for _, p := range pairs {
				if p.Second == pairing.Bye {
					byes[p.First]++
					continue
				}
				key := [2]int{min(p.First, p.Second), max(p.First, p.Second)}
				if met[key] {
					t.Errorf("round %d: %v meet again", round, key)
				}
				met[key] = true
			}
			played := simulateRound(round, pairs, rng)
			for _, r := range played {
				if !r.IsBye() && !r.Unplayed {
					balance[r.First]++
					balance[r.Second]--
				}
			}
			for i := range n {
				if byes[i] > 1 || balance[i] > 2 || balance[i] < -2 {
					t.Errorf("round %d: entrant %d has %d byes and balance %d", round, i, byes[i], balance[i])
				}
			}
			results = append(results, played...)
		}
	}
}

// TestSwissUsesAllPairings plays every pair of four entrants once, in three rounds.
func TestSwissUsesAllPairings(t *testing.T) {
	t.Parallel()
	var results []pairing.Result
	for round := range 3 {
		pairs, err := pairing.Swiss(4, results)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for _, p := range pairs {
			results = append(results, pairing.Result{Round: round, Pair: p, Points: [2]float64{1, 0}})
		}
	}
	if _, err := pairing.Swiss(4, results); !errors.Is(err, pairing.ErrNoPairing) {
		t.Errorf("a fourth round: %v", err)
	}
}

func TestSwissTopHalfPlaysBottomHalf(t *testing.T) {
	t.Parallel()
	pairs, err := pairing.Swiss(7, nil)
	want := []pairing.Pair{{0, 3}, {4, 1}, {2, 5}, {6, pairing.Bye}}
	if err != nil || !slices.Equal(pairs, want) {
		t.Errorf("got %v, %v, want %v", pairs, err, want)
	}
	var results []pairing.Result
	// The better seed wins.
	for _, p := range pairs {
		r := pairing.Result{Pair: p, Points: [2]float64{1, 0}}
		if p.Second >= 0 && p.Second < p.First {
			r.Points = [2]float64{0, 1}
		}
		results = append(results, r)
	}
	// 0, 1, 2 and 6 have a point. 5 has the bye, because 6 has had one.
	pairs, err = pairing.Swiss(7, results)
	want = []pairing.Pair{{2, 0}, {1, 6}, {3, 4}, {5, pairing.Bye}}
	if err != nil || !slices.Equal(pairs, want) {
		t.Errorf("got %v, %v, want %v", pairs, err, want)
	}
}

// simulateRound returns random results of the pairs.
func simulateRound(round int, pairs []pairing.Pair, rng *rand.Rand) (results []pairing.Result) {
	for _, p := range pairs {
		r := pairing.Result{Round: round, Pair: p, Points: [2]float64{1, 0}}
		if !p.IsBye() {
			r.Points = [][2]float64{{1, 0}, {0, 1}, {0.5, 0.5}}[rng.IntN(3)]
			r.Unplayed = rng.IntN(10) == 0
		}
		results = append(results, r)
	}
	return results
}

func plainPairs(pairs []pairing.Pair) (all [][2]int) {
	for _, p := range pairs {
		all = append(all, [2]int{p.First, p.Second})
	}
	return all
}

func sortedKeys(set map[int]bool) (all []int) {
	for k := range set {
		all = append(all, k)
	}
	return all
}

func checkEveryonePlaysOnce(t *testing.T, n int, pairs []pairing.Pair) {
	t.Helper()
	seen := make([]int, n)
	for _, p := range pairs {
		for _, entrant := range []int{p.First, p.Second} {
			if entrant >= 0 {
				seen[entrant]++
			}
		}
	}
	for i, times := range seen {
		if times != 1 {
			t.Errorf("entrant %d appears %d times in %v", i, times, pairs)
		}
	}
}
