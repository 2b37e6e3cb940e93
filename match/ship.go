package match

import (
	"fmt"
	"strconv"
)

// Ship is a ship's position. It has the stern cell, the bow's heading, and the length in cells.
// A ship of length 0 is not placed yet.
type Ship struct {
	Stern   Cell
	Heading Heading
	Length  int
}

// Bow returns the cell of the ship's bow.
func (s Ship) Bow() Cell { return s.Stern.Step(s.Heading, s.Length-1) }

// headNorthOrEast returns the ship with its bow in the north or east.
func (s Ship) headNorthOrEast() Ship {
	if s.Length > 0 && (s.Heading == West || s.Heading == South) {
		s.Stern, s.Heading = s.Bow(), s.Heading.Rotate(2)
	}
	return s
}

// Cells returns the cells that the ship covers, without those off every board.
func (s Ship) Cells() Set {
	var set Set
	dx, dy := s.Heading.delta()
	for c := s.Stern; s.Length > 0; s.Length-- {
		set.Add(c)
		c.X, c.Y = c.X+int8(dx), c.Y+int8(dy)
	}
	return set
}

// String returns the ship's ends, as in "B3–B7".
func (s Ship) String() string {
	if s.Length == 0 {
		return "not placed"
	}
	return s.Stern.String() + "–" + s.Bow().String()
}

// MarshalText implements encoding.TextMarshaler. It writes stern, heading and length, as in "B3E5".
func (s Ship) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%v%v%d", s.Stern, s.Heading, s.Length), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Ship) UnmarshalText(text []byte) error {
	n := len(text)
	if n < 4 {
		return fmt.Errorf("ship %q: too short", text)
	}
	cell, err := ParseCell(string(text[:n-2]))
	if err != nil {
		return fmt.Errorf("ship %q: %w", text, err)
	}
	for _, h := range Headings {
		if h.String() == string(text[n-2:n-1]) {
			length, err := strconv.Atoi(string(text[n-1:]))
			if err != nil || length < MinLength || length > MaxLength {
				return fmt.Errorf("ship %q: its length is not a number from %d to %d", text, MinLength, MaxLength)
			}
			*s = Ship{Stern: cell, Heading: h, Length: length}
			return nil
		}
	}
	return fmt.Errorf("ship %q: its heading is none of N, E, S, W", text)
}

// Layout has a fleet's positions, with one ship for each class of [Rules.Fleet], in the same
// order. A Layout passed to a [Game] must not be changed afterwards.
type Layout []Ship

// Cells returns the cells that the fleet covers.
func (l Layout) Cells() Set {
	var set Set
	for _, s := range l {
		set = set.Union(s.Cells())
	}
	return set
}

// ErrFleetSize is returned for a layout that does not have one ship for each class.
var ErrFleetSize = NewProblem("the fleet has the wrong number of ships")

// CheckShip checks whether ship i of l is legal on the board and with all other placed ships. The
// error is a [Problem].
func (r Rules) CheckShip(l Layout, i int) error {
	if len(l) != len(r.Fleet) {
		return ErrFleetSize
	}
	ship, class := l[i], r.Fleet[i]
	switch {
	case ship.Length == 0:
		return NewProblem("the %s (%d cells) is not placed", class, class.Length)
	case ship.Length != class.Length:
		return NewProblem("the %s is %d cells long, not %d", class, class.Length, ship.Length)
	case !r.Contains(ship.Stern) || !r.Contains(ship.Bow()) || ship.Heading > West:
		return NewProblem("the %s is off the board", class)
	}
	cells := ship.Cells()
	halo := r.Contact.Halo(cells)
	touched := -1
	for j, other := range l {
		if j == i || other.Length == 0 {
			continue
		}
		theirs := other.Cells()
		if cells.Overlaps(&theirs) {
			return NewProblem("the %s overlaps the %s", class, r.Fleet[j])
		}
		if touched < 0 && halo.Overlaps(&theirs) {
			touched = j
		}
	}
	switch {
	case touched < 0:
		return nil
	case r.Contact == TouchNone:
		return NewProblem("the %s touches the %s: ships may not touch, not even at corners", class, r.Fleet[touched])
	}
	return NewProblem("the %s touches the %s: ships may touch at corners only", class, r.Fleet[touched])
}

// CheckLayout checks whether l is a legal layout of the whole fleet. It returns the error of
// [Rules.CheckShip] for the first illegal ship.
func (r Rules) CheckLayout(l Layout) error {
	if len(l) != len(r.Fleet) {
		return ErrFleetSize
	}
	for i := range l {
		if err := r.CheckShip(l, i); err != nil {
			return err
		}
	}
	return nil
}

// segmentAt returns the ship's segment at a cell that it covers.
func (s Ship) segmentAt(c Cell) int {
	return int(max(c.X-s.Stern.X, s.Stern.X-c.X) + max(c.Y-s.Stern.Y, s.Stern.Y-c.Y))
}
