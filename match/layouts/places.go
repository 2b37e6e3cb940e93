package layouts

import (
	"sync"

	"broadside/match"
)

// Places holds where ships of one length can lie and move on an empty board. Ships that move have
// a bow, so there are four headings. A Places is immutable.
type Places struct {
	// Cells has, by place, its cells' numbers, from the stern.
	Cells [][]uint16
	// Moves has, by place, the place after each kind of move, or -1.
	Moves [][match.MoveKinds]int32
	// Through has, by cell y·size+x, the places that cover it.
	Through [][]PlaceSegment
	// Ships has, by place, the ship that lies there.
	Ships []match.Ship
	index map[match.Ship]int32
}

// PlaceSegment is a place that covers a cell, and the ship's segment there, from the stern.
type PlaceSegment struct {
	Place   int32
	Segment uint8
}

// placesKey defines a Places.
type placesKey struct{ size, length int }

// allPlaces holds a weak pointer to the Places of each [placesKey].
var allPlaces sync.Map

// NewPlaces returns the places of ships of a length on a board of size×size cells.
func NewPlaces(size, length int) *Places {
	return loadOrMake(&allPlaces, placesKey{size, length}, func() *Places { return newPlaces(size, length) })
}

func newPlaces(size, length int) *Places {
	p := &Places{Through: make([][]PlaceSegment, size*size), index: map[match.Ship]int32{}}
	board := match.Rules{Size: size}
	for stern := range board.Cells().All() {
		for h := match.North; h <= match.West; h++ {
			ship := match.Ship{Stern: stern, Heading: h, Length: length}
			if !board.Contains(ship.Bow()) {
				continue
			}
			place := int32(len(p.Ships))
			p.index[ship] = place
			p.Ships = append(p.Ships, ship)
			cells := make([]uint16, length)
			for n := range cells {
				c := stern.Step(h, n)
				cells[n] = uint16(int(c.Y)*size + int(c.X))
				p.Through[cells[n]] = append(p.Through[cells[n]], PlaceSegment{place, uint8(n)})
			}
			p.Cells = append(p.Cells, cells)
		}
	}
	for _, ship := range p.Ships {
		var to [match.MoveKinds]int32
		for m := range to {
			to[m] = p.Find(match.MoveKind(m).Apply(ship))
		}
		p.Moves = append(p.Moves, to)
	}
	return p
}

// Find returns a ship's place, or -1 if it is of another length or not on the board.
func (p *Places) Find(ship match.Ship) int32 {
	if place, ok := p.index[ship]; ok {
		return place
	}
	return -1
}
