package narrate

import (
	"strconv"
	"strings"

	"broadside/internal/i18n"
	"broadside/match"
)

// classes has the translated names of ship types, without and with an article.
var classes = map[string][2]i18n.Key{
	"carrier":     {"carrier", "the carrier"},
	"battleship":  {"battleship", "the battleship"},
	"cruiser":     {"cruiser", "the cruiser"},
	"submarine":   {"submarine", "the submarine"},
	"destroyer":   {"destroyer", "the destroyer"},
	"corvette":    {"corvette", "the corvette"},
	"minesweeper": {"minesweeper", "the minesweeper"},
	"frigate":     {"frigate", "the frigate"},
	"gunboat":     {"gunboat", "the gunboat"},
	"cutter":      {"cutter", "the cutter"},
}

// ClassName returns a ship class's name. A class without a translation keeps its own name.
func ClassName(c match.Class) i18n.Message { return className(c, 0) }

// ClassNameWithArticle returns a ship class's name with its article, as a sentence's object.
func ClassNameWithArticle(c match.Class) i18n.Message { return className(c, 1) }

func className(c match.Class, form int) i18n.Message {
	if names, ok := classes[c.Name]; ok {
		return i18n.NewMessage(names[form])
	}
	return i18n.NewMessage("%s", c.Name)
}

// ShipNameAt names the ship that covers a cell. It is zero if there is none.
func ShipNameAt(r match.Rules, fleet match.Layout, at match.Cell) i18n.Message {
	for i, ship := range fleet {
		cells := ship.Cells()
		if cells.Has(at) {
			return ClassName(r.Fleet[i])
		}
	}
	return i18n.Message{}
}

// ResultWithShip returns a shot's result on a chart, with the classes that a sunk ship may have.
func ResultWithShip(c *match.Chart, shot match.Shot) i18n.Message {
	var ship i18n.Message
	last, n := "", 0
	if shot.Result == match.Sunk {
		n = c.SunkShipAt(shot.Cell).Len()
	}
	for _, class := range c.Rules.Fleet {
		if class.Length != n || class.Name == last {
			continue
		}
		last = class.Name
		if ship.Key != "" {
			ship = i18n.NewMessage("%s or %s", ship, ClassName(class))
		} else {
			ship = ClassName(class)
		}
	}
	if ship.Key == "" {
		return i18n.NewMessage(ResultName(shot.Result))
	}
	return i18n.NewMessage("%s sunk", ship)
}

// ShipPositions lists where a fleet's placed ships are. It is zero if there are none.
func ShipPositions(r match.Rules, fleet match.Layout) (all i18n.Message) {
	for i, ship := range fleet {
		if ship.Length == 0 {
			continue
		}
		one := i18n.NewMessage("%s %s to %s", ClassName(r.Fleet[i]), ship.Stern.String(), ship.Bow().String())
		all = appendItem(all, one)
	}
	return all
}

// CellNames returns the names of cells.
func CellNames(cells ...match.Cell) string {
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = c.String()
	}
	return strings.Join(names, ", ")
}

// MoveKindName returns a move kind's name, such as "forward".
func MoveKindName(m match.MoveKind) i18n.Key {
	return [match.MoveKinds]i18n.Key{"forward", "backward", "clockwise", "anticlockwise"}[m]
}

// ShipsAfloat says how many ships of the fleet on a chart are afloat.
func ShipsAfloat(l i18n.Language, c *match.Chart) string {
	return l.Text("%d of %d afloat", c.ShipsAfloat(), len(c.Rules.Fleet))
}

// ShipsLeft says how many ships of the fleet on a chart are afloat, and how long they are.
func ShipsLeft(c *match.Chart) i18n.Message {
	var lengths []string
	for n := len(c.Afloat) - 1; n > 0; n-- {
		for range c.Afloat[n] {
			lengths = append(lengths, strconv.Itoa(n))
		}
	}
	const text i18n.Key = "%d ship is left to sink. Its length: %s.||%d ships are left to sink. Their lengths: %s."
	return i18n.NewMessage(text, c.ShipsAfloat(), strings.Join(lengths, ", "))
}

var marks = [...]i18n.Key{
	match.Unknown: "unknown", match.Missed: "miss", match.Deduced: "must be water",
	match.Struck: "hit", match.Wrecked: "sunk",
}

// MarkName returns a mark of a chart in one to three words.
func MarkName(m match.Mark) i18n.Key { return marks[m] }
