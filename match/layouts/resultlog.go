package layouts

import (
	"math"

	"broadside/match"
)

// Log is what the results of a game's shots say about each cell. The order of shots matters if
// ships may touch: a sinking shows that a ship was complete at that shot and not before.
type Log struct {
	rules  match.Rules
	shots  uint16
	struck int         // the number of cells with a hit
	cells  []cellFacts // in the order y·size+x
}

// cellFacts are the facts about a cell, as numbers of shots from 1.
type cellFacts struct {
	firstShot  uint16 // the first shot at the cell; 0: none
	lastAfloat uint16 // the last shot that showed a ship here that was afloat after it; 0: none
	firstSunk  uint16 // the first shot that showed a ship here that was sunk after it, or never
}

const never = math.MaxUint16

// NewLog returns the log of a game before its first shot.
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
