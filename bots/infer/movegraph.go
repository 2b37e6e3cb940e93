package infer

import (
	"sync"

	"broadside/match"
	"broadside/match/layouts"
)

// moveGraph holds where a fleet's ships can lie and move on an empty board. It is immutable.
type moveGraph struct {
	rules   match.Rules
	lengths [match.MaxLength + 1]lengthMoves
}

// lengthMoves holds the places of ships of one length. It is empty if the fleet has none.
type lengthMoves struct {
	*layouts.Places
	// halo has, by place, the cells closed to other ships.
	halo [][]corner
}

// corner is part of an encoding of a set of cells. It adds its sign to all cells of the
// board except those above it or to its left, so a value can be added to a whole set of
// cells with few additions.
type corner struct {
	at   uint16
	sign int8
}

// haloCorners encodes a ship's halo.
func haloCorners(r match.Rules, s match.Ship) []corner {
	cells, bow := r.Contact.Halo(s.Cells()), s.Bow()
	has := func(x, y int) int {
		c := match.NewCell(x, y)
		if r.Contains(c) && cells.Has(c) {
			return 1
		}
		return 0
	}
	var all []corner
	// last is the limit of the halo's range.
	last := r.Size - 1
	fromX, toX := max(0, int(min(s.Stern.X, bow.X))-1), min(last, int(max(s.Stern.X, bow.X))+2)
	fromY, toY := max(0, int(min(s.Stern.Y, bow.Y))-1), min(last, int(max(s.Stern.Y, bow.Y))+2)
	for y := fromY; y <= toY; y++ {
		for x := fromX; x <= toX; x++ {
			sign := has(x, y) - has(x-1, y) - has(x, y-1) + has(x-1, y-1)
			if sign != 0 {
				all = append(all, corner{uint16(y*r.Size + x), int8(sign)})
			}
		}
	}
	return all
}

// sumByCell replaces values at corners with sums by cell.
func (w *moveGraph) sumByCell(by []float32) {
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

func newMoveGraph(r match.Rules) *moveGraph {
	w := &moveGraph{rules: r}
	for _, class := range r.Fleet {
		l := &w.lengths[class.Length]
		if l.Places != nil {
			continue
		}
		l.Places = layouts.NewPlaces(r.Size, class.Length)
		for _, ship := range l.Ships {
			l.halo = append(l.halo, haloCorners(r, ship))
		}
	}
	return w
}

// navalMoveGraph is the graph of the naval preset, the most common one.
var navalMoveGraph = sync.OnceValue(func() *moveGraph { return newMoveGraph(match.Naval()) })
