package match

import "fmt"

// Code says what is wrong. It is also the key of the sentence's translations.
type Code string

// Problem reports why a command, a layout, rules or a text is wrong.
type Problem struct {
	Code Code
	// Args are the arguments of the sentence: numbers, texts that are safe and short enough to be shown,
	// and values such as a [Class] or a [Cell].
	Args []any
}

// NewProblem returns a [Problem].
func NewProblem(code Code, args ...any) error { return &Problem{code, args} }

// Error returns the sentence in English.
func (p *Problem) Error() string { return fmt.Sprintf(sentences[p.Code], p.Args...) }

// Unwrap returns the error among the arguments, if there is one.
func (p *Problem) Unwrap() error {
	for _, arg := range p.Args {
		if err, ok := arg.(error); ok {
			return err
		}
	}
	return nil
}

// sentences are the English sentences of problems. Each is a format for the arguments.
var sentences = map[Code]string{
	// Commands.
	"the-match-is-over":           "the match is over",
	"the-battle-has-not-begun":    "the battle has not begun: both fleets must be placed first",
	"your-fleet-is-placed-and":    "your fleet is already placed and cannot be changed now",
	"it-is-not-your-turn":         "it is not your turn",
	"the-last-shot-has-not":       "the last shot has not been answered yet",
	"you-do-not-have-that":        "you do not have that many shots this turn",
	"a-cell-can-be-shot":          "you can fire at a cell only once per turn",
	"there-is-no-shot-for":        "there is no shot for you to answer",
	"the-answer-is-for-another":   "the answer is for a different cell from the one fired at",
	"that-cell-is-not-on":         "that cell is not on the board",
	"a-result-is-1-water":         "a result must be 1 (miss), 2 (hit), 3 (sunk) or 4 (last ship sunk)",
	"the-battle-has-begun-you":    "the battle has begun: you can no longer remove your opponent",
	"the-match-counts-already-it": "the match already counts: it can no longer be aborted",
	"that-is-not-a-command":       "unknown command",

	// Moves of ships.
	"ships-do-not-move-in":     "ships do not move in this match",
	"your-fleet-may-move-once": "your fleet may move once, after each shot of your opponent and before your own",
	"that-is-not-a-move":       "no ship of this fleet can make that move",
	"a-side-with-two-ships":    "a side with two or fewer ships afloat cannot move",
	"the-x-is-sunk":            "the %s is sunk",
	"the-x-would-leave-the":    "the %s would leave the board",
	"the-x-would-lie-too":      "the %s would be too close to another of your ships, the %s",
	"the-x-would-lie-at":       "the %s would be on %s, where one of the last %d shots fell",

	// Layouts.
	"the-number-of-ships-is": "the fleet has the wrong number of ships",
	"the-x-n-cells-is":       "the %s (%d cells) is not placed",
	"the-x-is-n-cells":       "the %s is %d cells long, not %d",
	"the-x-reaches-over-the": "the %s is off the board",
	"the-x-lies-across-the":  "the %s overlaps the %s",
	"the-x-touches-the-not":  "the %s touches the %s: ships may not touch, not even at corners",
	"the-x-touches-the-only": "the %s touches the %s: ships may touch at corners only",

	// Rules.
	"there-are-no-rules-called":      "there are no rules called %q: choose %s",
	"n-ships-choose-n-to":            "%d ships: choose %d to %d",
	"a-board-of-n-n":                 "board size %d×%d: choose %d to %d cells per side",
	"x-has-length-n-ships":           "%s has length %d: ships must be %d to %d cells long",
	"the-fleet-lists-x-after":        "the fleet lists %s after a shorter ship: list the longest first",
	"unknown-contact-rule-n":         "unknown contact rule %d",
	"a-clock-of-x-positive":          "clock %v: choose 0 for none, or a positive time",
	"salvos-and-moving-ships-cannot": "salvos and moving ships cannot be combined: choose one of them",
	"n-ships-do-not-fit":             "%d ships do not fit on %d×%d: choose a size from %d or fewer ships",
	"this-fleet-does-not-fit":        "this fleet does not fit on this board: choose fewer ships, a larger board or a looser contact rule",
	"x-n-ships-on-n":                 "%v (fleet of %d, board %d×%d)",
	"this-fleet-fills-the-board":     "this fleet fills the board too densely to be placed at random: choose fewer ships, a larger board or a looser contact rule",

	// Texts.
	"x-is-not-a-cell":           "%q is not a cell: write the row's letter and the column's number, such as B7",
	"move-x-write-a-ships":      "move %q: write a ship's number and one of F, B, C and A, such as 3F, or -",
	"x-is-not-a-ship":           "%s is not a ship: write its type, its first cell, and its last cell or its direction, such as %q or %q",
	"x-is-not-a-type":           "%s is not a type of ship in these rules: they have %s",
	"one-ship-too-many-this":    "one ship too many: this fleet has no other %s",
	"the-x-from-x-to":           "the %s from %s to %s is not straight",
	"x-is-off-the-board-of-n-n": "%s is off the board of %d×%d",
	"the-heading-for-player-x":  "misplaced heading for player %s: write each heading once, before that player's ships, player 1 first",
	"the-heading-for-player-2":  "the heading for player 2 is missing",
	"there-is-no-ship-in":       `no ships found: write one per line, such as "cruiser C1 C3"`,
	"a-layout-file-has-at":      "the layout file is too long: at most %d bytes, not %d",
	"line-n-x":                  "line %d: %v",
	"player-n-x":                "player %d: %v",
}
