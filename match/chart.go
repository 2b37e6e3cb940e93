package match

// Result is the result of a shot. The values are those of the line protocol.
type Result uint8

// The four results.
const (
	Water    Result = iota + 1 // no ship there
	Hit                        // a ship that is still afloat
	Sunk                       // the last unhit cell of a ship, or a ship sunk before
	LastSunk                   // the last ship is sunk; the shooter has won
)

// Valid reports whether r is one of the four results.
func (r Result) Valid() bool { return r >= Water && r <= LastSunk }

// String returns the result in one or two words.
func (r Result) String() string {
	if !r.Valid() {
		return "?"
	}
	return resultNames[r]
}

var resultNames = [...]string{Water: "water", Hit: "hit", Sunk: "sunk", LastSunk: "last ship sunk"}

// Mark is the state of a cell on a [Chart].
type Mark uint8

// The marks of a chart.
const (
	Unknown Mark = iota
	Missed       // shot at: water
	Deduced      // not shot at, but water by the contact rule
	Struck       // hit; the ship is not known to be sunk
	Wrecked      // part of a sunk ship
)

// Chart is one side's knowledge of the other's board. It starts empty and is updated only
// from results, so a client of the line protocol can keep one. Copies share the log: results
// may be added to only one of them. The charts of a [View] are independent.
type Chart struct {
	Rules   Rules
	Shots   Set // cells shot at
	Hits    Set // hit cells of ships not known to be sunk
	Sunk    Set // known cells of sunk ships
	Deduced Set // cells next to sunk ships, water by the contact rule
	Fired   int // shots fired, repeated ones included

	// SunkShips is the number of sunk ships. If ships move it is a lower bound, because
	// each cell of a sunk ship gets the result Sunk and two cells may be of the same ship.
	SunkShips int
	// Afloat counts the enemy's ships by length, without the sunk ones whose length is
	// certain. If ships may touch or move, the counts are upper bounds.
	Afloat [MaxLength + 1]uint8

	// Log lists the shots, oldest first. Unless ships move, it leaves out repeated shots.
	Log []Shot
}

// NewChart returns the chart of a side that has not fired yet.
func NewChart(r Rules) Chart {
	c := Chart{Rules: r}
	for _, class := range r.Fleet {
		c.Afloat[class.Length]++
	}
	return c
}

// Record adds the result of a shot. Unless ships move, a repeated shot counts as fired but
// adds no information.
func (c *Chart) Record(cell Cell, r Result) {
	c.Fired++
	if c.Shots.Has(cell) && !c.Rules.Moving {
		return
	}
	c.Log = append(c.Log, Shot{Cell: cell, Result: r, Number: c.Fired})
	c.Shots.Add(cell)
	if c.Rules.Moving {
		c.recordMoving(cell, r)
		return
	}
	switch r {
	case Hit:
		c.Hits.Add(cell)
	case Sunk, LastSunk:
		c.Hits.Add(cell)
		c.SunkShips++
		c.sink(cell)
	}
}

// sink marks the known cells of the ship that was sunk at cell, and the water around it.
func (c *Chart) sink(cell Cell) {
	var room [MaxLength]uint // enough for any ship; false results may need more
	ship, steps := room[:0], neighbours[:0]
	switch c.Rules.Contact {
	case TouchAny:
		for part := range c.onlyShipThrough(cell).All() {
			ship = append(ship, part.bit())
			c.Hits.Remove(part)
		}
	case TouchCorners:
		ship, steps = c.Hits.takeConnected(cell, ship), neighbours[:4]
	case TouchNone:
		ship, steps = c.Hits.takeConnected(cell, ship), neighbours[:]
	}
	if n := len(ship); n < len(c.Afloat) && c.Afloat[n] > 0 {
		c.Afloat[n]--
	}
	board := &boards[c.Rules.Size]
	for _, part := range ship {
		c.Sunk[part/64] |= 1 << (part % 64)
		for _, step := range steps {
			if next := part + uint(step); next/64 < uint(len(board)) {
				c.Deduced[next/64] |= 1 << (next % 64) & board[next/64] &^ c.Shots[next/64]
			}
		}
	}
}

// neighbours lists the steps from the bit of a cell to those of its neighbours: first those
// along an edge, then those at the corners. A step that leaves the board may lead past the
// ends of a [Set].
var neighbours = [...]int{-Stride, 1, Stride, -1, -Stride - 1, -Stride + 1, Stride + 1, Stride - 1}

// takeConnected removes the cells that are connected to cell along edges from s, and appends
// their bits to none. If ships may not touch, these are one ship.
func (s *Set) takeConnected(cell Cell, none []uint) []uint {
	s.Remove(cell)
	part := append(none, cell.bit())
	for i := 0; i < len(part); i++ {
		for _, step := range neighbours[:4] {
			next := part[i] + uint(step)
			if bit := uint64(1) << (next % 64); next/64 < uint(len(s)) && s[next/64]&bit != 0 {
				s[next/64] &^= bit
				part = append(part, next)
			}
		}
	}
	return part
}

// onlyShipThrough returns the cells of the only ship that can have been sunk at cell, or
// just cell if several ships can.
func (c *Chart) onlyShipThrough(cell Cell) Set {
	var only Set
	for length, n := range c.Afloat {
		if n == 0 {
			continue
		}
		for _, heading := range [...]Heading{East, South} {
			for back := range length {
				ship := Ship{Stern: cell.Step(heading, -back), Heading: heading, Length: length}
				if !c.Rules.Contains(ship.Stern) || !c.Rules.Contains(ship.Bow()) {
					continue
				}
				cells := ship.Cells()
				if !cells.Within(&c.Hits) {
					continue
				}
				if !only.Empty() {
					return SetOf(cell)
				}
				only = cells
			}
		}
	}
	if only.Empty() { // the results are inconsistent
		return SetOf(cell)
	}
	return only
}

// At returns the mark of a cell of the enemy's board.
func (c *Chart) At(cell Cell) Mark {
	switch {
	case c.Sunk.Has(cell):
		return Wrecked
	case c.Hits.Has(cell):
		return Struck
	case c.Rules.Moving && c.Deduced.Has(cell):
		return Deduced // regardless of earlier shots
	case c.Shots.Has(cell):
		return Missed
	case c.Deduced.Has(cell):
		return Deduced
	}
	return Unknown
}

// Closed reports whether a cell of the board has been shot at or deduced to be water.
func (c *Chart) Closed(cell Cell) bool {
	word, bit := cell.bit()/64, uint64(1)<<(cell.bit()%64)
	return (c.Shots[word]|c.Deduced[word])&bit != 0
}

// Open returns the cells worth a shot. Unless ships move, these are the cells neither
// shot at nor deduced to be water. If ships move, they are the cells where an unhit part
// of a ship may be: all except cells of sunk ships, of the last three shots, and deduced
// water. It is empty only if the results contradict the rules.
func (c *Chart) Open() Set {
	open := c.Rules.Board()
	if c.Rules.Moving {
		open = open.Minus(c.Sunk.Union(c.Deduced))
		for _, shot := range c.Log[max(0, len(c.Log)-BlockedShots):] {
			open.Remove(shot.Cell) // no ship can have moved there since
		}
		return open
	}
	for i := range open {
		open[i] &^= c.Shots[i] | c.Deduced[i]
	}
	return open
}

// ShipsLeft returns the number of ships not sunk yet.
func (c *Chart) ShipsLeft() int { return max(0, len(c.Rules.Fleet)-c.SunkShips) }
