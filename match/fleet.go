package match

import "slices"

// Fleet is a layout under fire. It computes the result of each shot, and its ships may
// move.
type Fleet struct {
	layout Layout
	// ships has each cell's ship, counted from 1, or 0 if there is none.
	ships [Stride * MaxSize]uint8
	// unhit counts each ship's unhit cells.
	unhit [MaxShips]int8
	// afloat counts the ships that have an unhit cell.
	afloat int
	// hits has the hit cells of ships.
	hits Set
}

// NewFleet returns a fleet without hits. The layout must be legal and must not be changed
// afterwards.
func NewFleet(l Layout) *Fleet {
	f := &Fleet{}
	f.Reset(l)
	return f
}

// Reset sets f to a fleet without hits, as [NewFleet] does.
func (f *Fleet) Reset(l Layout) {
	*f = Fleet{layout: l, afloat: len(l)}
	for i, ship := range l {
		f.unhit[i] = int8(ship.Length)
		f.setNumber(ship, uint8(i+1))
	}
}

// setNumber sets the cells of a ship to its number, or to 0 to remove it.
func (f *Fleet) setNumber(ship Ship, number uint8) {
	dx, dy := ship.Heading.delta()
	for n := range ship.Length {
		f.ships[Cell{X: ship.Stern.X + int8(n*dx), Y: ship.Stern.Y + int8(n*dy)}.bitIndex()] = number
	}
}

// moveShip changes the position of ship i. The ship keeps its hits.
func (f *Fleet) moveShip(i int, to Ship) {
	damage, from := f.shipDamage(i), f.layout[i].Cells()
	f.setNumber(f.layout[i], 0)
	f.setNumber(to, uint8(i+1))
	f.hits = f.hits.Minus(from)
	for n := range to.Length {
		if damage>>n&1 != 0 {
			f.hits.Add(to.Stern.Step(to.Heading, n))
		}
	}
	// Callers may still use the old layout.
	f.layout = slices.Clone(f.layout)
	f.layout[i] = to
}

// Status returns the information for the side's next move. fire has the enemy's shots,
// oldest first.
func (f *Fleet) Status(r Rules, fire []Shot) FleetStatus {
	return FleetStatus{Rules: r, Layout: f.layout, Damage: f.Damage(), EnemyShots: fire}
}

// ApplyMove makes a move. Its errors are those of [FleetStatus.CheckMove]. After an error, no ship has
// moved.
func (f *Fleet) ApplyMove(s FleetStatus, m Move) error {
	if err := s.CheckMove(m); err != nil || m == Stay {
		return err
	}
	f.moveShip(m.ShipIndex(), m.Kind().Apply(s.Layout[m.ShipIndex()]))
	return nil
}

// Layout returns the current layout. The caller must not change it. Later moves don't change
// it either.
func (f *Fleet) Layout() Layout { return f.layout }

// ShipsAfloat returns the number of ships afloat.
func (f *Fleet) ShipsAfloat() int { return f.afloat }

// Damage returns which segments of the ships are hit.
func (f *Fleet) Damage() (d Damage) {
	for i := range f.layout {
		d[i] = f.shipDamage(i)
	}
	return d
}

func (f *Fleet) shipDamage(i int) (d uint8) {
	ship := &f.layout[i]
	if int(f.unhit[i]) < ship.Length {
		for n := range ship.Length {
			if f.hits.Has(ship.Stern.Step(ship.Heading, n)) {
				d |= 1 << n
			}
		}
	}
	return d
}

// Fire fires at a cell and returns the result. A cell that was hit before is a hit while
// its ship is afloat, and sunk after that.
func (f *Fleet) Fire(cell Cell) Result {
	if !cell.isValid() {
		return Miss
	}
	ship := f.ships[cell.bitIndex()]
	if ship == 0 {
		return Miss
	}
	unhit := &f.unhit[ship-1]
	if !f.hits.Has(cell) {
		f.hits.Add(cell)
		*unhit--
		if *unhit == 0 {
			f.afloat--
		}
	}
	switch {
	case *unhit > 0:
		return Hit
	case f.afloat > 0:
		return Sunk
	}
	return LastSunk
}
