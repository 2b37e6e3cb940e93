package svg

import (
	"strconv"

	"broadside/match"
)

// Board is a side's board as a spectator or player sees it.
type Board struct {
	size  int
	cells []Cell
}

// NewBoard returns a side's board in a view: the other side's shots and, as far as the view knows it, the
// fleet. The last turn's shots are marked.
func NewBoard(v *match.View, side match.Side) *Board {
	var last match.Set
	for _, shot := range v.Last[side.Other()] {
		last.Add(shot.Cell)
	}
	known := v.Board(side)
	b := &Board{size: known.Size, cells: make([]Cell, len(known.Squares))}
	for i, square := range known.Squares {
		b.cells[i] = newCell(square)
		if last.Has(match.NewCell(i%b.size, i/b.size)) {
			b.cells[i].Last, b.cells[i].Glyph = true, "‹"+b.cells[i].Glyph+"›"
		}
	}
	return b
}

// SetOdds shows the probability of a ship in a cell, from 0 to 1. Colours are relative to hottest, the board's
// highest probability.
func (b *Board) SetOdds(at match.Cell, p, hottest float64) {
	c := &b.cells[int(at.Y)*b.size+int(at.X)]
	c.OddsStep = 1 + min(oddsSteps-1, int(p/max(hottest, 1e-9)*(oddsSteps-1)+0.5))
	c.Tile, c.Glyph = fullTile, strconv.Itoa(int(100*p+0.5))
}

// Size returns the number of rows and columns.
func (b *Board) Size() int { return b.size }

// DrawnCell returns a cell of the board.
func (b *Board) DrawnCell(c match.Cell) Cell { return b.cells[int(c.Y)*b.size+int(c.X)] }

// Change is a cell that differs from an earlier board.
type Change struct {
	At string `json:"cell"`
	Cell
}

// ChangesSince returns the cells that differ from an earlier board of the same size, or from open sea if it is
// nil.
func (b *Board) ChangesSince(before *Board) []Change {
	changes := []Change{}
	for i, c := range b.cells {
		was := newCell(match.Square{})
		if before != nil {
			was = before.cells[i]
		}
		if c != was {
			changes = append(changes, Change{match.NewCell(i%b.size, i/b.size).String(), c})
		}
	}
	return changes
}
