package pairing_test

import (
	"fmt"
	"reflect"
	"testing"

	"broadside/internal/pairing"
)

func TestRoundRobin(t *testing.T) {
	t.Parallel()
	if got, want := fmt.Sprint(pairing.RoundRobin(4, 1)), "[[{0 3} {2 1}] [{3 1} {0 2}] [{2 3} {1 0}]]"; got != want {
		t.Errorf("four entrants: got %s, want %s", got, want)
	}
	for n := range 25 {
		for _, cycles := range []int{1, 2, 3} {
			rounds := pairing.RoundRobin(n, cycles)
			checkSchedule(t, n, rounds, func(a, b int) int { return cycles }, cycles%2)
			for _, round := range rounds {
				checkRound(t, n, round, n/2)
			}
		}
	}
}

func TestGauntlet(t *testing.T) {
	t.Parallel()
	for n := range 12 {
		for _, cycles := range []int{1, 2} {
			rounds := pairing.Gauntlet(n, cycles)
			checkSchedule(t, n, rounds, func(a, b int) int { return map[bool]int{true: cycles}[min(a, b) == 0] }, cycles%2)
			for _, round := range rounds {
				checkRound(t, n, round, 1)
			}
		}
	}
}

// checkSchedule checks how often each pair meets and that sides differ by unbalanced at most.
func checkSchedule(t *testing.T, n int, rounds [][]pairing.Pair, want func(a, b int) int, unbalanced int) {
	t.Helper()
	met, balance := map[[2]int]int{}, make([]int, n)
	for _, round := range rounds {
		for _, p := range round {
			met[[2]int{min(p.First, p.Second), max(p.First, p.Second)}]++
			balance[p.First]++
			balance[p.Second]--
		}
	}
	for b := range n {
		if balance[b] > unbalanced || balance[b] < -unbalanced {
			t.Errorf("%d entrants: balance of %d is %d", n, b, balance[b])
		}
		for a := range b {
			if met[[2]int{a, b}] != want(a, b) {
				t.Errorf("%d entrants: %d and %d meet %d times", n, a, b, met[[2]int{a, b}])
			}
		}
	}
}

// checkRound checks that a round has so many pairs and that no one plays twice in it.
func checkRound(t *testing.T, n int, round []pairing.Pair, pairs int) {
	t.Helper()
	seen := map[int]bool{}
	for _, p := range round {
		seen[p.First], seen[p.Second] = true, true
	}
	if len(round) != pairs || len(seen) != 2*pairs {
		t.Errorf("%d entrants: a round is %v", n, round)
	}
}

func TestKnockout(t *testing.T) {
	t.Parallel()
	const bye, open = pairing.Bye, pairing.Open
	want := [][]pairing.Pair{{{0, bye}, {3, 4}, {2, 5}, {1, bye}}, {{0, open}, {open, 1}}, {{open, open}}}
	if got := pairing.Knockout(6, nil); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	results := []pairing.Result{
		{Pair: pairing.Pair{First: 3, Second: 4}, Points: [2]float64{0, 1}},
		// No one appeared for this match.
		{Pair: pairing.Pair{First: 2, Second: 5}, Points: [2]float64{0, 0}, Unplayed: true},
	}
	// Entrant 4 has been second before.
	want[1], want[2] = []pairing.Pair{{4, 0}, {1, bye}}, []pairing.Pair{{open, 1}}
	if got := pairing.Knockout(6, results); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestBetterSeedsWinKnockout plays brackets of all sizes: the better seed always wins.
func TestBetterSeedsWinKnockout(t *testing.T) {
	t.Parallel()
	for n := 1; n < 70; n++ {
		var results []pairing.Result
		for number := 0; pairing.Champion(n, results) == pairing.Open; number++ {
			rounds := pairing.Knockout(n, results)
			left := len(rounds[number]) * 2
			for _, p := range rounds[number] {
				a, b := min(p.First, p.Second), max(p.First, p.Second)
				if number > 0 && a+b != left-1 {
					t.Fatalf("%d entrants, round %d: %v", n, number, p)
				}
				r := pairing.Result{Round: number, Pair: p, Points: [2]float64{1, 0}}
				if p.Second >= 0 && p.Second < p.First {
					r.Points = [2]float64{0, 1}
				}
				results = append(results, r)
			}
		}
		if got := pairing.Champion(n, results); got != 0 {
			t.Errorf("%d entrants: the champion is %d", n, got)
		}
	}
}
