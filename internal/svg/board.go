package svg

import (
	"regexp"
	"strconv"

	"broadside/match"
)

// Board is a side's board as a viewer sees it.
type Board struct {
	size  int
	cells []Cell
}

// NewBoard returns a side's board in a view: the shots of the other side and, as far as
// the view has it, the fleet.
func NewBoard(v *match.View, side match.Side) *Board {
	enemy := &v.Charts[side.Other()]
	b := &Board{size: v.Rules.Size, cells: make([]Cell, v.Rules.Size*v.Rules.Size)}
	fleet := v.Fleets[side]
	if fleet == nil {
		fleet = wrecks(enemy)
	}
	hulls := map[match.Cell]string{}
	for _, ship := range fleet {
		if !v.Rules.Moving {
			ship = ship.HeadNorthOrEast()
		}
		for n := range ship.Length {
			hulls[ship.Stern.Step(ship.Heading, n)] = hullPart(ship, n)
		}
	}
	for i := range b.cells {
		at := match.At(i%b.size, i/b.size)
		s := stateOf(v, side, at)
		hull := ""
		if s == Ship || s == Hit || s == Sunk {
			hull = hulls[at]
		}
		b.cells[i] = newCell(s, hull)
	}
	b.markLast(v.Last[side.Other()])
	return b
}

// stateOf returns the state of a cell of a side's board.
func stateOf(v *match.View, side match.Side, at match.Cell) State {
	switch v.Board(side, at) {
	case match.Hull:
		return Ship
	case match.HullHit:
		return Hit
	case match.HullSunk:
		return Sunk
	case match.Splash:
		return Miss
	}
	if v.Charts[side.Other()].At(at) == match.Deduced {
		return Clear
	}
	return Sea
}

// wrecks returns the sunk ships on a chart. Bows point east or north, because a chart has
// no headings. Where ships may touch, cells cannot be assigned to ships.
func wrecks(c *match.Chart) (fleet match.Layout) {
	if c.Rules.Contact == match.TouchAny {
		return nil
	}
	for at := range c.Sunk.All() {
		if c.Sunk.Has(at.Step(match.West, 1)) || c.Sunk.Has(at.Step(match.North, 1)) {
			continue // not the first cell of its ship
		}
		ship := match.Ship{Stern: at, Heading: match.East, Length: 1}
		for c.Sunk.Has(at.Step(match.East, ship.Length)) {
			ship.Length++
		}
		if ship.Length == 1 {
			for c.Sunk.Has(at.Step(match.South, ship.Length)) {
				ship.Length++
			}
			if ship.Length > 1 {
				ship.Stern, ship.Heading = at.Step(match.South, ship.Length-1), match.North
			}
		}
		fleet = append(fleet, ship)
	}
	return fleet
}

// markLast marks the shots of the last turn.
func (b *Board) markLast(shots []match.Shot) {
	for _, s := range shots {
		x, y := int(s.Cell.X), int(s.Cell.Y)
		if s.Number == 0 || x < 0 || y < 0 || x >= b.size || y >= b.size {
			continue
		}
		if c := &b.cells[y*b.size+x]; !c.Last {
			c.Last, c.Glyph = true, "‹"+c.Glyph+"›"
		}
	}
}

// SetHeat shows the probability of a ship in a cell, from 0 to 1. hottest is that of the
// hottest cell.
func (b *Board) SetHeat(at match.Cell, p, hottest float64) {
	c := &b.cells[int(at.Y)*b.size+int(at.X)]
	c.Heat = 1 + min(steps-1, int(p/max(hottest, 1e-9)*(steps-1)+0.5))
	c.Tile, c.Glyph = fullTile, strconv.Itoa(int(100*p+0.5))
}

// Size returns the number of cells along a side.
func (b *Board) Size() int { return b.size }

// At returns a cell of the board.
func (b *Board) At(c match.Cell) Cell { return b.cells[int(c.Y)*b.size+int(c.X)] }

// Change is a cell that differs from that of an earlier board.
type Change struct {
	At string `json:"cell"`
	Cell
}

// Changes returns the cells that differ from an earlier board of the same size, or from
// open sea if it is nil.
func (b *Board) Changes(before *Board) []Change {
	changes := []Change{}
	for i, c := range b.cells {
		was := newCell(Sea, "")
		if before != nil {
			was = before.cells[i]
		}
		if c != was {
			changes = append(changes, Change{match.At(i%b.size, i/b.size).String(), c})
		}
	}
	return changes
}

// points matches the points of a path.
var points = regexp.MustCompile(`[0-9.]+ [0-9.]+`)

// mirrored returns a coordinate mirrored in a square of 10 units.
func mirrored(coordinate string) string {
	x, err := strconv.ParseFloat(coordinate, 64)
	if err != nil { // cannot happen: points matches numbers
		return coordinate
	}
	return strconv.FormatFloat(10-x, 'f', -1, 64)
}
