package play

import (
	"broadside/match"
)

// draft is a fleet that is being placed, and the ship in hand.
type draft struct {
	rules   match.Rules
	layout  match.Layout // nil until the rules are known
	hand    int          // index of the ship in hand; len(layout) if there is none
	order   []int        // in which the ships were placed
	at      match.Cell   // of the stern of the ship in hand
	heading match.Heading
}

// begin starts with no ships placed, once the rules of the match are known.
func (d *draft) begin(r match.Rules) {
	if d.layout == nil && len(r.Fleet) > 0 {
		d.rules = r
		d.clear()
	}
}

// done reports whether all ships are placed.
func (d *draft) done() bool { return d.hand == len(d.layout) }

// turn turns the ship in hand.
func (d *draft) turn() { d.heading = d.turned(d.heading) }

// turned returns the other heading that a ship can have, or the next one if it
// matters which end is the bow.
func (d *draft) turned(h match.Heading) match.Heading {
	if d.rules.Moving {
		return h.Turn(1)
	}
	if h == match.East || h == match.West {
		return match.South
	}
	return match.East
}

// withShipInHand returns the layout with the ship in hand where it is shown, and what is wrong
// with that.
func (d *draft) withShipInHand() (match.Layout, error) {
	return d.with(d.hand, match.Ship{Stern: d.at, Heading: d.heading, Length: d.rules.Fleet[d.hand].Length})
}

// with returns the layout with another ship, and what is wrong with that.
func (d *draft) with(i int, ship match.Ship) (match.Layout, error) {
	l := append(match.Layout(nil), d.layout...)
	l[i] = ship
	return l, d.rules.CheckShip(l, i)
}

// placeShip places the ship in hand where it is shown, and takes the next one in hand.
func (d *draft) placeShip() error {
	l, err := d.withShipInHand()
	if err != nil {
		return err
	}
	d.layout = l
	d.order = append(d.order, d.hand)
	d.next(d.hand + 1)
	return nil
}

// moveToFreeCells moves the ship in hand to the nearest cell where it can lie with its
// heading, if there is one: it cannot lie on the ship that has just been placed.
func (d *draft) moveToFreeCells() {
	if d.done() {
		return
	}
	from, nearest := d.at, 2*d.rules.Size
	cells := d.rules.Board()
	for c := range cells.All() {
		away := abs(int(c.X-from.X)) + abs(int(c.Y-from.Y))
		if away >= nearest {
			continue
		}
		if _, err := d.with(d.hand, match.Ship{Stern: c, Heading: d.heading, Length: d.rules.Fleet[d.hand].Length}); err == nil {
			d.at, nearest = c, away
		}
	}
}

func abs(n int) int { return max(n, -n) }

// next takes the next ship that is not placed in hand, from ship i on.
func (d *draft) next(i int) {
	for n := range d.layout {
		if j := (i + n) % len(d.layout); d.layout[j].Length == 0 {
			d.hand = j
			return
		}
	}
	d.hand = len(d.layout)
}

// shipAt returns the index of the placed ship that lies on a cell, or [none].
func (d *draft) shipAt(at match.Cell) int { return shipAt(d.layout, at) }

// takeBack takes the ship under the cursor in hand again, or else the one that was
// placed last.
func (d *draft) takeBack() {
	ship := d.shipAt(d.at)
	if ship == none && len(d.order) > 0 {
		ship = d.order[len(d.order)-1]
	}
	if ship != none {
		d.pickUp(ship)
	}
}

// pickUp takes a placed ship in hand.
func (d *draft) pickUp(ship int) {
	d.at, d.heading, d.hand = d.layout[ship].Stern, d.layout[ship].Heading, ship
	d.layout[ship] = match.Ship{}
	kept := d.order[:0]
	for _, i := range d.order {
		if i != ship {
			kept = append(kept, i)
		}
	}
	d.order = kept
}

// clear takes all ships off the board.
func (d *draft) clear() {
	d.layout, d.order, d.hand = make(match.Layout, len(d.rules.Fleet)), nil, 0
}

// fill places a whole layout.
func (d *draft) fill(l match.Layout) {
	d.layout, d.order, d.hand = l, nil, len(l)
	for i := range l {
		d.order = append(d.order, i)
	}
}

// nearest returns the cell of the board that is nearest to a place.
func (d *draft) nearest(x, y int) match.Cell {
	last := d.rules.Size - 1
	return match.At(max(0, min(x, last)), max(0, min(y, last)))
}

// sterns returns the ways in which the ship in hand can lie with its bow at a cell.
func (d *draft) sterns(bow match.Cell) []match.Ship {
	var ships []match.Ship
	length := d.rules.Fleet[d.hand].Length
	for _, h := range [...]match.Heading{match.West, match.North, match.East, match.South} {
		ship := match.Ship{Stern: bow.Step(h.Turn(2), length-1), Heading: h, Length: length}
		if _, err := d.with(d.hand, ship); err == nil {
			ships = append(ships, ship)
		}
	}
	return ships
}
