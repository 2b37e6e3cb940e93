package ladder

import (
	"cmp"
	"maps"
	"slices"

	"broadside/internal/store"
	"broadside/match"
)

// results counts the ladder matches of one rule set.
type results struct {
	games  map[[2]string]*score // by the accounts of the first and the second side
	losses map[string]map[string]int
	total  map[string]score // by account: Won[0] is the player's wins
}

// score counts matches between two sides.
type score struct {
	games int
	won   [2]int // by side
}

func newResults() *results {
	return &results{games: map[[2]string]*score{}, losses: map[string]map[string]int{}, total: map[string]score{}}
}

// add counts matches.
func (r *results) add(t store.Tally) {
	s := r.games[t.Players]
	if s == nil {
		s = &score{}
		r.games[t.Players] = s
	}
	s.games += t.Matches
	for side, account := range t.Players {
		total := r.total[account]
		total.games += t.Matches
		if t.Winner == match.Side(side) {
			s.won[side] += t.Matches
			total.won[0] += t.Matches
		} else if t.Winner != match.Nobody {
			total.won[1] += t.Matches
			if r.losses[account] == nil {
				r.losses[account] = map[string]int{}
			}
			r.losses[account][t.Reason] += t.Matches
		}
		r.total[account] = total
	}
}

// busiest returns up to maxRated accounts, those with the most matches first.
func (r *results) busiest() []string {
	all := slices.SortedFunc(maps.Keys(r.total), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.total[b].games, r.total[a].games), cmp.Compare(a, b))
	})
	return all[:min(len(all), maxRated)]
}

// between returns the matches between two players with any sides; won is by player.
func (r *results) between(a, b string) (sum score) {
	for side, key := range [2][2]string{{a, b}, {b, a}} {
		if s := r.games[key]; s != nil {
			sum.games += s.games
			sum.won[0] += s.won[side]
			sum.won[1] += s.won[1-side]
		}
	}
	return sum
}

// balance implements [Past.Balance].
func (r *results) balance(a, b string) int {
	n := 0
	if s := r.games[[2]string{a, b}]; s != nil {
		n += s.games
	}
	if s := r.games[[2]string{b, a}]; s != nil {
		n -= s.games
	}
	return n
}
