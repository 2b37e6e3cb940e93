package match

// Result is the result of a shot. The values are those of the line protocol.
type Result uint8

// The four results.
const (
	// Miss means that no ship is there.
	Miss Result = iota + 1
	// Hit means that the ship there is still afloat.
	Hit
	// Sunk means that the ship there is sunk, by this shot or earlier.
	Sunk
	// LastSunk means that the last ship is sunk, and the attacker has won.
	LastSunk
)

// IsValid reports whether r is one of the four results.
func (r Result) IsValid() bool { return r >= Miss && r <= LastSunk }

// String returns the result in one or two words.
func (r Result) String() string {
	if !r.IsValid() {
		return "?"
	}
	return resultNames[r]
}

var resultNames = [...]string{Miss: "miss", Hit: "hit", Sunk: "sunk", LastSunk: "last ship sunk"}

// Mark is the state of a cell on a [Chart].
type Mark uint8

// These are a chart's marks.
const (
	Unknown Mark = iota
	// Missed was fired at, with no ship there.
	Missed
	// Deduced is water by the contact rule.
	Deduced
	// Struck is a hit on a ship not known to be sunk.
	Struck
	// Wrecked is a hit on a sunk ship.
	Wrecked
)

// Chart is one side's knowledge of the other's board. It starts empty and is updated only
// from results, so a client of the line protocol can keep one. Copies share the log, so results
// may be added to only one of them. The charts of a [View] are independent.
type Chart struct {
	Rules Rules
	// Shots has the cells fired at.
	Shots Set
	// Hits has the hit cells of ships not known to be sunk.
	Hits Set
	// Sunk has the known cells of sunk ships.
	Sunk Set
	// Deduced has the cells that are water by the contact rule.
	Deduced Set
	// Fired is the number of shots, including repeated ones.
	Fired int

	// SunkShips is the number of sunk ships. If ships move it is a lower bound, because
	// each cell of a sunk ship gets the result Sunk and two cells may be of the same ship.
	SunkShips int
	// Afloat counts the enemy's ships by length. It leaves out sunk ships whose length is
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

// Record adds a shot's result. Unless ships move, a repeated shot counts as fired but
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
		c.markSunk(cell)
	}
}

// markSunk marks the known cells of the ship that was sunk at cell, and the water around it.
func (c *Chart) markSunk(cell Cell) {
	var ship Set
	if c.Rules.Contact == TouchAny {
		ship = c.onlyShipThrough(cell)
	} else {
		// Cells that touch along an edge are of one ship.
		for next := SetOf(cell); next != ship; next = ship.edgeNeighbours().Intersect(c.Hits) {
			ship = next
		}
	}
	c.Hits, c.Sunk = c.Hits.Minus(ship), c.Sunk.Union(ship)
	n := ship.Len()
	// False results may sink more ships of a length than the fleet has.
	if n < len(c.Afloat) && c.Afloat[n] > 0 {
		c.Afloat[n]--
	}
	water := c.Rules.Contact.Halo(ship).Intersect(c.Rules.Cells())
	c.Deduced = c.Deduced.Union(water.Minus(c.Shots))
}

// SunkShipAt returns the cells of the ship that a shot at a cell sank. They are just that cell if the others are not
// certain, and none if ships move or the shot sank no ship.
func (c *Chart) SunkShipAt(cell Cell) Set {
	past := NewChart(c.Rules)
	for _, shot := range c.Log {
		before := past.Sunk
		past.Record(shot.Cell, shot.Result)
		if shot.Cell == cell && !c.Rules.Moving {
			return past.Sunk.Minus(before)
		}
	}
	return Set{}
}

// onlyShipThrough returns the cells of the ship that was sunk at cell, or just cell if it may
// be one of several.
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
				if !cells.IsSubsetOf(&c.Hits) {
					continue
				}
				if !only.IsEmpty() {
					return SetOf(cell)
				}
				only = cells
			}
		}
	}
	if only.IsEmpty() {
		// The results are inconsistent.
		return SetOf(cell)
	}
	return only
}

// Mark returns what the chart shows of a cell.
func (c *Chart) Mark(cell Cell) Mark {
	switch {
	case c.Sunk.Has(cell):
		return Wrecked
	case c.Hits.Has(cell):
		return Struck
	case c.Rules.Moving && c.Deduced.Has(cell):
		// Deduced cells stay so, regardless of earlier shots.
		return Deduced
	case c.Shots.Has(cell):
		return Missed
	case c.Deduced.Has(cell):
		return Deduced
	}
	return Unknown
}

// OpenCells returns the cells worth a shot. Unless ships move, these are the cells neither
// fired at nor deduced to be water. If ships move, they are the cells where an unhit part
// of a ship may be: all except cells of sunk ships, of the last three shots, and deduced
// water. The set is empty only if the results contradict the rules.
func (c *Chart) OpenCells() Set {
	open := c.Rules.Cells()
	if c.Rules.Moving {
		return open.Minus(c.Sunk).Minus(c.Deduced).Minus(c.BlockedCells())
	}
	return open.Minus(c.Shots).Minus(c.Deduced)
}

// ShipsAfloat returns the number of ships not sunk yet.
func (c *Chart) ShipsAfloat() int { return max(0, len(c.Rules.Fleet)-c.SunkShips) }
