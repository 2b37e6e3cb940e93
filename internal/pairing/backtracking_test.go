package pairing_test

import (
	"sort"

	"broadside/internal/pairing"
)

// pairByBacktracking computes the next round of a Swiss tournament of n players a second time. It
// follows the rules in the documentation of [pairing.Swiss] with plain backtracking, and shares no
// code with it. It returns nil if there is no pairing.
func pairByBacktracking(n int, results []pairing.Result, absent map[int]bool) [][2]int {
	for laxity := range 3 {
		t := &backtracking{n: n, laxity: laxity}
		t.addResults(results)
		if pairs := t.pairRound(absent); pairs != nil {
			return pairs
		}
	}
	return nil
}

type backtracking struct {
	n, laxity int
	rounds    int
	score     map[int]float64
	// colours has each entrant's Ws and Bs in the order of rounds.
	colours   map[int]string
	opponents map[int]map[int]bool
}

func (t *backtracking) addResults(results []pairing.Result) {
	t.score, t.colours, t.opponents = map[int]float64{}, map[int]string{}, map[int]map[int]bool{}
	for i := range t.n {
		t.opponents[i] = map[int]bool{}
	}
	for _, r := range results {
		t.rounds = r.Round + 1
		t.score[r.First] += r.Points[0]
		t.opponents[r.First][r.Second] = true
		if r.IsBye() {
			continue
		}
		t.score[r.Second] += r.Points[1]
		t.opponents[r.Second][r.First] = true
		if !r.Unplayed {
			t.colours[r.First] += "W"
			t.colours[r.Second] += "B"
		}
	}
}

func (t *backtracking) pairRound(absent map[int]bool) [][2]int {
	var players []int
	for i := range t.n {
		if !absent[i] {
			players = append(players, i)
		}
	}
	sort.Slice(players, func(i, j int) bool {
		a, b := players[i], players[j]
		return t.score[a] > t.score[b] || t.score[a] == t.score[b] && a < b
	})
	if len(players)%2 == 0 {
		return t.search(players)
	}
	// Give a second bye only if there is no other way.
	for _, second := range []bool{false, true} {
		for i := len(players) - 1; i >= 0; i-- {
			if t.opponents[players[i]][-1] != second {
				continue
			}
			if pairs := t.search(removeAt(players, i)); pairs != nil {
				return append(pairs, [2]int{players[i], -1})
			}
		}
	}
	return nil
}

// search returns the first complete pairing in the order of preferences.
func (t *backtracking) search(players []int) [][2]int {
	if len(players) == 0 {
		return [][2]int{}
	}
	top, group := players[0], 0
	for group < len(players) && t.score[players[group]] == t.score[top] {
		group++
	}
	var order []int
	for i := max(1, group/2); i < group; i++ {
		order = append(order, i)
	}
	for i := max(1, group/2) - 1; i >= 1; i-- {
		order = append(order, i)
	}
	for i := group; i < len(players); i++ {
		order = append(order, i)
	}
	for _, i := range order {
		other := players[i]
		white, black, ok := t.chooseColours(top, other)
		if !ok || t.opponents[top][other] {
			continue
		}
		if rest := t.search(removeAt(removeAt(players, i), 0)); rest != nil {
			return append([][2]int{{white, black}}, rest...)
		}
	}
	return nil
}

// chooseColours decides who is white, and returns false if the colours forbid the pair.
func (t *backtracking) chooseColours(top, other int) (white, black int, ok bool) {
	dueTop, dueOther := t.dueColour(top), t.dueColour(other)
	switch {
	case dueTop != "" && dueTop == dueOther:
		return 0, 0, false
	case dueTop == "W" || dueOther == "B":
		return top, other, true
	case dueTop == "B" || dueOther == "W":
		return other, top, true
	}
	if a, b := t.countWhites(top), t.countWhites(other); a < b {
		return top, other, true
	} else if a > b {
		return other, top, true
	}
	a, b := t.colours[top], t.colours[other]
	for i := 1; i <= len(a) && i <= len(b); i++ {
		if a[len(a)-i] != b[len(b)-i] {
			if a[len(a)-i] == 'B' {
				return top, other, true
			}
			return other, top, true
		}
	}
	low, high := min(top, other), max(top, other)
	if (low+t.rounds)%2 == 0 {
		return low, high, true
	}
	return high, low, true
}

// countWhites returns how often a player was white, minus how often black.
func (t *backtracking) countWhites(player int) (sum int) {
	for _, c := range t.colours[player] {
		if c == 'W' {
			sum++
		} else {
			sum--
		}
	}
	return sum
}

// dueColour returns the colour that a player must have, or "".
func (t *backtracking) dueColour(player int) string {
	c, balance := t.colours[player], t.countWhites(player)
	switch {
	case t.laxity < 2 && balance >= 2:
		return "B"
	case t.laxity < 2 && balance <= -2:
		return "W"
	case t.laxity < 1 && len(c) > 1 && c[len(c)-2:] == "WW":
		return "B"
	case t.laxity < 1 && len(c) > 1 && c[len(c)-2:] == "BB":
		return "W"
	}
	return ""
}

func removeAt(players []int, i int) []int {
	return append(append([]int{}, players[:i]...), players[i+1:]...)
}
