package pairing_test

import (
	"slices"
	"testing"

	"broadside/internal/pairing"
)

func TestStandings(t *testing.T) {
	t.Parallel()
	result := func(round, first, second int, a, b float64) pairing.Result {
		return pairing.Result{Round: round, Pair: pairing.Pair{First: first, Second: second}, Points: [2]float64{a, b}}
	}
	table := pairing.Standings(5, []pairing.Result{
		result(0, 0, 2, 1, 0), result(0, 3, 1, 0, 1), result(0, 4, pairing.Bye, 1, 0),
		result(1, 1, 0, 0.5, 0.5), result(1, 4, 2, 0, 1), result(1, 3, pairing.Bye, 1, 0),
	})
	// 0 and 1 have 1.5 points, the others 1.
	want := []pairing.Standing{
		{Entrant: 0, Points: 1.5, Wins: 1, Draws: 1, BuchholzCut: 1.5, Buchholz: 2.5, SonnebornBerger: 1.75, Direct: 0.5},
		{Entrant: 1, Points: 1.5, Wins: 1, Draws: 1, BuchholzCut: 1.5, Buchholz: 2.5, SonnebornBerger: 1.75, Direct: 0.5},
		{Entrant: 2, Points: 1, Wins: 1, Losses: 1, BuchholzCut: 1.5, Buchholz: 2.5, SonnebornBerger: 1},
		{Entrant: 3, Points: 1, Losses: 1, Byes: 1, BuchholzCut: 1.5, Buchholz: 2.5, SonnebornBerger: 1},
		{Entrant: 4, Points: 1, Losses: 1, Byes: 1, BuchholzCut: 1, Buchholz: 2, SonnebornBerger: 1},
	}
	if !slices.Equal(table, want) {
		t.Errorf("got %+v, want %+v", table, want)
	}
}

// TestDirectEncounterBreaksTie has two entrants who are equal in everything else.
func TestDirectEncounterBreaksTie(t *testing.T) {
	t.Parallel()
	var results []pairing.Result
	for round, pairs := range pairing.RoundRobin(4, 1) { // 1 beats 0, 0 beats 2 and 3, 2 beats 1 and 3, 3 beats 1
		for _, p := range pairs {
			wins := map[pairing.Pair]bool{{First: 1, Second: 0}: true, {First: 0, Second: 2}: true, {First: 0, Second: 3}: true,
				{First: 2, Second: 1}: true, {First: 2, Second: 3}: true, {First: 3, Second: 1}: true}
			r := pairing.Result{Round: round, Pair: p, Points: [2]float64{0, 1}}
			if wins[p] {
				r.Points = [2]float64{1, 0}
			}
			results = append(results, r)
		}
	}
	var order []int
	for _, s := range pairing.Standings(4, results) {
		order = append(order, s.Entrant)
	}
	// 0 and 2 have two points, 1 and 3 one. 2 has lost to 0; 1 has beaten the stronger 0.
	if want := []int{0, 2, 1, 3}; !slices.Equal(order, want) {
		t.Errorf("got %v, want %v", order, want)
	}
}
