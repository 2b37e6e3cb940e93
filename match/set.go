package match

import (
	"iter"
	"math/bits"
)

// Stride is the distance in bits between a cell in a [Set] and the one below it. It is one
// more than the width of the largest board, so that a shift by one cell moves the end of a
// row into an unused column and not to the start of the next row.
const Stride = MaxSize + 1

// Set is a set of cells with one bit per cell. The zero value is empty. Methods that return a
// Set do not change their receiver.
type Set [(Stride*MaxSize + 63) / 64]uint64

func (c Cell) bitIndex() uint { return uint(uint8(c.Y))*Stride + uint(uint8(c.X)) }

func (c Cell) isValid() bool { return uint8(c.X) < MaxSize && uint8(c.Y) < MaxSize }

// SetOf returns the set of the given cells.
func SetOf(cells ...Cell) Set {
	var s Set
	for _, c := range cells {
		s.Add(c)
	}
	return s
}

// Has reports whether c is in the set.
func (s *Set) Has(c Cell) bool {
	return c.isValid() && s[c.bitIndex()/64]&(1<<(c.bitIndex()%64)) != 0
}

// Add adds c to the set. It ignores cells off every board.
func (s *Set) Add(c Cell) {
	if c.isValid() {
		s[c.bitIndex()/64] |= 1 << (c.bitIndex() % 64)
	}
}

// Remove removes c from the set.
func (s *Set) Remove(c Cell) {
	if c.isValid() {
		s[c.bitIndex()/64] &^= 1 << (c.bitIndex() % 64)
	}
}

// Len returns the number of cells.
func (s Set) Len() int {
	n := 0
	for i := range s {
		n += bits.OnesCount64(s[i])
	}
	return n
}

// IsEmpty reports whether the set is empty.
func (s Set) IsEmpty() bool {
	for i := range s {
		if s[i] != 0 {
			return false
		}
	}
	return true
}

// Union returns the set of cells in s or t.
func (s Set) Union(t Set) Set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

// Minus returns the set of cells in s and not in t.
func (s Set) Minus(t Set) Set {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

// Intersect returns the set of cells in both s and t.
func (s Set) Intersect(t Set) Set {
	for i := range s {
		s[i] &= t[i]
	}
	return s
}

// Overlaps reports whether s and t share a cell.
func (s *Set) Overlaps(t *Set) bool {
	for i := range s {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// IsSubsetOf reports whether every cell of s is in t.
func (s *Set) IsSubsetOf(t *Set) bool {
	for i := range s {
		if s[i]&^t[i] != 0 {
			return false
		}
	}
	return true
}

// All yields the cells row by row, from left to right.
func (s Set) All() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				b := i*64 + bits.TrailingZeros64(w)
				if !yield(Cell{X: int8(b % Stride), Y: int8(b / Stride)}) {
					return
				}
			}
		}
	}
}

// Nth returns the cell that [Set.All] yields after n others. It panics unless 0 ≤ n < s.Len().
func (s Set) Nth(n int) Cell {
	for i, w := range s {
		k := bits.OnesCount64(w)
		if n >= k {
			n -= k
			continue
		}
		for ; n > 0; n-- {
			w &= w - 1
		}
		b := uint32(i*64 + bits.TrailingZeros64(w))
		return Cell{X: int8(b % Stride), Y: int8(b / Stride)}
	}
	panic("match: Set.Nth past the end")
}

// ShiftBothWays returns the cells that are n bits from a cell of s, for 0 < n < 64. For n = 1 these are
// the cells to the left and right, and for n = [Stride] those above and below.
func (s *Set) ShiftBothWays(n uint) (cells Set) {
	for i, w := range s {
		cells[i] |= w<<n | w>>n
		if i > 0 {
			cells[i] |= s[i-1] >> (64 - n)
			cells[i-1] |= w << (64 - n)
		}
	}
	return cells
}

// edgeNeighbours returns s and all cells that share an edge with it. The result may include
// cells off the board, so callers intersect it with the board.
func (s Set) edgeNeighbours() Set {
	return s.Union(s.ShiftBothWays(1)).Union(s.ShiftBothWays(Stride))
}

// allNeighbours returns s and all cells that share an edge or a corner with it. Like
// edgeNeighbours, it may include cells off the board.
func (s Set) allNeighbours() Set {
	row := s.Union(s.ShiftBothWays(1))
	return row.Union(row.ShiftBothWays(Stride))
}
