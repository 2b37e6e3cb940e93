package layouts

import (
	"math"

	"broadside/match"
)

// Log is what the results of a game's shots say about each cell. The order of shots matters if
// ships may touch, because a sinking shows that a ship was complete at that shot and not before.
type Log struct {
	rules match.Rules
	shots uint16
	// struck is the number of cells with a hit.
	struck int
	// cells has cell x, y at y·size+x.
	cells []cellFacts
}

// cellFacts are the facts about a cell. Shots are numbered from 1.
type cellFacts struct {
	// firstShot is the first shot at the cell, or 0 if there was none.
	firstShot uint16
	// lastAfloat is the last shot after which a ship here was known to be afloat, or 0 if there was none.
	lastAfloat uint16
	// firstSunk is the first shot after which a ship here was known to be sunk, or never.
	firstSunk uint16
}

const never = math.MaxUint16

// NewLog returns a game's log before its first shot.
func NewLog(r match.Rules) *Log {
	l := &Log{rules: r, cells: make([]cellFacts, r.Size*r.Size)}
	for i := range l.cells {
		l.cells[i].firstSunk = never
	}
	return l
}

// Add records the result of a shot at a cell of the board. It returns false if the result
// contradicts an earlier one for the same cell, or the size of the fleet.
func (l *Log) Add(cell match.Cell, r match.Result) bool {
	l.shots++
	c := &l.cells[l.cellNumber(cell)]
	first := c.firstShot == 0
	switch {
	case first:
		c.firstShot = l.shots
	case !c.isStruck():
		return r == match.Miss
	case r == match.Miss, r == match.LastSunk, r == match.Hit && c.firstSunk != never:
		return false
	}
	switch r {
	case match.Miss:
		return true
	case match.Hit:
		c.lastAfloat = l.shots
	default:
		c.firstSunk = min(c.firstSunk, l.shots)
	}
	if first {
		l.struck++
		return (l.struck == l.rules.FleetCellCount()) == (r == match.LastSunk)
	}
	return true
}

// Has reports whether the log has a result for a cell.
func (l *Log) Has(cell match.Cell) bool { return l.cells[l.cellNumber(cell)].firstShot != 0 }

func (l *Log) cellNumber(c match.Cell) int { return int(c.Y)*l.rules.Size + int(c.X) }

func (c *cellFacts) isStruck() bool { return c.lastAfloat != 0 || c.firstSunk != never }
