package infer

import (
	"sync"

	"broadside/match"
)

// moveGraph holds where ships can lie and move on an empty board. It is immutable.
type moveGraph struct {
	rules   match.Rules
	lengths [match.MaxLength + 1]lengthMoves
}

// lengthMoves holds the places of ships of one length.
type lengthMoves struct {
	cells   [][]uint16                // by place: the numbers of its cells, from the stern
	halo    [][]corner                // by place: the cells closed to other ships, as corners
	to      [][match.Manoeuvres]int32 // by place: the place after a manoeuvre, or -1
	index   map[match.Ship]int32      // the place of a ship
	through [][]pass                  // by cell: the places that cover it
}

// corner is part of an encoding of a set of cells. It adds its sign to all cells of the
// board except those above it or to its left, so a value can be added to a whole set of
// cells with few additions.
type corner struct {
	at   uint16
	sign int8
}

// corners encodes the halo of a ship.
func corners(r match.Rules, s match.Ship) []corner {
	cells, bow := r.Contact.Halo(s.Cells()), s.Bow()
	has := func(x, y int) int {
		if c := match.At(x, y); r.Contains(c) && cells.Has(c) {
			return 1
		}
		return 0
	}
	var all []corner
	last := r.Size - 1 // limit of the halo's range
	fromX, toX := max(0, int(min(s.Stern.X, bow.X))-1), min(last, int(max(s.Stern.X, bow.X))+2)
	fromY, toY := max(0, int(min(s.Stern.Y, bow.Y))-1), min(last, int(max(s.Stern.Y, bow.Y))+2)
	for y := fromY; y <= toY; y++ {
		for x := fromX; x <= toX; x++ {
			if sign := has(x, y) - has(x-1, y) - has(x, y-1) + has(x-1, y-1); sign != 0 {
				all = append(all, corner{uint16(y*r.Size + x), int8(sign)})
			}
		}
	}
	return all
}

// spread converts values at corners to sums by cell.
func (w *moveGraph) spread(by []float32) {
	size := w.rules.Size
	for at := range by {
		if at%size != 0 {
			by[at] += by[at-1]
		}
	}
	for at := size; at < len(by); at++ {
		by[at] += by[at-size]
	}
}

// pass is a place that covers a cell, and the ship's part there.
type pass struct {
	place   int32
	segment uint8
}

func newMoveGraph(r match.Rules) *moveGraph {
	w := &moveGraph{rules: r}
	for _, class := range r.Fleet {
		l := &w.lengths[class.Length]
		if l.cells != nil {
			continue
		}
		l.through = make([][]pass, r.Size*r.Size)
		index := map[match.Ship]int32{}
		l.index = index
		var ships []match.Ship
		for stern := range r.Board().All() {
			for h := match.North; h <= match.West; h++ {
				s := match.Ship{Stern: stern, Heading: h, Length: class.Length}
				if !r.Contains(s.Bow()) {
					continue
				}
				place := int32(len(ships))
				index[s] = place
				ships = append(ships, s)
				cells := make([]uint16, s.Length)
				for n := range cells {
					c := stern.Step(h, n)
					cells[n] = uint16(int(c.Y)*r.Size + int(c.X))
					l.through[cells[n]] = append(l.through[cells[n]], pass{place, uint8(n)})
				}
				l.cells = append(l.cells, cells)
				l.halo = append(l.halo, corners(r, s))
			}
		}
		for _, s := range ships {
			var to [match.Manoeuvres]int32
			for m := range match.Manoeuvre(match.Manoeuvres) {
				to[m] = -1
				if place, ok := index[m.Of(s)]; ok {
					to[m] = place
				}
			}
			l.to = append(l.to, to)
		}
	}
	return w
}

// navalMoves is the graph of the naval preset, the most common one.
var navalMoves = sync.OnceValue(func() *moveGraph { return newMoveGraph(match.Naval()) })
