package play

import (
	"slices"

	"broadside/match"
	"broadside/tui/widget"
)

// draft is a fleet that is being placed, with the selected ship.
type draft struct {
	rules   match.Rules
	layout  match.Layout // nil until the rules are known
	hand    int          // index of the selected ship; len(layout) if there is none
	order   []int        // the placed ships, in order of placing
	aim     widget.Aim   // the stern of the selected ship
	heading match.Heading
}

// begin starts with an empty board, once the rules are known.
func (d *draft) begin(r match.Rules) {
	if d.layout == nil && len(r.Fleet) > 0 {
		d.rules = r
		d.clear()
	}
}

// done reports whether all ships are placed.
func (d *draft) done() bool { return d.hand == len(d.layout) }

// turn turns the selected ship.
func (d *draft) turn() { d.heading = d.turned(d.heading) }

// turned returns the heading after h. There are only two headings unless it matters
// which end is the bow.
func (d *draft) turned(h match.Heading) match.Heading {
	if d.rules.Moving {
		return h.Turn(1)
	}
	if h == match.East || h == match.West {
		return match.South
	}
	return match.East
}

// inHand returns the selected ship with its stern at a cell.
func (d *draft) inHand(stern match.Cell, h match.Heading) match.Ship {
	return match.Ship{Stern: stern, Heading: h, Length: d.rules.Fleet[d.hand].Length}
}

// with returns the layout with ship i placed, and an error if its position is invalid.
func (d *draft) with(i int, ship match.Ship) (match.Layout, error) {
	l := append(match.Layout(nil), d.layout...)
	l[i] = ship
	return l, d.rules.CheckShip(l, i)
}

// placeShip places the selected ship at its current position, and selects the next
// one.
func (d *draft) placeShip() error {
	l, err := d.with(d.hand, d.inHand(d.aim.At, d.heading))
	if err != nil {
		return err
	}
	d.layout = l
	d.order = append(d.order, d.hand)
	d.next(d.hand + 1)
	return nil
}

// moveToFreeCells moves the selected ship to the nearest cell where it fits, if any, because it cannot
// overlap the ship just placed. It turns the ship only if it fits nowhere with its heading.
func (d *draft) moveToFreeCells() {
	if d.done() {
		return
	}
	from, nearest := d.aim.At, 2*d.rules.Size
	cells := d.rules.Board()
	for _, heading := range []match.Heading{d.heading, d.turned(d.heading)} {
		for c := range cells.All() {
			away := abs(int(c.X-from.X)) + abs(int(c.Y-from.Y))
			if away >= nearest {
				continue
			}
			if _, err := d.with(d.hand, d.inHand(c, heading)); err == nil {
				d.aim.At, d.heading, nearest = c, heading, away
			}
		}
		if nearest < 2*d.rules.Size {
			return
		}
	}
}

func abs(n int) int { return max(n, -n) }

// next selects the next unplaced ship, starting at ship i.
func (d *draft) next(i int) {
	d.aim.Clear()
	for n := range d.layout {
		j := (i + n) % len(d.layout)
		if d.layout[j].Length == 0 {
			d.hand = j
			return
		}
	}
	d.hand = len(d.layout)
}

// takeBack removes the ship under the cursor, or else the ship placed last, and
// selects it.
func (d *draft) takeBack() {
	ship := shipAt(d.layout, d.aim.At)
	if ship == none && len(d.order) > 0 {
		ship = d.order[len(d.order)-1]
	}
	if ship != none {
		d.pickUp(ship)
	}
}

// pickUp removes a placed ship and selects it.
func (d *draft) pickUp(ship int) {
	d.aim.Clear()
	d.aim.At, d.heading, d.hand = d.layout[ship].Stern, d.layout[ship].Heading, ship
	d.layout[ship] = match.Ship{}
	d.order = slices.DeleteFunc(d.order, func(i int) bool { return i == ship })
}

// clear removes all ships from the board.
func (d *draft) clear() {
	d.aim.Clear()
	d.layout, d.order, d.hand = make(match.Layout, len(d.rules.Fleet)), nil, 0
}

// fill places a complete layout.
func (d *draft) fill(l match.Layout) {
	d.aim.Clear()
	d.layout, d.order, d.hand = l, nil, len(l)
	for i := range l {
		d.order = append(d.order, i)
	}
}

// positions returns the possible positions of the selected ship with its bow at a cell.
func (d *draft) positions(bow match.Cell) []match.Ship {
	var ships []match.Ship
	for _, h := range [...]match.Heading{match.West, match.North, match.East, match.South} {
		ship := d.inHand(bow.Step(h.Turn(2), d.rules.Fleet[d.hand].Length-1), h)
		if _, err := d.with(d.hand, ship); err == nil {
			ships = append(ships, ship)
		}
	}
	return ships
}
