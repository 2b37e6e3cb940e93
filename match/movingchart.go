package match

// This file implements charts for rules that let ships move. Under these rules, most
// results hold only at the moment of the shot. Only three facts last: a sunk ship never
// moves, no ship is closer to it than the contact rule allows, and no ship moves into a
// cell of the last three shots.

// ShotAge returns how many shots ago a cell was last fired at. It is 0 for the last shot, and -1
// for a cell never fired at. Unless ships move, results don't age, and it returns 0 instead. The
// marks Wrecked and Deduced never age.
func (c *Chart) ShotAge(cell Cell) int {
	switch {
	case !c.Shots.Has(cell):
		return -1
	case !c.Rules.Moving:
		return 0
	}
	for i := len(c.Log) - 1; i >= 0; i-- {
		if c.Log[i].Cell == cell {
			return c.Fired - c.Log[i].Number
		}
	}
	return 0
}

// LongAgo is the [Chart.ShotAge] from which a shot counts as old.
const LongAgo = 10

// BlockedCells returns the cells of the last shots, at most three, which no enemy ship may
// enter now. It is empty unless ships move.
func (c *Chart) BlockedCells() Set {
	var blocked Set
	if !c.Rules.Moving {
		return blocked
	}
	for _, shot := range c.Log[max(0, len(c.Log)-BlockedShots):] {
		blocked.Add(shot.Cell)
	}
	return blocked
}

// recordMoving marks what the log's last shot means if ships move.
func (c *Chart) recordMoving(cell Cell, r Result) {
	if r == Hit {
		c.Hits.Add(cell)
		return
	}
	if r == Miss {
		c.Hits.Remove(cell)
		if c.Sunk.IsEmpty() {
			return
		}
	} else if !c.Sunk.Has(cell) {
		c.Hits.Remove(cell)
		c.Sunk.Add(cell)
	}
	c.DeduceFromSunk()
	if r == LastSunk {
		c.SunkShips = len(c.Rules.Fleet)
	}
}

// DeduceFromSunk computes what the cells of sunk ships mean if ships move. It returns false
// if there are more sunk ships, in total or of one length, than the fleet has.
func (c *Chart) DeduceFromSunk() bool {
	// These are, by cell, the number of the first shot with the result Sunk and of the last
	// shot with Miss, or 0 if there was none.
	var sunk, missed [Stride * MaxSize]int32
	for i := range c.Log {
		switch s := &c.Log[i]; {
		case s.Result == Miss:
			missed[s.Cell.bitIndex()] = int32(s.Number)
		case s.Result != Hit && sunk[s.Cell.bitIndex()] == 0:
			sunk[s.Cell.bitIndex()] = int32(s.Number)
		}
	}
	longest := c.Rules.Fleet[0].Length
	c.Afloat = [MaxLength + 1]uint8{}
	for _, class := range c.Rules.Fleet {
		c.Afloat[class.Length]++
	}
	if c.Rules.Contact == TouchNone {
		c.Deduced = c.Deduced.Union(c.sunkCorners())
	}
	possible := true
	if c.Rules.Contact != TouchAny {
		for _, h := range Axes {
			for cell := range c.Sunk.All() {
				if !c.Sunk.Has(cell.Step(h, -1)) && !c.deduceAroundRun(cell, h, longest, &sunk, &missed) {
					possible = false
				}
			}
		}
	}
	c.Hits = c.Hits.Minus(c.Deduced)
	groups := c.countSunkGroups(&sunk, &missed)
	c.SunkShips = min(groups, len(c.Rules.Fleet))
	return possible && groups <= len(c.Rules.Fleet)
}

// countSunkGroups counts the groups of connected sunk cells that may be of one ship. Each group is
// at least one sunk ship. sunk and missed are those of DeduceFromSunk.
func (c *Chart) countSunkGroups(sunk, missed *[Stride * MaxSize]int32) (n int) {
	for left := c.Sunk; !left.IsEmpty(); n++ {
		group := make([]Cell, 1, MaxLength)
		group[0] = left.Nth(0)
		left.Remove(group[0])
		for i := 0; i < len(group); i++ {
			for _, h := range Headings {
				group = c.growGroup(group, group[i], h, &left, sunk, missed)
			}
		}
	}
	return n
}

// growGroup looks in one direction for sunk cells that may be of the same ship. It removes them
// from left and adds them to the group.
func (c *Chart) growGroup(group []Cell, from Cell, h Heading, left *Set, sunk, missed *[Stride * MaxSize]int32) []Cell {
	since := sunk[from.bitIndex()]
	for n := 1; n < c.Rules.Fleet[0].Length; n++ {
		next := from.Step(h, n)
		if !c.Rules.Contains(next) || c.Deduced.Has(next) {
			break
		}
		at := sunk[next.bitIndex()]
		if at != 0 && left.Has(next) && c.hasNoMissBetween(from, h, n, min(since, at), missed) {
			left.Remove(next)
			group = append(group, next)
		}
	}
	return group
}

// hasNoMissBetween reports whether none of the n-1 cells after from, towards h, was missed after shot
// number since.
func (c *Chart) hasNoMissBetween(from Cell, h Heading, n int, since int32, missed *[Stride * MaxSize]int32) bool {
	for i := 1; i < n; i++ {
		if missed[from.Step(h, i).bitIndex()] > since {
			return false
		}
	}
	return true
}

func (c *Chart) sunkCorners() Set {
	row := c.Sunk.ShiftBothWays(1)
	return row.ShiftBothWays(Stride).Intersect(c.Rules.Cells()).Minus(c.Sunk)
}

// deduceAroundRun deduces water around a run of sunk cells that starts at first in direction h, for
// rules in which the run must be one ship. It returns false if the run is a complete
// ship, but the fleet has no ship of that length left.
func (c *Chart) deduceAroundRun(first Cell, h Heading, longest int, sunk, missed *[Stride * MaxSize]int32) bool {
	n, since := 0, int32(0)
	for cell := first; c.Sunk.Has(cell); cell = cell.Step(h, 1) {
		at := sunk[cell.bitIndex()]
		if n == 0 || at < since {
			since = at
		}
		n++
	}
	if n < 2 || n > longest {
		// A single cell has no known direction, and no ship is longer than longest.
		return n < 2
	}
	for i := range n {
		for _, turn := range [...]int{-1, 1} {
			beside := first.Step(h, i).Step(h.Rotate(turn), 1)
			if c.Rules.Contains(beside) && !c.Sunk.Has(beside) {
				c.Deduced.Add(beside)
			}
		}
	}
	closed := 0
	for _, end := range [...]Cell{first.Step(h, -1), first.Step(h, n)} {
		switch {
		case !c.Rules.Contains(end) || c.Deduced.Has(end):
			closed++
		case n == longest || missed[end.bitIndex()] > since:
			c.Deduced.Add(end)
			closed++
		}
	}
	if closed == 2 {
		if c.Afloat[n] == 0 {
			return false
		}
		c.Afloat[n]--
	}
	return true
}
