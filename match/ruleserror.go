package match

import (
	"fmt"
	"time"
)

// RulesProblem is the kind of a [RulesError].
type RulesProblem uint8

// The problems of a [RulesError].
const (
	WrongShipCount  RulesProblem = iota + 1 // Ships is not from Min to Max
	WrongBoardSize                          // Size is not from Min to Max
	WrongShipLength                         // the length of Class is not from Min to Max
	WrongOrder                              // Class is longer than the ship before it
	UnknownContact                          // Contact is none of the contact rules
	NegativeClock                           // Clock is negative
	MovingSalvo                             // ships move and a turn has several shots
	BoardTooSmall                           // Ships do not fit on a board of Size rows; it needs Min
	NoLayout                                // the fleet does not fit on the board
	TooDense                                // Ships on a board of Size rows cannot be placed at random in bounded work
)

// RulesError reports why rules cannot be played.
type RulesError struct {
	Problem  RulesProblem
	Ships    int
	Size     int
	Min, Max int
	Class    Class
	Contact  Contact
	Clock    time.Duration
}

// Error implements error.
func (e *RulesError) Error() string {
	switch e.Problem {
	case WrongShipCount:
		return fmt.Sprintf("%d ships: choose %d to %d", e.Ships, e.Min, e.Max)
	case WrongBoardSize:
		return fmt.Sprintf("board size %d×%d: choose %d to %d cells per side", e.Size, e.Size, e.Min, e.Max)
	case WrongShipLength:
		return fmt.Sprintf("%s has length %d: ships must be %d to %d cells long", e.Class.Name, e.Class.Length, e.Min, e.Max)
	case WrongOrder:
		return fmt.Sprintf("the fleet lists %s after a shorter ship: list the longest first", e.Class.Name)
	case UnknownContact:
		return fmt.Sprintf("unknown contact rule %d", e.Contact)
	case NegativeClock:
		return fmt.Sprintf("clock %v: choose 0 for none, or a positive time", e.Clock)
	case MovingSalvo:
		return "salvos and moving ships cannot be combined: choose one of them"
	case BoardTooSmall:
		return fmt.Sprintf("%d ships do not fit on %d×%d: choose a size from %d or fewer ships", e.Ships, e.Size, e.Size, e.Min)
	case NoLayout:
		return "this fleet does not fit on this board: choose fewer ships, a larger board or a looser contact rule"
	}
	return fmt.Sprintf("this fleet fills the board too densely to be placed at random: choose fewer ships, a larger board or a looser contact rule (%d ships on %d×%d)",
		e.Ships, e.Size, e.Size)
}
