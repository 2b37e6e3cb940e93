package bots

import "broadside/match"

// newHilbert returns a strategy that fires along a Hilbert curve, which fills the board in
// short steps. It is one of the original system's search orders. It first takes the cells of one
// chessboard colour, since every ship longer than one cell covers one. The curve starts in
// a random corner.
func newHilbert(c Config) *orderedSearch {
	mirror := c.Rand.IntN(8)
	order := hilbertOrder(c.Rules.Size)
	for i, cell := range order {
		order[i] = mirrorCell(c.Rules.Size, int(cell.X), int(cell.Y), mirror)
	}
	return &orderedSearch{base: base{rules: c.Rules, rng: c.Rand}, order: order}
}

// hilbertOrder returns the cells of the curve from the corner 0,0: first one chessboard
// colour, then the other.
func hilbertOrder(size int) []match.Cell {
	side := 1
	for side < size {
		side *= 2
	}
	colours := [2][]match.Cell{}
	for d := range side * side {
		x, y := hilbertPoint(side, d)
		if x < size && y < size {
			colours[(x+y)%2] = append(colours[(x+y)%2], match.NewCell(x, y))
		}
	}
	return append(colours[0], colours[1]...)
}

// hilbertPoint returns point d of the curve through a square whose side is a power of two.
// The curve starts at 0,0. Each iteration doubles the square: it rotates the current point
// and moves it to the correct quarter.
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

// mirrorCell returns the image of a cell under one of the board's eight symmetries.
func mirrorCell(size, x, y, symmetry int) match.Cell {
	if symmetry&1 != 0 {
		x = size - 1 - x
	}
	if symmetry&2 != 0 {
		y = size - 1 - y
	}
	if symmetry&4 != 0 {
		x, y = y, x
	}
	return match.NewCell(x, y)
}
