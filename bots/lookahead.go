package bots

import "slices"

// lookahead plays a game to its end in all ways it can still go, for a few
// first shots each, once the layouts that agree with the answers are few enough
// to be listed. After the first shot it always takes the likeliest cell. The
// shots that hit are the same number in any case, so what counts is the misses.
type lookahead struct {
	*waters
	// Each layout is its ships' cells not shot at yet, with a mark after each
	// ship, in memory that the next list reuses.
	ships  []uint16
	starts []int
	weight []float64 // by layout
	shot   []bool    // by cell: shot at since
	hopes  [][]float64
	answer []uint8 // by layout: what the shot at hand does there
}

const shipEnd = 1<<16 - 1

func newLookahead(w *waters) *lookahead {
	return &lookahead{waters: w, shot: make([]bool, len(w.through))}
}

// reset empties the list.
func (l *lookahead) reset() {
	l.ships, l.starts, l.weight = l.ships[:0], append(l.starts[:0], 0), l.weight[:0]
}

// add lists a layout.
func (l *lookahead) add(stations []int, log *answers, weight float64) {
	for _, n := range stations {
		s := &l.stations[n]
		before := len(l.ships)
		for _, c := range s.cells[:s.n] {
			if log.when[c] == 0 {
				l.ships = append(l.ships, c)
			}
		}
		if len(l.ships) > before {
			l.ships = append(l.ships, shipEnd)
		}
	}
	l.starts = append(l.starts, len(l.ships))
	l.weight = append(l.weight, weight)
}

// best is the one of some cells that leads to the fewest misses.
func (l *lookahead) best(cells []uint16) uint16 {
	all := make([]int, len(l.weight))
	l.answer = slices.Grow(l.answer[:0], len(all))[:len(all)]
	best, fewest := cells[0], -1.0
	for _, c := range cells {
		for i := range all {
			all[i] = i
		}
		if misses := l.shoot(all, c, 0); fewest < 0 || misses < fewest {
			best, fewest = c, misses
		}
	}
	return best
}

// misses is the weight of the misses that are to come in some layouts, which
// nothing has told apart yet.
func (l *lookahead) misses(layouts []int, depth int) float64 {
	if len(layouts) < 2 {
		return 0
	}
	if depth == len(l.hopes) {
		l.hopes = append(l.hopes, make([]float64, len(l.shot)))
	}
	hope := l.hopes[depth]
	clear(hope)
	for _, i := range layouts {
		w := l.weight[i]
		for _, c := range l.ships[l.starts[i]:l.starts[i+1]] {
			if c != shipEnd && !l.shot[c] {
				hope[c] += w
			}
		}
	}
	best, most := -1, 0.0
	for c, h := range hope {
		if h > most {
			best, most = c, h
		}
	}
	if best < 0 {
		return 0
	}
	return l.shoot(layouts, uint16(best), depth+1)
}

// shoot is the weight of the misses if the next shot is at a cell. It sorts
// the layouts.
func (l *lookahead) shoot(layouts []int, cell uint16, depth int) float64 {
	l.shot[cell] = true
	missed := 0.0
	// Layouts up to a miss, from b on they are sunk, hits are between.
	a, b := 0, len(layouts)
	for k := 0; k < b; {
		i := layouts[k]
		switch l.result(i, cell) {
		case 0:
			missed += l.weight[i]
			layouts[k], layouts[a] = layouts[a], layouts[k]
			a++
			k++
		case 1:
			k++
		default:
			b--
			layouts[k], layouts[b] = layouts[b], layouts[k]
		}
	}
	missed += l.misses(layouts[:a], depth) + l.misses(layouts[a:b], depth) + l.misses(layouts[b:], depth)
	l.shot[cell] = false
	return missed
}

// result is 0 if a shot misses in a layout, 1 if it hits, 2 if it sinks.
func (l *lookahead) result(i int, cell uint16) int {
	found, sinks := 0, 1
	for _, c := range l.ships[l.starts[i]:l.starts[i+1]] {
		switch {
		case c == cell:
			found = 1
		case c == shipEnd:
			if found == 1 {
				return 1 + sinks
			}
			sinks = 1
		case !l.shot[c]:
			sinks = 0
		}
	}
	return 0
}
