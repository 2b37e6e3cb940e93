package bots

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"broadside/match"
)

// OrderedSequence returns every cell of the board, row by row.
func OrderedSequence(r match.Rules) []match.Cell {
	var order []match.Cell
	for cell := range r.Cells().All() {
		order = append(order, cell)
	}
	return order
}

// RandomSequence returns every cell of the board in random order.
func RandomSequence(r match.Rules, rng *rand.Rand) []match.Cell {
	order := OrderedSequence(r)
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// PatternSequence returns every cell of the board once. Each cell is a given distance after
// the previous one, counted row by row and wrapping around at the end. The distances are
// used in turn. If the cell has been used, the next free cell replaces it.
func PatternSequence(r match.Rules, distances []int) ([]match.Cell, error) {
	cells := OrderedSequence(r)
	if len(distances) == 0 {
		return nil, errors.New("a pattern needs one distance or more")
	}
	for _, d := range distances {
		if d < 1 || d >= len(cells) {
			return nil, fmt.Errorf("a distance of %d: choose 1 to %d", d, len(cells)-1)
		}
	}
	order := make([]match.Cell, 0, len(cells))
	taken := make([]bool, len(cells))
	for at := 0; len(order) < len(cells); {
		for taken[at] {
			at = (at + 1) % len(cells)
		}
		taken[at] = true
		order = append(order, cells[at])
		at = (at + distances[(len(order)-1)%len(distances)]) % len(cells)
	}
	return order, nil
}

// Step is an entry of a strategy file: a cell to fire at, and a ship's action before the
// next shot.
type Step struct {
	Cell match.Cell
	// Action is N, E, S or W to move one cell that way, or CW or CCW to turn. It is empty or - for no action.
	Action string
	// Ship is the ship's number, from 1.
	Ship int
}

// RandomSteps pairs each cell with a random action of a random ship. About one step in
// seven has no action.
func RandomSteps(r match.Rules, order []match.Cell, rng *rand.Rand) []Step {
	steps := make([]Step, len(order))
	for i, cell := range order {
		steps[i] = Step{Cell: cell, Action: actionNames[rng.IntN(len(actionNames))], Ship: 1 + rng.IntN(len(r.Fleet))}
	}
	return steps
}

var actionNames = []string{"N", "E", "S", "W", "CW", "CCW", "-"}

// FormatSequence writes steps as a sequence file, or as a strategy file if there are
// actions, with the given number of entries per line.
func FormatSequence(steps []Step, line int) string {
	var b strings.Builder
	for i, s := range steps {
		if i > 0 && i%line == 0 {
			b.WriteByte('\n')
		} else if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(cellText(s.Cell))
		if s.Action == "-" {
			b.WriteString(" -")
		} else if s.Action != "" {
			b.WriteString(" " + s.Action + strconv.Itoa(s.Ship))
		}
	}
	return b.String() + "\n"
}

// cellText returns a cell in the format of sequence files: the column number from 0, then
// the row letter.
func cellText(c match.Cell) string { return strconv.Itoa(int(c.X)) + string(rune('A'+c.Y)) }

// Move returns the step's move of a fleet, which may be illegal. A ship moves forward or
// backward if its keel has the action's direction; otherwise it has no such move.
func (s Step) Move(l match.Layout) match.Move {
	i := s.Ship - 1
	if i < 0 || i >= len(l) {
		return match.Stay
	}
	switch s.Action {
	case "CW":
		return match.NewMove(i, match.Clockwise)
	case "CCW":
		return match.NewMove(i, match.Anticlockwise)
	}
	switch h := l[i].Heading; s.Action {
	case h.String():
		return match.NewMove(i, match.Forward)
	case h.Rotate(2).String():
		return match.NewMove(i, match.Backward)
	}
	return match.Stay
}

// SequenceLayout places a fleet by a sequence. It starts at an offset, taken modulo the
// number of cells, and wraps around at the end. Starting with the largest ship, it tries
// each cell as the stern, with the headings north, east, south and west, and uses the first
// legal place. order must not be empty. The error names the ship that does not fit.
func SequenceLayout(r match.Rules, order []match.Cell, offset int) (match.Layout, error) {
	l := make(match.Layout, len(r.Fleet))
	at := (offset%len(order) + len(order)) % len(order)
	for i, class := range r.Fleet {
		placed := false
		for n := 0; n < len(order) && !placed; n++ {
			cell := order[at%len(order)]
			at++
			for h := match.North; h <= match.West && !placed; h++ {
				l[i] = match.Ship{Stern: cell, Heading: h, Length: class.Length}
				placed = r.CheckShip(l, i) == nil
			}
		}
		if !placed {
			return nil, fmt.Errorf("the sequence leaves no place for the %s", class.Name)
		}
	}
	return l, nil
}

// strategy moves a fleet by a file's steps.
type strategy struct {
	steps []Step
	// last is the last target.
	last  match.Cell
	fired bool
}

// Move implements [Bot]. It returns the action of the step whose cell was fired at last,
// if it is legal.
func (s *strategy) Move(status match.FleetStatus) match.Move {
	if !s.fired {
		return match.Stay
	}
	for _, step := range s.steps {
		if step.Cell == s.last {
			m := step.Move(status.Layout)
			if status.CheckMove(m) == nil {
				return m
			}
			break
		}
	}
	return match.Stay
}
