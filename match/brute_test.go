package match_test

import (
	"iter"
	"math/bits"

	"broadside/match"
)

// This file checks the package's algorithms by exhaustive search. It implements the rules
// from their description alone.

// grid is a set of cells of a board of up to 11×11 cells, with bit y*size+x for each.
type grid struct{ lo, hi uint64 }

func (g grid) has(i int) bool {
	if i < 64 {
		return g.lo>>i&1 != 0
	}
	return g.hi>>(i-64)&1 != 0
}

func (g grid) with(i int) grid {
	if i < 64 {
		g.lo |= 1 << i
	} else {
		g.hi |= 1 << (i - 64)
	}
	return g
}

func (g grid) overlaps(o grid) bool { return g.lo&o.lo|g.hi&o.hi != 0 }
func (g grid) or(o grid) grid       { return grid{g.lo | o.lo, g.hi | o.hi} }
func (g grid) within(o grid) bool   { return g.lo&^o.lo|g.hi&^o.hi == 0 }
func (g grid) len() int             { return bits.OnesCount64(g.lo) + bits.OnesCount64(g.hi) }

// place is a possible place of a ship. It has the ship's cells, and the cells that it denies to the
// other ships.
type place struct {
	ship         match.Ship
	hull, ground grid
}

func placesFor(r match.Rules, length int) []place {
	var out []place
	for _, h := range match.Axes {
		for y := range r.Size {
			for x := range r.Size {
				p := place{ship: match.Ship{Stern: match.NewCell(x, y), Heading: h, Length: length}}
				ex, ey := x, y
				if h == match.East {
					ex += length - 1
				} else {
					ey += length - 1
				}
				if ex >= r.Size || ey >= r.Size {
					continue
				}
				for cy := range r.Size {
					for cx := range r.Size {
						dx, dy := max(x-cx, cx-ex, 0), max(y-cy, cy-ey, 0)
						i := cy*r.Size + cx
						if dx+dy == 0 {
							p.hull = p.hull.with(i)
						}
						if dx+dy == 0 || r.Contact == match.TouchCorners && dx+dy == 1 ||
							r.Contact == match.TouchNone && dx <= 1 && dy <= 1 {
							p.ground = p.ground.with(i)
						}
					}
				}
				out = append(out, p)
			}
		}
	}
	return out
}

// everyLayout yields all legal layouts and distinguishes ships of equal length. The slice
// is reused.
func everyLayout(r match.Rules) iter.Seq[[]place] {
	byLength := map[int][]place{}
	for _, c := range r.Fleet {
		byLength[c.Length] = placesFor(r, c.Length)
	}
	return func(yield func([]place) bool) {
		fleet := make([]place, len(r.Fleet))
		var down func(i int, taken grid) bool
		down = func(i int, taken grid) bool {
			if i == len(fleet) {
				return yield(fleet)
			}
			for _, p := range byLength[r.Fleet[i].Length] {
				if !p.hull.overlaps(taken) {
					fleet[i] = p
					if !down(i+1, taken.or(p.ground)) {
						return false
					}
				}
			}
			return true
		}
		down(0, grid{})
	}
}

// countLayouts counts the legal layouts without distinguishing ships of equal length. It
// counts the last two ships without listing them.
func countLayouts(r match.Rules) int {
	// same is the number of orders of ships of equal length.
	same := 1
	for i, run := 1, 1; i < len(r.Fleet); i++ {
		run++
		if r.Fleet[i].Length != r.Fleet[i-1].Length {
			run = 1
		}
		same *= run
	}
	total := 0
	var down func(i int, taken grid)
	byLength := map[int][]place{}
	for _, c := range r.Fleet {
		byLength[c.Length] = placesFor(r, c.Length)
	}
	sterns := sternCounter(r)
	down = func(i int, taken grid) {
		if i == len(r.Fleet)-1 {
			total += sterns(r.Fleet[i].Length, taken)
			return
		}
		for _, p := range byLength[r.Fleet[i].Length] {
			if !p.hull.overlaps(taken) {
				down(i+1, taken.or(p.ground))
			}
		}
	}
	// An even board with an even number of places along it has no place for the first ship
	// that a reflection maps to itself, so an eighth of the places is enough.
	first := r.Fleet[0].Length
	along := r.Size - first + 1
	if r.Size%2 != 0 || along%2 != 0 || len(r.Fleet) < 2 {
		down(0, grid{})
		return total / same
	}
	for _, p := range byLength[first] {
		if p.ship.Heading == match.East && int(p.ship.Stern.X) < along/2 && int(p.ship.Stern.Y) < r.Size/2 {
			down(1, p.ground)
		}
	}
	return 8 * total / same
}

// sternCounter counts the places left for a ship next to occupied cells, by shifting the
// set of free cells.
func sternCounter(r match.Rules) func(length int, taken grid) int {
	// columns has, by length, the cells where a ship heading east may start.
	var columns [6]grid
	var board grid
	for i := range r.Size * r.Size {
		board = board.with(i)
		for length := 1; length <= 5; length++ {
			if i%r.Size+length <= r.Size {
				columns[length] = columns[length].with(i)
			}
		}
	}
	shift := func(g grid, n uint) grid { return grid{g.lo>>n | g.hi<<(64-n), g.hi >> n} }
	return func(length int, taken grid) int {
		free := grid{board.lo &^ taken.lo, board.hi &^ taken.hi}
		east, south := free, free
		e, s := free, free
		for range length - 1 {
			e, s = shift(e, 1), shift(s, uint(r.Size))
			east = grid{east.lo & e.lo, east.hi & e.hi}
			south = grid{south.lo & s.lo, south.hi & s.hi}
		}
		east = grid{east.lo & columns[length].lo, east.hi & columns[length].hi}
		return east.len() + south.len()
	}
}

// suspect is a layout that may explain a side's results.
type suspect []grid

// answer returns the layout's result for a shot at cell, the last of shots.
func (s suspect) answer(cell int, shots grid) match.Result {
	for i, hull := range s {
		if !hull.has(cell) {
			continue
		}
		if !hull.within(shots) {
			return match.Hit
		}
		for j, other := range s {
			if j != i && !other.within(shots) {
				return match.Sunk
			}
		}
		return match.LastSunk
	}
	return match.Miss
}
