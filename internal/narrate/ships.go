package narrate

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/match"
)

// classes maps the types of ship to their translated names.
var classes = map[string]i18n.Key{
	"carrier": "carrier", "battleship": "battleship", "cruiser": "cruiser", "submarine": "submarine",
	"destroyer": "destroyer", "corvette": "corvette", "minesweeper": "minesweeper", "frigate": "frigate",
	"gunboat": "gunboat", "cutter": "cutter",
}

// ClassName returns the name of a type of ship. A type without a translation keeps its
// name.
func ClassName(c match.Class) i18n.Message {
	if text, ok := classes[c.Name]; ok {
		return i18n.NewMessage(text)
	}
	return i18n.NewMessage("%s", c.Name)
}

// Ship returns a ship type's translated name, given its name in the rules. An unknown
// type keeps its name.
func Ship(l i18n.Language, name string) string { return ClassName(match.Class{Name: name}).In(l) }

// theShips has the ship types with an article, as the object of placing.
var theShips = map[string]i18n.Key{
	"carrier": "the carrier", "battleship": "the battleship", "cruiser": "the cruiser", "submarine": "the submarine",
	"destroyer": "the destroyer", "corvette": "the corvette", "minesweeper": "the minesweeper",
	"frigate": "the frigate", "gunboat": "the gunboat", "cutter": "the cutter",
}

// TheShip returns a ship type's name with its article, as the object of a sentence.
func TheShip(l i18n.Language, name string) string {
	if known, ok := theShips[name]; ok {
		return l.Text(known)
	}
	return name
}

// ShipAt returns the name of the ship at a cell, or zero.
func ShipAt(r match.Rules, fleet match.Layout, at match.Cell) i18n.Message {
	for i, ship := range fleet {
		if cells := ship.Cells(); cells.Has(at) {
			return ClassName(r.Fleet[i])
		}
	}
	return i18n.Message{}
}

// Positions describes where the placed ships of a fleet are. It is zero if there are none.
func Positions(r match.Rules, fleet match.Layout) (all i18n.Message) {
	for i, ship := range fleet {
		if ship.Length == 0 {
			continue
		}
		one := i18n.NewMessage("%s %s to %s", ClassName(r.Fleet[i]), ship.Stern.String(), ship.Bow().String())
		all = list(all, one)
	}
	return all
}

// Cells returns the names of cells.
func Cells(cells ...match.Cell) string {
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = c.String()
	}
	return strings.Join(names, ", ")
}

// Manoeuvre returns the name of a way to move.
func Manoeuvre(m match.Manoeuvre) i18n.Key {
	return [match.Manoeuvres]i18n.Key{"forward", "backward", "clockwise", "anticlockwise"}[m]
}

// Afloat describes how many ships the opponent on a chart still has.
func Afloat(l i18n.Language, c *match.Chart) string {
	return l.Text("%d of %d afloat", c.ShipsLeft(), len(c.Rules.Fleet))
}

var marks = [...]i18n.Key{
	match.Unknown: "unknown", match.Missed: "miss", match.Deduced: "must be water", match.Struck: "hit", match.Wrecked: "sunk",
}

// Mark returns what a chart says about a cell, in one or two words.
func Mark(m match.Mark) i18n.Key { return marks[m] }
