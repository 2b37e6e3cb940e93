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
	TouchNone    Contact = iota // not even corner to corner
	TouchCorners                // corner to corner, but not along an edge
	TouchAny                    // ships may touch but not overlap
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

// Class is a type of ship: its name in English and its length in cells, 2 to 5.
type Class struct {
	Name   string `json:"name"`
	Length int    `json:"length"`
}

// String returns the name.
func (c Class) String() string { return c.Name }

// Rules is a rule set. Copies share the Fleet, which must not be changed.
type Rules struct {
	Name    string        `json:"name"`            // the name of a preset, or custom
	Size    int           `json:"size"`            // the cells along a side, 5 to 26
	Fleet   []Class       `json:"fleet"`           // 1 to 10 ships, longest first
	Contact Contact       `json:"contact"`         // how close ships may be
	Moving  bool          `json:"moving"`          // whether ships may move
	Salvo   bool          `json:"salvo,omitempty"` // whether a turn has one shot for each ship afloat
	Clock   time.Duration `json:"clock_s"`         // the time for the shots of a turn, or 0 for no limit
}

var (
	carrier    = Class{"carrier", 5}
	battleship = Class{"battleship", 4}
	cruiser    = Class{"cruiser", 3}
	submarine  = Class{"submarine", 3}
	destroyer  = Class{"destroyer", 2}
)

// Classic returns the default rule set: five ships on 10×10 that may touch corner
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

// Naval returns the rules with moving ships: ten ships that may not touch. After each
// enemy shot, one of them may move.
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

// standardFleet lists the ships of custom rules, in order: the first five are the fleet of
// classic, and all ten fill a board about as densely as the fleet of naval.
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

// Validate checks whether the rules can be played: all sizes must be in range, and it must be
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
		return nil // known to fit; a check would take long
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

// Cells returns the set of all cells of the board.
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
