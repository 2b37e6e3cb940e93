package layouts

import (
	"slices"
	"sync"
	"weak"

	"broadside/match"
)

// Geometry holds all positions of ships on the empty board, and which of them exclude each
// other. A layout is a choice of positions without clashes. Sets of positions are bit
// sets, so a few operations per ship restrict them, whatever the size of the board.
//
// Positions are numbered by length, longest first. Each length starts at a new word, so
// some numbers are unused. A Geometry is immutable.
type Geometry struct {
	Rules match.Rules
	// lengths has the distinct lengths of the fleet's ships, longest first.
	lengths []int
	// fleet counts the ships by length.
	fleet [match.MaxLength + 1]int
	// from and to are each length's range of words in a set of positions.
	from, to [match.MaxLength + 1]int
	// words is the number of words in a set of positions.
	words int
	// positions has the positions by number.
	positions []position
	// all is the set of all positions.
	all []uint64
	// through has, by cell, the positions that cover it.
	through [][]uint64
	// near has, by cell, the positions beside it that allow no other ship there.
	near [][]uint64
	// clash has, by position, the positions that it rules out for other ships.
	clash [][]uint64
}

// position is a possible place of a ship.
type position struct {
	// cells has the numbers y·size+x of the first n cells.
	cells [match.MaxLength]uint16
	n     int
	ship  match.Ship
}

// geometryKey has the parts of rules that define a geometry.
type geometryKey struct {
	size    int
	contact match.Contact
	fleet   [match.MaxLength + 1]int
}

// geometries holds a weak pointer to the geometry of each [geometryKey]. All games of the same rules
// share one, because it takes 0.2 MB for a board of 10×10, and 5 MB for the largest board.
var geometries sync.Map

// loadOrMake returns the value that a map of weak pointers has for a key. If there is none, it makes
// one.
func loadOrMake[K comparable, V any](values *sync.Map, key K, make func() *V) *V {
	if old, ok := values.Load(key); ok {
		v := old.(weak.Pointer[V]).Value()
		if v != nil {
			return v
		}
	}
	v := make()
	values.Store(key, weak.Make(v))
	return v
}

// NewGeometry returns the geometry for a rule set. The rules must be valid.
func NewGeometry(r match.Rules) *Geometry {
	key := geometryKey{size: r.Size, contact: r.Contact}
	for _, class := range r.Fleet {
		key.fleet[class.Length]++
	}
	return loadOrMake(&geometries, key, func() *Geometry { return newGeometry(r, key.fleet) })
}

func newGeometry(r match.Rules, fleet [match.MaxLength + 1]int) *Geometry {
	g := &Geometry{Rules: r, fleet: fleet}
	for length := match.MaxLength; length >= match.MinLength; length-- {
		if g.fleet[length] == 0 {
			continue
		}
		g.lengths = append(g.lengths, length)
		g.from[length] = g.words
		g.addPositions(length)
		g.words = (len(g.positions) + 63) / 64
		g.to[length] = g.words
		g.positions = append(g.positions, make([]position, 64*g.words-len(g.positions))...)
	}
	g.indexPositions()
	return g
}

func (g *Geometry) addPositions(length int) {
	for _, heading := range match.Axes {
		for cell := range g.Rules.Cells().All() {
			s := position{n: length, ship: match.Ship{Stern: cell, Heading: heading, Length: length}}
			if !g.Rules.Contains(s.ship.Bow()) {
				continue
			}
			for i := range length {
				s.cells[i] = uint16(g.cellNumber(cell.Step(heading, i)))
			}
			g.positions = append(g.positions, s)
		}
	}
}

// indexPositions computes the sets of positions.
func (g *Geometry) indexPositions() {
	g.all = make([]uint64, g.words)
	g.through = g.newSets(g.Rules.Size * g.Rules.Size)
	g.near = g.newSets(g.Rules.Size * g.Rules.Size)
	g.clash = g.newSets(len(g.positions))
	for i := range g.positions {
		s := &g.positions[i]
		if s.n > 0 {
			g.all[i/64] |= 1 << (i % 64)
		}
		for _, c := range s.cells[:s.n] {
			g.through[c][i/64] |= 1 << (i % 64)
		}
	}
	for cell := range g.Rules.Cells().All() {
		near := g.near[g.cellNumber(cell)]
		g.addClashes(near, match.SetOf(cell))
		removePositions(near, g.through[g.cellNumber(cell)])
	}
	for i := range g.positions {
		g.addClashes(g.clash[i], g.positions[i].ship.Cells())
	}
}

// addClashes adds to a set the positions that a ship rules out for other ships.
func (g *Geometry) addClashes(set []uint64, ship match.Set) {
	for cell := range g.Rules.Contact.Halo(ship).Intersect(g.Rules.Cells()).All() {
		for k, word := range g.through[g.cellNumber(cell)] {
			set[k] |= word
		}
	}
}

// newSets returns n empty sets of positions, allocated together.
func (g *Geometry) newSets(n int) [][]uint64 {
	memory := make([]uint64, n*g.words)
	sets := make([][]uint64, n)
	for i := range sets {
		sets[i] = memory[i*g.words : (i+1)*g.words : (i+1)*g.words]
	}
	return sets
}

func removePositions(set, other []uint64) {
	other = other[:len(set)]
	for i := range set {
		set[i] &^= other[i]
	}
}

func (g *Geometry) cellNumber(c match.Cell) int { return int(c.Y)*g.Rules.Size + int(c.X) }

// Len returns how many numbers positions have, including unused ones.
func (g *Geometry) Len() int { return len(g.positions) }

// Lengths returns the distinct lengths of the fleet's ships, longest first.
func (g *Geometry) Lengths() []int { return g.lengths }

// Ship returns the ship at a position. Its length is 0 if the number is unused.
func (g *Geometry) Ship(n int) match.Ship { return g.positions[n].ship }

// Cells returns the numbers of a position's cells, y·size+x.
func (g *Geometry) Cells(n int) []uint16 {
	s := &g.positions[n]
	return s.cells[:s.n]
}

// Find returns the number of a ship's position, or -1 if no ship of the fleet can lie
// there.
func (g *Geometry) Find(ship match.Ship) int {
	if ship.Heading == match.North || ship.Heading == match.West {
		ship.Stern, ship.Heading = ship.Bow(), ship.Heading.Rotate(2)
	}
	return slices.IndexFunc(g.positions, func(s position) bool { return s.n > 0 && s.ship == ship })
}

// Layout returns the layout with ships at the given positions, one for each of the fleet's
// ships. It sorts the positions.
func (g *Geometry) Layout(positions []int) match.Layout {
	var l match.Layout
	// The longest come first, as in the fleet.
	slices.Sort(positions)
	for _, n := range positions {
		l = append(l, g.positions[n].ship)
	}
	return l
}
