package pairing

import (
	"cmp"
	"slices"
)

// Standing is an entrant's place in the table, with its points and tie-breaks.
type Standing struct {
	Entrant                   int
	Points                    float64
	Wins, Draws, Losses, Byes int
	// Buchholz is the sum of the opponents' points; BuchholzCut leaves out the lowest.
	BuchholzCut, Buchholz float64
	// SonnebornBerger is the sum of the opponents' points, each multiplied by the share
	// of the points won against that opponent.
	SonnebornBerger float64
	// Direct is the points from matches against the entrants who are equal in all of the
	// above.
	Direct float64
}

// Standings ranks the n entrants. Those with equal points are ranked by the first of
// these in which they differ: Buchholz without the lowest opponent, Buchholz,
// Sonneborn-Berger, direct encounters, seed.
//
// For these numbers, a bye or an unplayed match counts as an opponent with the entrant's
// own points, and a round without a result as an opponent without points.
func Standings(n int, results []Result) []Standing {
	table := make([]Standing, n)
	sum := points(n, results)
	rounds := 0
	for _, r := range results {
		rounds = max(rounds, r.Round+1)
	}
	for i := range table {
		table[i] = standing(i, sum, results, rounds)
	}
	slices.SortStableFunc(table, compare)
	for from := 0; from < n; {
		to := from + 1
		for to < n && compare(table[from], table[to]) == 0 {
			to++
		}
		breakTie(table[from:to], results)
		from = to
	}
	return table
}

// standing returns an entrant's standing, without direct encounters.
func standing(entrant int, sum []float64, results []Result, rounds int) Standing {
	s := Standing{Entrant: entrant, Points: sum[entrant]}
	var opponents []float64
	for _, r := range results {
		if !r.Has(entrant) {
			continue
		}
		own, other := r.Points[0], r.Points[1]
		if r.Second == entrant {
			own, other = other, own
		}
		strength := sum[entrant]
		if !r.IsBye() && !r.Unplayed {
			strength = sum[r.Opponent(entrant)]
		}
		opponents = append(opponents, strength)
		s.Buchholz += strength
		if own+other > 0 {
			s.SonnebornBerger += strength * own / (own + other)
		}
		s.count(r, own, other)
	}
	s.BuchholzCut = s.Buchholz
	if len(opponents) >= rounds && rounds > 0 { // else the lowest is a round without a result
		s.BuchholzCut -= slices.Min(opponents)
	}
	return s
}

// count adds one result to the wins, draws, losses and byes.
func (s *Standing) count(r Result, own, other float64) {
	switch {
	case r.IsBye():
		s.Byes++
	case own > other:
		s.Wins++
	case own < other || own == 0: // nobody appeared
		s.Losses++
	default:
		s.Draws++
	}
}

// compare orders entrants, best first, by all criteria before direct encounters.
func compare(a, b Standing) int {
	return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.BuchholzCut, a.BuchholzCut),
		cmp.Compare(b.Buchholz, a.Buchholz), cmp.Compare(b.SonnebornBerger, a.SonnebornBerger))
}

// breakTie ranks entrants who are equal, by direct encounters and then by seed.
func breakTie(equal []Standing, results []Result) {
	place := map[int]int{}
	for i, s := range equal {
		place[s.Entrant] = i
	}
	for _, r := range results {
		first, okFirst := place[r.First]
		second, okSecond := place[r.Second]
		if okFirst && okSecond {
			equal[first].Direct += r.Points[0]
			equal[second].Direct += r.Points[1]
		}
	}
	slices.SortStableFunc(equal, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(b.Direct, a.Direct), a.Entrant-b.Entrant)
	})
}
