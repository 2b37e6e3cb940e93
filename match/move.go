package match

import "strconv"

// MoveKind is a way to move a ship.
type MoveKind uint8

// The kinds of moves are in the order in which simple bots try them.
const (
	// Forward moves one cell towards the bow.
	Forward MoveKind = iota
	// Backward moves one cell away from the bow.
	Backward
	// Clockwise is a quarter turn around the stern cell.
	Clockwise
	// Anticlockwise is the same turn in the other direction.
	Anticlockwise
)

// MoveKinds is the number of kinds of moves.
const MoveKinds = 4

var moveKindNames = [MoveKinds]string{"forward", "backward", "clockwise", "anticlockwise"}

// String returns the kind as a word.
func (m MoveKind) String() string {
	if m >= MoveKinds {
		return "?"
	}
	return moveKindNames[m]
}

// Inverse returns the kind of move that undoes this one.
func (m MoveKind) Inverse() MoveKind { return m ^ 1 }

// Apply returns the ship after the move, which may be off the board.
func (m MoveKind) Apply(s Ship) Ship {
	switch m {
	case Forward:
		s.Stern = s.Stern.Step(s.Heading, 1)
	case Backward:
		s.Stern = s.Stern.Step(s.Heading, -1)
	case Clockwise:
		s.Heading = s.Heading.Rotate(1)
	case Anticlockwise:
		s.Heading = s.Heading.Rotate(-1)
	}
	return s
}

// Move moves one ship of a fleet, or is Stay.
type Move uint8

// Stay is the move that moves no ship.
const Stay Move = 0

// NewMove returns a move of ship i, counted from 0 in the order of [Rules.Fleet].
func NewMove(i int, m MoveKind) Move { return Move(1 + MoveKinds*i + int(m)) }

// ShipIndex returns the index of the ship that moves. The move must not be Stay.
func (m Move) ShipIndex() int { return (int(m) - 1) / MoveKinds }

// Kind returns how the ship moves. The move must not be Stay.
func (m Move) Kind() MoveKind { return MoveKind((m - 1) % MoveKinds) }

// String returns the move's encoding. It is the ship's number, counted from 1, and the kind's
// first letter, as in "3F". Stay is "-".
func (m Move) String() string {
	if m == Stay {
		return "-"
	}
	return strconv.Itoa(m.ShipIndex()+1) + moveKindLetters[m.Kind():m.Kind()+1]
}

const moveKindLetters = "FBCA"

// ParseMove is the inverse of [Move.String].
func ParseMove(s string) (Move, error) {
	if s == "-" {
		return Stay, nil
	}
	n := len(s) - 1
	if n > 0 {
		ship, err := strconv.Atoi(s[:n])
		for m := range MoveKind(MoveKinds) {
			if err == nil && ship >= 1 && ship <= MaxShips && moveKindLetters[m] == s[n] {
				return NewMove(ship-1, m), nil
			}
		}
	}
	return Stay, NewProblem("move %q: write a ship's number and one of F, B, C and A, such as 3F, or -", s)
}

// These errors of moves do not depend on the ship.
var (
	ErrNoMoves = NewProblem("ships do not move in this match")
	ErrMoved   = NewProblem("your fleet may move once after each of your opponent's shots, before your own")
	ErrNoShip  = NewProblem("no ship of this fleet can make that move")
)

// BlockedShots is the number of the enemy's last shots into whose cells no ship may move.
const BlockedShots = 3

// LastShips is the number of ships afloat with which a fleet may not move.
const LastShips = 2

// Damage records which segments of a fleet's ships are hit. Bit n of element i is the
// cell n steps from the stern of ship i.
type Damage [MaxShips]uint8

// IsHit reports whether a segment of a ship is hit, both counted from 0.
func (d *Damage) IsHit(ship, segment int) bool { return d[ship]>>segment&1 != 0 }

// IsSunk reports whether all segments of a ship of that length are hit.
func (d *Damage) IsSunk(ship, length int) bool { return d[ship] == 1<<length-1 }

// FleetStatus is what a side knows when it moves. It has the side's fleet and the shots at it, and
// shares no mutable state.
type FleetStatus struct {
	Rules Rules
	// Layout has the current positions.
	Layout Layout
	Damage Damage
	// EnemyShots lists the shots at the fleet, oldest first.
	EnemyShots []Shot
}

// ShipsAfloat returns the number of ships afloat.
func (s *FleetStatus) ShipsAfloat() int {
	n := 0
	for i, ship := range s.Layout {
		if !s.Damage.IsSunk(i, ship.Length) {
			n++
		}
	}
	return n
}

// CheckMove checks whether a move is legal. The error is a [Problem].
func (s *FleetStatus) CheckMove(m Move) error {
	switch {
	case !s.Rules.Moving:
		return ErrNoMoves
	case m == Stay:
		return nil
	case m.ShipIndex() >= len(s.Layout):
		return ErrNoShip
	}
	i := m.ShipIndex()
	to := m.Kind().Apply(s.Layout[i])
	class := s.Rules.Fleet[i]
	switch {
	case s.ShipsAfloat() <= LastShips:
		return NewProblem("a side with two or fewer ships afloat cannot move")
	case s.Damage.IsSunk(i, to.Length):
		return NewProblem("the %s is sunk", class)
	case !s.Rules.Contains(to.Stern) || !s.Rules.Contains(to.Bow()):
		return NewProblem("the %s would leave the board", class)
	}
	here := to.Span()
	for j := range s.Layout {
		there := s.Layout[j].Span()
		if j != i && s.Rules.Contact.Clashes(&here, &there) {
			return NewProblem("the %s would be too close to another of your ships, the %s", class, s.Rules.Fleet[j])
		}
	}
	for _, shot := range s.EnemyShots[max(0, len(s.EnemyShots)-BlockedShots):] {
		if here.Has(shot.Cell) {
			return NewProblem("the %s would be on %s, where one of the last %d shots fell", class, shot.Cell, BlockedShots)
		}
	}
	return nil
}

// LegalMoves returns the legal moves except Stay, ordered by ship.
func (s *FleetStatus) LegalMoves() []Move {
	var legal []Move
	for i := range s.Layout {
		for m := range MoveKind(MoveKinds) {
			move := NewMove(i, m)
			if s.CheckMove(move) == nil {
				legal = append(legal, move)
			}
		}
	}
	return legal
}

// Span returns a ship's span, regardless of its heading.
func (s *Ship) Span() Span {
	bow := s.Bow()
	return Span{
		stern: Cell{X: min(s.Stern.X, bow.X), Y: min(s.Stern.Y, bow.Y)},
		bow:   Cell{X: max(s.Stern.X, bow.X), Y: max(s.Stern.Y, bow.Y)},
	}
}

// Has reports whether a cell is in the span.
func (s *Span) Has(c Cell) bool {
	return c.X >= s.stern.X && c.X <= s.bow.X && c.Y >= s.stern.Y && c.Y <= s.bow.Y
}

// FleetStatus returns a side's fleet and the shots at it. The fleet must be in
// the view, so it is for the side itself, or for anyone after the end.
func (v *View) FleetStatus(side Side) FleetStatus {
	return FleetStatus{Rules: v.Rules, Layout: v.Fleets[side], Damage: v.Damage[side], EnemyShots: v.Charts[side.Other()].Log}
}
