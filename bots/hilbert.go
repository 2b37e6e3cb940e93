package bots

import (
	"broadside/match"
)

func init() {
	register(70, Info{Name: "hilbert", About: "along-a-curve-that-fills"}, plain(newHilbert))
}

// newHilbert shoots along a Hilbert curve, which fills the board without ever
// going far from where it has been: one of the documented ideas for search
// orders. It takes the cells of one colour of the chessboard first, since no
// ship can do without. The curve begins in one of the corners, at random.
func newHilbert(c Config) *search {
	mirror := c.Rand.IntN(8)
	order := hilbertOrder(c.Rules.Size)
	for i, cell := range order {
		order[i] = mirrored(c.Rules.Size, int(cell.X), int(cell.Y), mirror)
	}
	return &search{base: base{c.Rules, c.Rand}, order: order}
}

// hilbertOrder returns the curve from the corner 0,0: the cells of one colour, then
// those of the other.
func hilbertOrder(size int) []match.Cell {
	side := 1
	for side < size {
		side *= 2
	}
	colours := [2][]match.Cell{}
	for d := range side * side {
		x, y := hilbertPoint(side, d)
		if x < size && y < size {
			colours[(x+y)%2] = append(colours[(x+y)%2], match.At(x, y))
		}
	}
	return append(colours[0], colours[1]...)
}

// hilbertPoint returns point d of the curve through a square whose side is a power
// of two. The curve begins at 0,0. From the smallest square to the whole, each
// step puts the curve so far into the right quarter, turned as it is there.
func hilbertPoint(side, d int) (x, y int) {
	for s := 1; s < side; s *= 2 {
		right := d / 2 % 2
		down := (d ^ right) % 2
		if down == 0 {
			if right == 1 {
				x, y = s-1-x, s-1-y
			}
			x, y = y, x
		}
		x, y = x+s*right, y+s*down
		d /= 4
	}
	return x, y
}

// mirrored returns a cell of the board after one of its eight symmetries.
func mirrored(size, x, y, symmetry int) match.Cell {
	if symmetry&1 != 0 {
		x = size - 1 - x
	}
	if symmetry&2 != 0 {
		y = size - 1 - y
	}
	if symmetry&4 != 0 {
		x, y = y, x
	}
	return match.At(x, y)
}
