// Package swiss computes the pairings of a Swiss tournament a second time, to check
// those of internal/pairing. It follows the rules in the documentation of pairing.Swiss
// with plain backtracking, and shares no code with it.
package swiss

import "sort"

// Match is a result of an earlier round. Black is -1 in a bye. White is the first side.
type Match struct {
	White, Black int
	WhitePoints  float64
	BlackPoints  float64
	Unplayed     bool
}

// Next returns the pairs of the next round of n players, given the earlier rounds. A bye
// is the last pair, with -1 as its second player. It returns nil if there is no pairing.
func Next(n int, rounds [][]Match, absent map[int]bool) [][2]int {
	for laxity := range 3 {
		t := &tournament{n: n, rounds: rounds, laxity: laxity}
		t.read()
		if pairs := t.next(absent); pairs != nil {
			return pairs
		}
	}
	return nil
}

type tournament struct {
	n, laxity int
	rounds    [][]Match
	score     map[int]float64
	colours   map[int]string // W and B, in the order of rounds
	opponents map[int]map[int]bool
}

func (t *tournament) read() {
	t.score, t.colours, t.opponents = map[int]float64{}, map[int]string{}, map[int]map[int]bool{}
	for i := range t.n {
		t.opponents[i] = map[int]bool{}
	}
	for _, round := range t.rounds {
		for _, m := range round {
			t.score[m.White] += m.WhitePoints
			t.opponents[m.White][m.Black] = true
			if m.Black < 0 {
				continue
			}
			t.score[m.Black] += m.BlackPoints
			t.opponents[m.Black][m.White] = true
			if !m.Unplayed {
				t.colours[m.White] += "W"
				t.colours[m.Black] += "B"
			}
		}
	}
}

func (t *tournament) next(absent map[int]bool) [][2]int {
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
	for _, second := range []bool{false, true} { // a second bye only if there is no other way
		for i := len(players) - 1; i >= 0; i-- {
			if t.opponents[players[i]][-1] != second {
				continue
			}
			if pairs := t.search(without(players, i)); pairs != nil {
				return append(pairs, [2]int{players[i], -1})
			}
		}
	}
	return nil
}

// search returns the first complete pairing in the order of preferences.
func (t *tournament) search(players []int) [][2]int {
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
		white, black, ok := t.coloured(top, other)
		if !ok || t.opponents[top][other] {
			continue
		}
		if rest := t.search(without(without(players, i), 0)); rest != nil {
			return append([][2]int{{white, black}}, rest...)
		}
	}
	return nil
}

// coloured decides who is white, and returns false if the colours forbid the pair.
func (t *tournament) coloured(top, other int) (white, black int, ok bool) {
	dueTop, dueOther := t.due(top), t.due(other)
	switch {
	case dueTop != "" && dueTop == dueOther:
		return 0, 0, false
	case dueTop == "W" || dueOther == "B":
		return top, other, true
	case dueTop == "B" || dueOther == "W":
		return other, top, true
	}
	if a, b := t.whites(top), t.whites(other); a < b {
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
	if (low+len(t.rounds))%2 == 0 {
		return low, high, true
	}
	return high, low, true
}

// whites returns how often a player was white, minus how often black.
func (t *tournament) whites(player int) (sum int) {
	for _, c := range t.colours[player] {
		if c == 'W' {
			sum++
		} else {
			sum--
		}
	}
	return sum
}

// due returns the colour that a player must have, or "".
func (t *tournament) due(player int) string {
	c, balance := t.colours[player], t.whites(player)
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

func without(players []int, i int) []int {
	return append(append([]int{}, players[:i]...), players[i+1:]...)
}
