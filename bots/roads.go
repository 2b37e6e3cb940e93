package bots

import (
	"sync"

	"broadside/match"
)

// roads is where ships can lie and go on an empty board. It never changes once
// it is made.
type roads struct {
	rules match.Rules
	lanes [longest + 1]lane
}

// lane is the places of ships of one length.
type lane struct {
	cells   [][]uint16                // by place: the numbers of its cells, from the stern
	halo    [][]uint16                // by place: the cells where no other ship can lie
	to      [][match.Manoeuvres]int32 // by place: the place after a manoeuvre, or -1
	index   map[match.Ship]int32      // the place of a ship
	through [][]pass                  // by cell: the places that cover it
}

// pass is a place that covers a cell, with which of the ship's parts.
type pass struct {
	place   int32
	segment uint8
}

func newRoads(r match.Rules) *roads {
	w := &roads{rules: r}
	for _, class := range r.Fleet {
		l := &w.lanes[class.Length]
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
				var around []uint16
				for c := range halo(r.Contact, s).Intersect(r.Board()).All() {
					around = append(around, uint16(int(c.Y)*r.Size+int(c.X)))
				}
				l.halo = append(l.halo, around)
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

// navalRoads are those of the preset, which are wanted most.
var navalRoads = sync.OnceValue(func() *roads { return newRoads(match.Naval()) })
