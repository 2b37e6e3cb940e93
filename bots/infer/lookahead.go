package infer

import (
	"cmp"
	"math/bits"
	"slices"

	"broadside/match"
)

// lookahead plays a game to the end in every layout of a list, for several candidate first
// shots. After the first shot it always shoots at the most likely cell according to the
// list. The number of hits is always the same, so only misses are counted.
type lookahead struct {
	*geometry
	words int // words in a set of cells
	// Cells of each layout not shot at before the list was made: all of them, and ship by
	// ship.
	sets   []uint64
	ships  []uint64
	starts []int     // by layout: index of its first ship
	prior  []float64 // by layout: its original weight
	weight []int32   // by layout: its weight as an integer, so that sums are exact
	gone   []uint64  // cells shot at since the list was made
	spare  [][]int32 // unused tables
}

// heaviest is the weight of the most likely layout. The sum over a list must stay far below
// the maximum of 32 bits.
const heaviest = 1 << 14

func newLookahead(w *geometry) *lookahead {
	words := (len(w.through) + 63) / 64
	return &lookahead{geometry: w, words: words, gone: make([]uint64, words)}
}

// reset empties the list.
func (l *lookahead) reset() {
	l.sets, l.ships, l.starts, l.prior = l.sets[:0], l.ships[:0], append(l.starts[:0], 0), l.prior[:0]
}

// add adds a layout to the list.
func (l *lookahead) add(positions []int, log *answers, weight float64) {
	var none [(match.MaxSize*match.MaxSize + 63) / 64]uint64
	l.sets = append(l.sets, none[:l.words]...)
	set := l.sets[len(l.sets)-l.words:]
	for _, n := range positions {
		l.ships = append(l.ships, none[:l.words]...)
		ship := l.ships[len(l.ships)-l.words:]
		open := false
		s := &l.positions[n]
		for _, c := range s.cells[:s.n] {
			if log.when[c] == 0 {
				open = true
				ship[c/64] |= 1 << (c % 64)
				set[c/64] |= 1 << (c % 64)
			}
		}
		if !open {
			l.ships = l.ships[:len(l.ships)-l.words]
		}
	}
	l.starts = append(l.starts, len(l.ships))
	l.prior = append(l.prior, weight)
}

// best returns the cell, among some cells, that leads to the fewest misses. If the list is
// long, all cells are played out in a part of it, and the best of them in the whole list.
// The list must not be empty.
func (l *lookahead) best(cells []uint16) uint16 {
	if part := len(l.prior) / coarse; part > 1 && len(cells) > finalists {
		cells = l.rank(cells, part)[:finalists]
	}
	return l.rank(cells, 1)[0]
}

const (
	// coarse is the number of layouts used to select the best cells; finalists is the
	// number of cells selected.
	coarse    = 400
	finalists = 4
)

// rank sorts cells by the number of misses they lead to, fewest first. It uses one layout in
// `every`.
func (l *lookahead) rank(cells []uint16, every int) []uint16 {
	most := slices.Max(l.prior)
	l.weight = l.weight[:0]
	var all []int32
	for i, p := range l.prior {
		w := int32(p/most*heaviest + 0.5)
		if l.weight = append(l.weight, w); w > 0 && i%every == 0 {
			all = append(all, int32(i))
		}
	}
	hope, left := l.table(), l.table()
	l.count(all, hope, nil)
	misses := make(map[uint16]int64, len(cells))
	for _, c := range cells {
		copy(left, hope)
		misses[c] = l.shoot(all, int(c), left)
	}
	l.spare = append(l.spare, hope, left)
	sorted := slices.Clone(cells)
	slices.SortStableFunc(sorted, func(a, b uint16) int { return cmp.Compare(misses[a], misses[b]) })
	return sorted
}

// table returns a table by cell with undefined contents.
func (l *lookahead) table() []int32 {
	if n := len(l.spare); n > 0 {
		t := l.spare[n-1]
		l.spare = l.spare[:n-1]
		return t
	}
	return make([]int32, len(l.through))
}

// set returns the cells of a layout.
func (l *lookahead) set(i int32) []uint64 {
	return l.sets[int(i)*l.words:][:l.words]
}

// has reports whether a layout has a ship in a cell.
func (l *lookahead) has(i int32, cell int) bool {
	return l.sets[int(i)*l.words+cell/64]>>(cell%64)&1 != 0
}

// count adds, for each cell, the weights of the layouts with a ship there to a table. It
// subtracts them from off unless off is nil.
func (l *lookahead) count(layouts []int32, to, off []int32) {
	clear(to)
	for _, i := range layouts {
		w := l.weight[i]
		for k, word := range l.set(i) {
			for word &^= l.gone[k]; word != 0; word &= word - 1 {
				c := 64*k + bits.TrailingZeros64(word)
				to[c] += w
				if off != nil {
					off[c] -= w
				}
			}
		}
	}
}

// misses returns the weight of future misses in layouts that no answer has distinguished
// yet. Hope holds the weights of the ships by cell and is overwritten.
func (l *lookahead) misses(layouts []int32, hope []int32) int64 {
	if len(layouts) < 2 {
		return 0
	}
	if len(layouts) == 2 {
		return l.pair(layouts[0], layouts[1])
	}
	best, most := -1, int32(0)
	for c, h := range hope {
		if h > most {
			best, most = c, h
		}
	}
	if best < 0 {
		return 0
	}
	return l.shoot(layouts, best, hope)
}

// shoot returns the weight of misses if the next shot is at a cell. It reorders the layouts
// and overwrites hope.
func (l *lookahead) shoot(layouts []int32, cell int, hope []int32) int64 {
	l.gone[cell/64] |= 1 << (cell % 64)
	hope[cell] = 0
	missed := int64(0)
	// Move misses to the front and sinkings to the end.
	a, b := 0, len(layouts)
	for k := 0; k < b; {
		i := layouts[k]
		switch {
		case !l.has(i, cell):
			missed += int64(l.weight[i])
			layouts[k], layouts[a] = layouts[a], i
			a++
			k++
		case !l.sinks(i, cell):
			k++
		default:
			b--
			layouts[k], layouts[b] = layouts[b], i
		}
	}
	parts := [3][]int32{layouts[:a], layouts[a:b], layouts[b:]}
	largest := 0
	for k, part := range parts {
		if len(part) > len(parts[largest]) {
			largest = k
		}
	}
	// The largest part's hope is the rest, after subtracting the other parts.
	for k, part := range parts {
		if k == largest || len(part) == 0 {
			continue
		}
		table := l.table()
		l.count(part, table, hope)
		missed += l.misses(part, table)
		l.spare = append(l.spare, table)
	}
	missed += l.misses(parts[largest], hope)
	l.gone[cell/64] &^= 1 << (cell % 64)
	return missed
}

// sinks reports whether the last shot cell sinks a ship of a layout that has a ship there.
func (l *lookahead) sinks(i int32, cell int) bool {
	for at := l.starts[i]; at < l.starts[i+1]; at += l.words {
		ship := l.ships[at : at+l.words]
		if ship[cell/64]>>(cell%64)&1 == 0 {
			continue
		}
		for k, word := range ship {
			if word&^l.gone[k] != 0 {
				return false
			}
		}
		return true
	}
	return false
}

// pair implements misses for two layouts: first the cells that both share and then, if the
// answers were the same, one of the more likely layout.
func (l *lookahead) pair(i, j int32) int64 {
	var before [(match.MaxSize*match.MaxSize + 63) / 64]uint64
	copy(before[:], l.gone)
	apart, other := false, false
	second := l.set(j)
	for k, word := range l.set(i) {
		word &^= l.gone[k]
		other = other || word&^second[k] != 0
		for word &= second[k]; word != 0 && !apart; word &= word - 1 {
			l.gone[k] |= word & -word
			cell := 64*k + bits.TrailingZeros64(word)
			apart = l.sinks(i, cell) != l.sinks(j, cell)
		}
	}
	copy(l.gone, before[:])
	if apart || !other {
		return 0
	}
	return int64(min(l.weight[i], l.weight[j]))
}
