package layouts

import (
	"math/bits"
	"slices"

	"broadside/match"
)

// position is a possible place of a ship: the cells it covers, numbered y·size+x.
type position struct {
	cells [match.MaxLength]uint16
	n     int
	ship  match.Ship
}

// Geometry holds all positions of ships on the empty board, and which of them exclude each
// other. A layout is a choice of positions of which no two clash. Sets of positions are bit
// sets, so a few operations per ship restrict them, whatever the size of the board.
//
// Positions are numbered by length, longest first. Each length starts at a new word, so
// some numbers are unused. A Geometry is immutable.
type Geometry struct {
	Rules     match.Rules
	lengths   []int                    // distinct lengths of the fleet's ships, longest first
	fleet     [match.MaxLength + 1]int // number of ships by length
	from, to  [match.MaxLength + 1]int // range of words of each length in a set of positions
	words     int                      // words in a set of positions
	positions []position               // by number
	all       []uint64                 // the set of all positions
	through   [][]uint64               // by cell: the positions that cover it
	near      [][]uint64               // by cell: positions that don't cover it but allow no other ship there
	clash     [][]uint64               // by position: positions that it rules out for other ships, including itself
}

func NewGeometry(r match.Rules) *Geometry {
	w := &Geometry{Rules: r}
	for _, class := range r.Fleet {
		if w.fleet[class.Length]++; w.fleet[class.Length] == 1 {
			w.lengths = append(w.lengths, class.Length)
		}
	}
	for _, length := range w.lengths {
		w.from[length] = w.words
		w.add(length)
		w.words = (len(w.positions) + 63) / 64
		w.to[length] = w.words
		w.positions = append(w.positions, make([]position, 64*w.words-len(w.positions))...)
	}
	w.relate()
	return w
}

// add numbers the positions of a length.
func (w *Geometry) add(length int) {
	for _, heading := range [...]match.Heading{match.East, match.South} {
		for cell := range w.Rules.Board().All() {
			s := position{n: length, ship: match.Ship{Stern: cell, Heading: heading, Length: length}}
			if !w.Rules.Contains(s.ship.Bow()) {
				continue
			}
			for i := range length {
				s.cells[i] = uint16(w.number(cell.Step(heading, i)))
			}
			w.positions = append(w.positions, s)
		}
	}
}

// relate computes the sets of positions.
func (w *Geometry) relate() {
	cells := w.Rules.Size * w.Rules.Size
	w.all = make([]uint64, w.words)
	w.through = w.sets(cells)
	w.near = w.sets(cells)
	w.clash = w.sets(len(w.positions))
	for i := range w.positions {
		s := &w.positions[i]
		if s.n == 0 {
			continue
		}
		w.all[i/64] |= 1 << (i % 64)
		for _, c := range s.cells[:s.n] {
			w.through[c][i/64] |= 1 << (i % 64)
		}
	}
	for c := range w.near {
		for _, d := range w.around(c) {
			for i, word := range w.through[d] {
				w.near[c][i] |= word &^ w.through[c][i]
			}
		}
	}
	for i := range w.positions {
		s := &w.positions[i]
		for _, c := range s.cells[:s.n] {
			for k, word := range w.through[c] {
				w.clash[i][k] |= word | w.near[c][k]
			}
		}
	}
}

// sets returns n empty sets of positions, allocated together.
func (w *Geometry) sets(n int) [][]uint64 {
	memory := make([]uint64, n*w.words)
	sets := make([][]uint64, n)
	for i := range sets {
		sets[i] = memory[i*w.words : (i+1)*w.words : (i+1)*w.words]
	}
	return sets
}

// around returns the neighbours of a cell where no other ship may lie.
func (w *Geometry) around(c int) []int {
	var out []int
	x, y, size := c%w.Rules.Size, c/w.Rules.Size, w.Rules.Size
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			off := dx*dx + dy*dy
			if off == 0 || w.Rules.Contact == match.TouchAny || w.Rules.Contact == match.TouchCorners && off > 1 {
				continue
			}
			if x+dx >= 0 && x+dx < size && y+dy >= 0 && y+dy < size {
				out = append(out, c+dy*size+dx)
			}
		}
	}
	return out
}

// number returns the number of a cell.
func (w *Geometry) number(c match.Cell) int { return int(c.Y)*w.Rules.Size + int(c.X) }

// Find returns the number of a ship's position, or -1 if no ship of the fleet can lie
// there.
func (w *Geometry) Find(ship match.Ship) int {
	if ship.Heading == match.North || ship.Heading == match.West {
		ship.Stern, ship.Heading = ship.Bow(), ship.Heading.Turn(2)
	}
	if ship.Length < 1 || ship.Length > match.MaxLength || w.fleet[ship.Length] == 0 ||
		!w.Rules.Contains(ship.Stern) || !w.Rules.Contains(ship.Bow()) {
		return -1
	}
	for i := 64 * w.from[ship.Length]; i < 64*w.to[ship.Length]; i++ {
		if w.positions[i].ship == ship {
			return i
		}
	}
	return -1
}

// Len returns how many numbers positions have, including unused ones.
func (w *Geometry) Len() int { return len(w.positions) }

// Words returns the size of a set of positions, in words of 64.
func (w *Geometry) Words() int { return w.words }

// Lengths returns the distinct lengths of the fleet's ships, longest first.
func (w *Geometry) Lengths() []int { return w.lengths }

// Ship returns the ship at a position. Its length is 0 if the number is unused.
func (w *Geometry) Ship(n int) match.Ship { return w.positions[n].ship }

// Cells returns the numbers of the cells of a position, y·size+x.
func (w *Geometry) Cells(n int) []uint16 {
	s := &w.positions[n]
	return s.cells[:s.n]
}

// Layout returns the layout with ships at the given positions, one for each ship of the
// fleet. It sorts the positions.
func (w *Geometry) Layout(positions []int) match.Layout {
	var l match.Layout
	slices.Sort(positions) // longest first, as in the fleet
	for _, n := range positions {
		l = append(l, w.positions[n].ship)
	}
	return l
}

// nth returns the index of the element of a word that has n smaller ones.
func nth(word uint64, n int) int {
	// Number of elements in each byte, and then in all bytes up to and including it.
	counts := word - word>>1&0x5555555555555555
	counts = counts&0x3333333333333333 + counts>>2&0x3333333333333333
	counts = (counts + counts>>4) & 0x0f0f0f0f0f0f0f0f * 0x0101010101010101
	// Bytes with at most n elements up to them keep their high bit.
	passed := (uint64(n)*0x0101010101010101 | 0x8080808080808080) - counts
	base := 8 * bits.OnesCount64(passed&0x8080808080808080)
	if base > 0 {
		n -= int(counts >> (base - 8) & 0xff)
	}
	word >>= base
	for ; n > 0; n-- {
		word &= word - 1
	}
	return base + bits.TrailingZeros64(word)
}
