package match

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Contact defines how close two ships of one fleet may be.
type Contact uint8

// The contact rules, from the strictest to the loosest.
const (
	// TouchNone means that ships may not touch, not even corner to corner.
	TouchNone Contact = iota
	// TouchCorners means that ships may touch corner to corner, but not along an edge.
	TouchCorners
	// TouchAny means that ships may touch but not overlap.
	TouchAny
)

// String returns the encoding of the contact rule.
func (c Contact) String() string {
	if int(c) >= len(contactNames) {
		return "?"
	}
	return contactNames[c]
}

var contactNames = [...]string{"none", "corners", "any"}

// MarshalText implements encoding.TextMarshaler.
func (c Contact) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *Contact) UnmarshalText(text []byte) error {
	i := slices.Index(contactNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown contact rule %q: it is one of %s", text, strings.Join(contactNames[:], ", "))
	}
	*c = Contact(i)
	return nil
}

// Halo returns the cells of a ship and the cells around it where the rule allows no other
// ship. It may include cells off the board.
func (c Contact) Halo(ship Set) Set {
	switch c {
	case TouchAny:
		return ship
	case TouchCorners:
		return ship.edgeNeighbours()
	default:
		return ship.allNeighbours()
	}
}

// Class is a type of ship. It has a name in English and a length of 2 to 5 cells.
type Class struct {
	Name   string `json:"name"`
	Length int    `json:"length"`
}

// String returns the name.
func (c Class) String() string { return c.Name }

// Rules is a rule set. Copies share the Fleet, which must not be changed.
type Rules struct {
	// Name is a preset's name, or custom.
	Name string `json:"name"`
	// Size is the number of cells along the board's side, from 5 to 26.
	Size int `json:"size"`
	// Fleet lists 1 to 10 ships, longest first.
	Fleet []Class `json:"fleet"`
	// Contact is how close ships may be.
	Contact Contact `json:"contact"`
	// Moving reports whether ships may move.
	Moving bool `json:"moving"`
	// Salvo reports whether a turn has one shot for each ship afloat.
	Salvo bool `json:"salvo,omitempty"`
	// Clock is the time for a turn's shots, or 0 for no limit.
	Clock time.Duration `json:"clock_s"`
}

var (
	carrier    = Class{"carrier", 5}
	battleship = Class{"battleship", 4}
	cruiser    = Class{"cruiser", 3}
	submarine  = Class{"submarine", 3}
	destroyer  = Class{"destroyer", 2}
)

// Classic returns the default rule set, with five ships on 10×10 that may touch corner
// to corner only.
func Classic() Rules {
	return Rules{
		Name: "classic", Size: 10, Contact: TouchCorners,
		Fleet: []Class{carrier, battleship, cruiser, submarine, destroyer},
	}
}

// Hasbro returns Classic with ships that may touch.
func Hasbro() Rules {
	r := Classic()
	r.Name, r.Contact = "hasbro", TouchAny
	return r
}

// Naval returns the rules with ten moving ships that may not touch. After each enemy shot, one of
// them may move.
func Naval() Rules {
	four, three, two := Class{"cruiser", 4}, Class{"destroyer", 3}, Class{"submarine", 2}
	return Rules{
		Name: "naval", Size: 10, Contact: TouchNone, Moving: true,
		Fleet: []Class{{"battleship", 5}, four, four, three, three, three, two, two, two, two},
	}
}

// Salvo returns Classic with as many shots in a turn as the side has ships afloat.
func Salvo() Rules {
	r := Classic()
	r.Name, r.Salvo = "salvo", true
	return r
}

// PresetNames returns the names of the predefined rule sets.
func PresetNames() []string {
	names := make([]string, len(presets))
	for i, preset := range presets {
		names[i] = preset().Name
	}
	return names
}

// Presets returns the predefined rule sets.
func Presets() []Rules {
	all := make([]Rules, len(presets))
	for i, preset := range presets {
		all[i] = preset()
	}
	return all
}

var presets = [...]func() Rules{Classic, Hasbro, Naval, Salvo}

// UnknownRules is the sentence of [Preset]'s error. Its first argument is the name.
const UnknownRules Sentence = "there are no rules called %q: choose %s"

// Preset returns the rule set with a name. The error lists the names.
func Preset(name string) (Rules, error) {
	for _, preset := range presets {
		r := preset()
		if r.Name == strings.ToLower(name) {
			return r, nil
		}
	}
	return Rules{}, NewProblem(UnknownRules, name, strings.Join(PresetNames(), ", "))
}

// standardFleet lists the ships of custom rules, in order. The first five are the fleet of
// classic. All ten fill a board about as densely as the fleet of naval.
var standardFleet = []Class{
	carrier, battleship, cruiser, submarine, destroyer,
	{"corvette", 2}, {"minesweeper", 2}, {"frigate", 4}, {"gunboat", 3}, {"cutter", 2},
}

// CustomRules returns a rule set with the first n ships of the standard list on a board of the
// given size, or the error of [Rules.Validate].
func CustomRules(size, n int, contact Contact) (Rules, error) {
	if n < MinShips || n > MaxShips {
		return Rules{}, NewProblem("%d ships: choose %d to %d", n, MinShips, MaxShips)
	}
	r := Rules{Name: "custom", Size: size, Fleet: standardShips(n), Contact: contact}
	return r, r.Validate()
}

// WithClock returns r with a different turn clock.
func (r Rules) WithClock(d time.Duration) Rules {
	r.Clock = d
	return r
}

// Validate checks whether the rules can be played. All sizes must be in range, and it must be
// possible to place the fleet uniformly at random in bounded work. The error is a
// [Problem].
func (r Rules) Validate() error {
	if r.Size < MinSize || r.Size > MaxSize {
		return NewProblem("board size %d×%d: choose %d to %d cells per side", r.Size, r.Size, MinSize, MaxSize)
	}
	if len(r.Fleet) < MinShips || len(r.Fleet) > MaxShips {
		return NewProblem("%d ships: choose %d to %d", len(r.Fleet), MinShips, MaxShips)
	}
	for i, c := range r.Fleet {
		if c.Length < MinLength || c.Length > MaxLength {
			return NewProblem("%s has length %d: ships must be %d to %d cells long", c.Name, c.Length, MinLength, MaxLength)
		}
		if i > 0 && c.Length > r.Fleet[i-1].Length {
			return NewProblem("the fleet lists %s after a shorter ship: list the longest first", c.Name)
		}
	}
	if r.Contact > TouchAny {
		return NewProblem("unknown contact rule %d", int(r.Contact))
	}
	if r.Salvo && r.Moving {
		return NewProblem("salvos and moving ships cannot be combined: choose one of them")
	}
	if r.Clock < 0 {
		return NewProblem("clock %v: choose 0 for none, or a positive time", r.Clock)
	}
	naval := Naval()
	if slices.Equal(r.Fleet, naval.Fleet) && r.Size >= naval.Size {
		// The fleet is known to fit, and a check would take long.
		return nil
	}
	if slices.Equal(r.Fleet, standardShips(len(r.Fleet))) {
		return r.checkBoardSize()
	}
	return r.checkDensity()
}

// Contains reports whether c is on the board.
func (r Rules) Contains(c Cell) bool {
	return c.X >= 0 && c.Y >= 0 && int(c.X) < r.Size && int(c.Y) < r.Size
}

// Cells returns all cells of the board.
func (r Rules) Cells() Set { return boards[r.Size] }

// boards[n] is the board of n×n cells.
var boards = func() (all [MaxSize + 1]Set) {
	for size := range all {
		for y := range size {
			for x := range size {
				all[size].Add(NewCell(x, y))
			}
		}
	}
	return all
}()

// FleetCellCount returns the number of cells that the whole fleet covers.
func (r Rules) FleetCellCount() int {
	n := 0
	for _, c := range r.Fleet {
		n += c.Length
	}
	return n
}

// IsEquivalent reports whether r and o are equal except for their names and clocks, so that players
// who ask for them can be paired.
func (r Rules) IsEquivalent(o Rules) bool {
	return r.Size == o.Size && r.Contact == o.Contact && r.Moving == o.Moving && r.Salvo == o.Salvo && slices.Equal(r.Fleet, o.Fleet)
}
