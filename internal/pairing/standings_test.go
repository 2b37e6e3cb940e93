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
		{Entrant: 0, Points: 1.5, Wins: 1, Draws: 1, Buchholz: 2.5},
		{Entrant: 1, Points: 1.5, Wins: 1, Draws: 1, Buchholz: 2.5},
		{Entrant: 2, Points: 1, Wins: 1, Losses: 1, Buchholz: 2.5},
		{Entrant: 3, Points: 1, Losses: 1, Byes: 1, Buchholz: 2.5},
		{Entrant: 4, Points: 1, Losses: 1, Byes: 1, Buchholz: 2},
	}
	if !slices.Equal(table, want) {
		t.Errorf("got %+v, want %+v", table, want)
	}
}
