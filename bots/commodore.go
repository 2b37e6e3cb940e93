package bots

import (
	"broadside/bots/infer"
	"broadside/match"
)

// commodore shoots at the cell most likely to hold a ship, using the probability density
// proposed in the documentation of the Python game.
//
// While it hunts, cells on a diagonal grid that the smallest ship must cross have extra
// weight.
type commodore struct {
	base
	count *infer.Count
}

const (
	// gridBonus is the extra weight of a cell on the grid.
	gridBonus = 0.3
	// hunting has two uses. The bot hunts if the probability of a wounded ship is at
	// most this, and a length determines the grid if the expected number of ships of that
	// length is at least this.
	hunting = 0.2
)

func newCommodore(c Config) *commodore {
	return &commodore{base: base{c.Rules, c.Rand}, count: infer.NewCount(c.Rules)}
}

func (b *commodore) renew() { b.count.Reset() }

// Observe implements [Bot].
func (b *commodore) Observe(cell match.Cell, r match.Result) { b.count.Add(cell, r) }

// Fire implements [Bot]. It returns the cell with the highest weight; ties are broken at
// random.
func (b *commodore) Fire(chart *match.Chart) match.Cell {
	e := b.count.Update(openCells(chart))
	bonus := huntingGrid(&e)
	best := e.Cells[0].Cell
	least, most, ties := -1.0, -1.0, 0 // weights from least to most count as equal
	for _, c := range e.Cells {
		p := c.Chance * (1 + bonus[c.X+c.Y])
		const rounding = 1e-9
		switch {
		case p > most:
			best, least, most, ties = c.Cell, p*(1-rounding), p*(1+rounding), 1
		case p >= least:
			ties++
			if b.rng.IntN(ties) == 0 {
				best = c.Cell
			}
		}
	}
	return best
}

// diagonals has a number for each diagonal of a board, indexed by x+y.
type diagonals [2 * match.MaxSize]float64

// huntingGrid returns the extra weights for the grid to hunt on: of the grids whose spacing
// is the length of the smallest unhit ship, the one with the fewest open cells. During a
// chase, it returns zeros.
func huntingGrid(e *infer.Estimate) diagonals {
	var grid diagonals
	if e.Wounded >= hunting {
		return grid
	}
	period := match.MinLength
	for period <= match.MaxLength && e.Unhit[period] < hunting {
		period++
	}
	if period > match.MaxLength {
		return grid
	}
	var cells [len(grid)]int
	for _, c := range e.Cells {
		cells[c.X+c.Y]++
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
		grid[i] = gridBonus
	}
	return grid
}
