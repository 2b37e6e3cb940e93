package play

import (
	"slices"

	"broadside/match"
	"broadside/tui/widget"
)

// draft is a fleet that is being placed, with the selected ship. Ships are identified by their index.
type draft struct {
	rules match.Rules
	// layout is nil until the rules are known.
	layout match.Layout
	// placedShips are in order of placing.
	placedShips []int
	// selected is len(layout) if no ship is selected.
	selected int
	// aim is the cursor, at the selected ship's stern.
	aim     widget.Aim
	heading match.Heading
}

// setRules starts with an empty board as soon as the rules are known. Later calls do nothing.
func (d *draft) setRules(r match.Rules) {
	if d.layout == nil && len(r.Fleet) > 0 {
		d.rules = r
		d.clear()
	}
}

// isComplete reports whether all ships are placed.
func (d *draft) isComplete() bool { return d.selected == len(d.layout) }

func (d *draft) turnShip() { d.heading = d.nextHeading(d.heading) }

// nextHeading returns the heading after h. It alternates between two headings, unless ships move: then it
// matters which end is the bow.
func (d *draft) nextHeading(h match.Heading) match.Heading {
	if d.rules.Moving {
		return h.Rotate(1)
	}
	if h == match.East || h == match.West {
		return match.South
	}
	return match.East
}

// shipAt returns the selected ship, moved so that its stern is at a cell.
func (d *draft) shipAt(stern match.Cell, h match.Heading) match.Ship {
	return match.Ship{Stern: stern, Heading: h, Length: d.rules.Fleet[d.selected].Length}
}

// layoutWith returns a copy of the layout with ship i placed, and an error if its position is invalid.
func (d *draft) layoutWith(i int, ship match.Ship) (match.Layout, error) {
	l := append(match.Layout(nil), d.layout...)
	l[i] = ship
	return l, d.rules.CheckShip(l, i)
}

// placeShip places the selected ship at the cursor, and selects the next one.
func (d *draft) placeShip() error {
	l, err := d.layoutWith(d.selected, d.shipAt(d.aim.Cursor, d.heading))
	if err != nil {
		return err
	}
	d.layout = l
	d.placedShips = append(d.placedShips, d.selected)
	d.selectNext(d.selected + 1)
	return nil
}

// moveToFreeCells moves the selected ship to the nearest cell where it fits, if any. It turns the ship only if
// it fits nowhere with its heading.
func (d *draft) moveToFreeCells() {
	if d.isComplete() {
		return
	}
	from, nearest := d.aim.Cursor, 2*d.rules.Size
	cells := d.rules.Cells()
	for _, heading := range []match.Heading{d.heading, d.nextHeading(d.heading)} {
		for c := range cells.All() {
			away := abs(int(c.X-from.X)) + abs(int(c.Y-from.Y))
			if away >= nearest {
				continue
			}
			if _, err := d.layoutWith(d.selected, d.shipAt(c, heading)); err == nil {
				d.aim.Cursor, d.heading, nearest = c, heading, away
			}
		}
		if nearest < 2*d.rules.Size {
			return
		}
	}
}

func abs(n int) int { return max(n, -n) }

// selectNext selects the next unplaced ship, starting at ship i.
func (d *draft) selectNext(i int) {
	d.aim.ClearInput()
	for n := range d.layout {
		j := (i + n) % len(d.layout)
		if d.layout[j].Length == 0 {
			d.selected = j
			return
		}
	}
	d.selected = len(d.layout)
}

// undo removes the ship under the cursor, or else the ship placed last, and selects it.
func (d *draft) undo() {
	ship := shipIndexAt(d.layout, d.aim.Cursor)
	if ship == noShip && len(d.placedShips) > 0 {
		ship = d.placedShips[len(d.placedShips)-1]
	}
	if ship != noShip {
		d.pickUpShip(ship)
	}
}

// pickUpShip removes a placed ship and selects it.
func (d *draft) pickUpShip(ship int) {
	d.aim.ClearInput()
	d.aim.Cursor, d.heading, d.selected = d.layout[ship].Stern, d.layout[ship].Heading, ship
	d.layout[ship] = match.Ship{}
	d.placedShips = slices.DeleteFunc(d.placedShips, func(i int) bool { return i == ship })
}

func (d *draft) clear() {
	d.aim.ClearInput()
	d.layout, d.placedShips, d.selected = make(match.Layout, len(d.rules.Fleet)), nil, 0
}

// setLayout replaces all ships with a complete layout.
func (d *draft) setLayout(l match.Layout) {
	d.aim.ClearInput()
	d.layout, d.placedShips, d.selected = l, nil, len(l)
	for i := range l {
		d.placedShips = append(d.placedShips, i)
	}
}

// positionsWithBow returns the selected ship in all possible positions with its bow at a cell.
func (d *draft) positionsWithBow(bow match.Cell) []match.Ship {
	var ships []match.Ship
	for _, h := range [...]match.Heading{match.West, match.North, match.East, match.South} {
		ship := d.shipAt(bow.Step(h.Rotate(2), d.rules.Fleet[d.selected].Length-1), h)
		if _, err := d.layoutWith(d.selected, ship); err == nil {
			ships = append(ships, ship)
		}
	}
	return ships
}
