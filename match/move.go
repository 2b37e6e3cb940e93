package match

import "strconv"

// Manoeuvre is a way to move a ship.
type Manoeuvre uint8

// The manoeuvres, in the order in which simple bots try them.
const (
	Forward       Manoeuvre = iota // one cell towards the bow
	Backward                       // one cell away from it
	Clockwise                      // a quarter turn around the stern cell
	Anticlockwise                  // the same, in the other direction
)

// Manoeuvres is the number of manoeuvres.
const Manoeuvres = 4

var manoeuvreNames = [Manoeuvres]string{"forward", "backward", "clockwise", "anticlockwise"}

// String returns the manoeuvre as a word.
func (m Manoeuvre) String() string {
	if m >= Manoeuvres {
		return "?"
	}
	return manoeuvreNames[m]
}

// Back returns the inverse manoeuvre.
func (m Manoeuvre) Back() Manoeuvre { return m ^ 1 }

// Of returns the ship after the manoeuvre, whether that is on the board or not.
func (m Manoeuvre) Of(s Ship) Ship {
	switch m {
	case Forward:
		s.Stern = s.Stern.Step(s.Heading, 1)
	case Backward:
		s.Stern = s.Stern.Step(s.Heading, -1)
	case Clockwise:
		s.Heading = s.Heading.Turn(1)
	case Anticlockwise:
		s.Heading = s.Heading.Turn(-1)
	}
	return s
}

// Move is a manoeuvre of one ship of a fleet, or Stay.
type Move uint8

// Stay is the move that moves no ship.
const Stay Move = 0

// MoveOf returns a manoeuvre of ship i, counted from 0 in the order of [Rules.Fleet].
func MoveOf(i int, m Manoeuvre) Move { return Move(1 + Manoeuvres*i + int(m)) }

// Ship returns the index of the ship that moves. The move must not be Stay.
func (m Move) Ship() int { return (int(m) - 1) / Manoeuvres }

// Manoeuvre returns the manoeuvre of that ship. The move must not be Stay.
func (m Move) Manoeuvre() Manoeuvre { return Manoeuvre((m - 1) % Manoeuvres) }

// String returns the encoding of the move: the ship's number counted from 1
// and the manoeuvre's first letter, "3F". Stay is "-".
func (m Move) String() string {
	if m == Stay {
		return "-"
	}
	return strconv.Itoa(m.Ship()+1) + manoeuvreLetters[m.Manoeuvre():m.Manoeuvre()+1]
}

const manoeuvreLetters = "FBCA"

// ParseMove is the inverse of [Move.String].
func ParseMove(s string) (Move, error) {
	if s == "-" {
		return Stay, nil
	}
	n := len(s) - 1
	if n > 0 {
		ship, err := strconv.Atoi(s[:n])
		for m := range Manoeuvre(Manoeuvres) {
			if err == nil && ship >= 1 && ship <= MaxShips && manoeuvreLetters[m] == s[n] {
				return MoveOf(ship-1, m), nil
			}
		}
	}
	return Stay, NewProblem("move %q: write a ship's number and one of F, B, C and A, such as 3F, or -", s)
}

// Errors of moves that do not depend on the ship.
var (
	ErrNoMoves = NewProblem("ships do not move in this match")
	ErrMoved   = NewProblem("your fleet may move once, after each shot of your opponent and before your own")
	ErrNoShip  = NewProblem("no ship of this fleet can make that move")
)

// BlockedShots is the number of the enemy's last shots into whose cells no ship may move.
const BlockedShots = 3

// LastShips is the number of ships afloat with which a fleet may not move.
const LastShips = 2

// Damage records which segments of a fleet's ships are hit: bit n of element i is the
// cell n steps from the stern of ship i.
type Damage [MaxShips]uint8

// Hit reports whether a segment of a ship is hit, both counted from 0.
func (d *Damage) Hit(ship, segment int) bool { return d[ship]>>segment&1 != 0 }

// Sunk reports whether all segments of a ship of that length are hit.
func (d *Damage) Sunk(ship, length int) bool { return d[ship] == 1<<length-1 }

// Helm is a side's information for a move: its fleet and the enemy's shots. It shares no
// mutable state.
type Helm struct {
	Rules  Rules
	Layout Layout // the current positions
	Damage Damage
	Fire   []Shot // the enemy's shots, oldest first
}

// Afloat returns the number of ships afloat.
func (h *Helm) Afloat() int {
	n := 0
	for i, ship := range h.Layout {
		if !h.Damage.Sunk(i, ship.Length) {
			n++
		}
	}
	return n
}

// Check checks whether a move is legal. The error is a [Problem].
func (h *Helm) Check(m Move) error {
	switch {
	case !h.Rules.Moving:
		return ErrNoMoves
	case m == Stay:
		return nil
	case m.Ship() >= len(h.Layout):
		return ErrNoShip
	}
	i := m.Ship()
	to := m.Manoeuvre().Of(h.Layout[i])
	class := h.Rules.Fleet[i]
	switch {
	case h.Afloat() <= LastShips:
		return NewProblem("a side with two or fewer ships afloat cannot move")
	case h.Damage.Sunk(i, to.Length):
		return NewProblem("the %s is sunk", class)
	case !h.Rules.Contains(to.Stern) || !h.Rules.Contains(to.Bow()):
		return NewProblem("the %s would leave the board", class)
	}
	here := to.Extent()
	for j := range h.Layout {
		there := h.Layout[j].Extent()
		if j != i && h.Rules.Contact.Clash(&here, &there) {
			return NewProblem("the %s would be too close to another of your ships, the %s", class, h.Rules.Fleet[j])
		}
	}
	for _, shot := range h.Fire[max(0, len(h.Fire)-BlockedShots):] {
		if here.Has(shot.Cell) {
			return NewProblem("the %s would be on %s, where one of the last %d shots fell", class, shot.Cell, BlockedShots)
		}
	}
	return nil
}

// Moves returns the legal moves except Stay, ordered by ship.
func (h *Helm) Moves() []Move {
	var legal []Move
	for i := range h.Layout {
		for m := range Manoeuvre(Manoeuvres) {
			move := MoveOf(i, m)
			if h.Check(move) == nil {
				legal = append(legal, move)
			}
		}
	}
	return legal
}

// Extent returns the span of a ship, regardless of its heading.
func (s *Ship) Extent() Span {
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

// Helm returns the information that a side has for its move. The side's fleet must be in
// the view, so it is for the side itself, or for anyone after the end.
func (v *View) Helm(side Side) Helm {
	return Helm{Rules: v.Rules, Layout: v.Fleets[side], Damage: v.Damage[side], Fire: v.Charts[side.Other()].Log}
}
