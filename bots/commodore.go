package bots

import (
	"broadside/bots/infer"
	"broadside/match"
)

func init() {
	register(110, Info{Name: "commodore", About: "where-its-count-of-the"}, plain(newCommodore))
}

// commodore shoots where a ship is most likely to lie: the probability density
// that the documented game in Python proposed for its successor.
//
// While it hunts, cells on the diagonal grid that the smallest ship cannot slip
// through count for more: they pay later, too.
type commodore struct {
	base
	count *infer.Count
}

const (
	// gridBonus is what a cell of the grid counts for more.
	gridBonus = 0.3
	// hunting is how unlikely it must be that a ship that was hit still
	// floats, for the bot to hunt; and how few ships of a length are too few
	// to hunt for.
	hunting = 0.2
)

func newCommodore(c Config) *commodore {
	return &commodore{base: base{c.Rules, c.Rand}, count: infer.NewCount(c.Rules)}
}

// Told enters an answer.
func (b *commodore) Told(cell match.Cell, r match.Result) { b.count.Add(cell, r) }

// Fire returns the cell that counts most, ties at random.
func (b *commodore) Fire(chart *match.Chart) match.Cell {
	e := b.count.Update(openCells(chart))
	grid := huntingGrid(&e)
	best := e.Cells[0].Cell
	most, ties := -1.0, 0
	for i := range e.Cells {
		c := &e.Cells[i]
		p := c.Chance
		if grid[c.X+c.Y] {
			p *= 1 + gridBonus
		}
		const rounding = 1e-9
		switch {
		case p > most*(1+rounding):
			best, most, ties = c.Cell, p, 1
		case p >= most*(1-rounding):
			ties++
			if b.rng.IntN(ties) == 0 {
				best = c.Cell
			}
		}
	}
	return best
}

// diagonals is some of the diagonals of a board, by the sum of the coordinates
// of their cells.
type diagonals [2 * match.MaxSize]bool

// huntingGrid returns the grid to hunt on, of the smallest ship not hit yet: of all
// whose diagonals lie as far apart as the ship is long, the one with the fewest
// open cells. During a chase there is none.
func huntingGrid(e *infer.Estimate) diagonals {
	var grid diagonals
	if e.Wounded >= hunting {
		return grid
	}
	period := infer.MinShip
	for period <= infer.MaxShip && e.Unhit[period] < hunting {
		period++
	}
	if period > infer.MaxShip {
		return grid
	}
	var cells [len(grid)]int
	for i := range e.Cells {
		cells[e.Cells[i].X+e.Cells[i].Y]++
	}
	best, fewest := 0, 0
	for first := range period {
		n := 0
		for i := first; i < len(cells); i += period {
			n += cells[i]
		}
		if n > 0 && (fewest == 0 || n < fewest) {
			best, fewest = first, n
		}
	}
	for i := best; i < len(grid); i += period {
		grid[i] = true
	}
	return grid
}
