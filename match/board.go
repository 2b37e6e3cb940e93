package match

// SquareState is what a side or a spectator knows of a board's cell.
type SquareState uint8

// These are a cell's states.
const (
	// Sea was not fired at. On a side's own board, it is water.
	Sea SquareState = iota
	// SeaMiss is water that was fired at.
	SeaMiss
	// SeaDeduced was not fired at, but is water by the contact rule.
	SeaDeduced
	// Hull is an unhit part of a ship.
	Hull
	// HullHit is a hit part of a ship that is afloat.
	HullHit
	// HullSunk is part of a sunk ship.
	HullSunk
)

// Square is a cell of a [Board].
type Square struct {
	State SquareState
	Age   Age
	// Ship is the ship's number in the fleet, from 1. It is 0 if there is no ship, or if it is not
	// known which ship it is.
	Ship int8
	Part Part
}

// Age is how long ago a cell was fired at. If ships move, a ship that was hit there may be
// elsewhere now.
type Age uint8

// These are a cell's ages.
const (
	// Recent is at most three shots ago, or never. It is the only age if ships do not move.
	Recent Age = iota
	// Older is more than three shots ago.
	Older
	// Old is at least [LongAgo] shots ago.
	Old
)

// Part is the part of a ship in a cell. Ships that do not move head north or east, because their
// bows have no meaning. So do wrecks on charts, whose bows are not known.
type Part struct {
	Heading Heading
	// Stern and Bow report whether the cell is that end of the ship.
	Stern, Bow bool
}

// Board is what a side or a spectator knows of each cell of a board.
type Board struct {
	Size int
	// Squares lists the cells row by row.
	Squares []Square
}

// Square returns a cell of the board. Cells off the board are empty.
func (b *Board) Square(c Cell) Square {
	s := b.squareAt(c)
	if s != nil {
		return *s
	}
	return Square{}
}

func (b *Board) squareAt(c Cell) *Square {
	x, y := int(c.X), int(c.Y)
	if x >= 0 && y >= 0 && x < b.Size && y < b.Size {
		return &b.Squares[y*b.Size+x]
	}
	return nil
}

// Board returns the enemy's board as far as the chart shows it. A sunk cell has a ship if it is
// certain which cells belong to that ship.
func (c *Chart) Board() Board {
	b := Board{c.Rules.Size, make([]Square, c.Rules.Size*c.Rules.Size)}
	recent := c.BlockedCells()
	for i := range b.Squares {
		at, s := NewCell(i%b.Size, i/b.Size), &b.Squares[i]
		s.State = [...]SquareState{Unknown: Sea, Missed: SeaMiss, Deduced: SeaDeduced, Struck: HullHit, Wrecked: HullSunk}[c.Mark(at)]
		if !c.Rules.Moving || !c.Shots.Has(at) || recent.Has(at) {
			continue
		}
		s.Age = Older
		if c.ShotAge(at) >= LongAgo {
			s.Age = Old
		}
	}
	for i, wreck := range c.wreckLayout() {
		b.addShip(i, wreck, func(int) SquareState { return HullSunk })
	}
	return b
}

// Board returns a side's board as far as it is in the view: the other side's shots and, if the
// view has it, the side's fleet.
func (v *View) Board(side Side) Board {
	enemy := &v.Charts[side.Other()]
	b := enemy.Board()
	if v.Fleets[side] == nil {
		return b
	}
	for i := range b.Squares {
		s := &b.Squares[i]
		s.Ship, s.Part = 0, Part{}
		if enemy.Shots.Has(NewCell(i%b.Size, i/b.Size)) {
			// A ship that was hit here has moved, unless it is added below.
			s.State = SeaMiss
		}
	}
	for i, ship := range v.Fleets[side] {
		sunk := v.Damage[side].IsSunk(i, ship.Length)
		if !v.Rules.Moving {
			ship = ship.headNorthOrEast()
		}
		b.addShip(i, ship, func(n int) SquareState {
			switch {
			case sunk:
				return HullSunk
			case v.Damage[side].IsHit(i, v.Fleets[side][i].segmentAt(ship.Stern.Step(ship.Heading, n))):
				return HullHit
			}
			return Hull
		})
	}
	return b
}

// addShip adds a ship. state returns a segment's state, counted from the stern.
func (b *Board) addShip(i int, ship Ship, state func(n int) SquareState) {
	for n := range ship.Length {
		s := b.squareAt(ship.Stern.Step(ship.Heading, n))
		if s != nil {
			*s = Square{State: state(n), Ship: int8(i + 1), Part: Part{ship.Heading, n == 0, n == ship.Length-1}}
		}
	}
}

// wreckLayout returns the sunk ships. Where ships may touch, cells cannot be assigned to ships.
func (c *Chart) wreckLayout() (fleet Layout) {
	if c.Rules.Contact == TouchAny {
		return nil
	}
	for at := range c.Sunk.All() {
		if c.Sunk.Has(at.Step(West, 1)) || c.Sunk.Has(at.Step(North, 1)) {
			// Only a ship's first cell adds the ship.
			continue
		}
		ship := Ship{Stern: at, Heading: East, Length: 1}
		if c.Sunk.Has(at.Step(South, 1)) {
			ship.Heading = South
		}
		for c.Sunk.Has(at.Step(ship.Heading, ship.Length)) {
			ship.Length++
		}
		fleet = append(fleet, ship.headNorthOrEast())
	}
	return fleet
}
