package pairing

import (
	"cmp"
	"slices"
)

// Standing is an entrant's place in the table, with its points and tie-break.
type Standing struct {
	Entrant                   int
	Points                    float64
	Wins, Draws, Losses, Byes int
	// Buchholz is the sum of the opponents' points.
	Buchholz float64
}

// Standings ranks the n entrants. Those with equal points are ranked by Buchholz, and then by seed.
//
// For Buchholz, a bye or an unplayed match counts as an opponent with the entrant's own points, and
// a round without a result as an opponent without points.
func Standings(n int, results []Result) []Standing {
	table := make([]Standing, n)
	sum := sumPoints(n, results)
	for i := range table {
		table[i] = Standing{Entrant: i, Points: sum[i]}
	}
	for _, r := range results {
		if r.First >= 0 {
			table[r.First].addResult(r, sum)
		}
		if r.Second >= 0 {
			table[r.Second].addResult(r, sum)
		}
	}
	slices.SortStableFunc(table, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Buchholz, a.Buchholz))
	})
	return table
}

// addResult adds a result of the entrant. sum has all entrants' points.
func (s *Standing) addResult(r Result, sum []float64) {
	strength := s.Points
	if !r.IsBye() && !r.Unplayed {
		strength = sum[r.Opponent(s.Entrant)]
	}
	s.Buchholz += strength
	own, other := r.Points[0], r.Points[1]
	if r.Second == s.Entrant {
		own, other = other, own
	}
	switch {
	case r.IsBye():
		s.Byes++
	case own > other:
		s.Wins++
	// Neither appeared if both have no points.
	case own < other || own == 0:
		s.Losses++
	default:
		s.Draws++
	}
}
