package match

import (
	"fmt"
	"strings"
)

// TextProblem is the kind of a [TextError].
type TextProblem uint8

// The problems of a [TextError].
const (
	NotCell      TextProblem = iota + 1 // Text is not the name of a cell
	NotMove                             // Text is not a move
	NotShip                             // Text is not a ship
	NotClass                            // Text is no type of ship; Choices are those in the rules
	NoneLeft                            // the fleet has no further ship of the type Text
	NotStraight                         // a ship of the type Class goes from the cell From to To
	BeyondBoard                         // Text is no cell of a board with Size rows
	WrongHeading                        // the heading for player Text is repeated or in the wrong place
	UnknownRules                        // Text is not the name of rules; Choices are
	FileTooLong                         // the file has Size bytes instead of Max at most
)

// TextError reports an error in a text that describes a cell, a move, ships or rules.
type TextError struct {
	Problem  TextProblem
	Text     string // safe and short enough to be shown
	Choices  []string
	Class    Class
	From, To Cell
	Size     int
	Max      int
}

// Error implements error.
func (e *TextError) Error() string {
	switch e.Problem {
	case NotCell:
		return fmt.Sprintf("%q is not a cell: write the row's letter and the column's number, such as B7", e.Text)
	case NotMove:
		return fmt.Sprintf("move %q: write a ship's number and one of F, B, C and A, such as 3F, or -", e.Text)
	case NotShip:
		return fmt.Sprintf("%s is not a ship: write its type, its first cell, and its last cell or its direction, such as %q or %q",
			e.Text, "cruiser C1 C3", "cruiser C1 E")
	case NotClass:
		return fmt.Sprintf("%s is not a type of ship in these rules: they have %s", e.Text, strings.Join(e.Choices, ", "))
	case NoneLeft:
		return fmt.Sprintf("one ship too many: this fleet has no other %s", e.Text)
	case NotStraight:
		return fmt.Sprintf("the %s from %v to %v is not straight", e.Class.Name, e.From, e.To)
	case BeyondBoard:
		return fmt.Sprintf("%s is off the board of %d×%d", e.Text, e.Size, e.Size)
	case WrongHeading:
		return fmt.Sprintf("misplaced heading for player %s: write each heading once, before that player's ships, player 1 first", e.Text)
	case UnknownRules:
		return fmt.Sprintf("there are no rules called %q: choose %s", e.Text, strings.Join(e.Choices, ", "))
	}
	return fmt.Sprintf("the layout file is too long: at most %d bytes, not %d", e.Max, e.Size)
}
