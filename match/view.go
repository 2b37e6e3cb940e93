package match

// Shot is a shot and its answer. Number counts the side's shots from 1; it is
// 0 if the side has not fired yet.
type Shot struct {
	Cell   Cell
	Result Result
	Number int
}

// View is what one side, or a spectator, may see of a game: nothing that is
// hidden from the viewer is in it, so it can be handed to a screen, a bot or a
// wire as it is. A View is a value and shares nothing that changes.
type View struct {
	Rules    Rules
	Viewer   Side // Nobody for a spectator
	Phase    Phase
	Ready    [2]bool   // whose fleets are placed or kept
	Kept     [2]bool   // who answers for itself
	Turn     Side      // whose shot it is, in Battle
	Pending  bool      // that shot is fired and not answered yet
	Target   Cell      // the cell of the pending shot
	Charts   [2]Chart  // Charts[s]: what side s knows of the other board
	Last     [2]Shot   // Last[s]: the last answered shot of side s
	Fleets   [2]Layout // the viewer's own; after the end all that the game holds; else nil
	Disputed [2]bool   // whose answers cannot all be true
	Winner   Side      // once over; Nobody if nobody won
	Reason   Reason    // once over
}

// View is what a side may see, or a spectator if viewer is Nobody.
func (g *Game) View(viewer Side) (v View) {
	v = View{
		Rules: g.rules, Viewer: viewer, Phase: g.phase, Ready: g.ready,
		Turn: g.turn, Pending: g.pending, Charts: g.charts, Last: g.last,
		Disputed: g.disputed, Winner: g.winner, Reason: g.reason,
	}
	if g.pending {
		v.Target = g.target
	}
	for side := First; side <= Second; side++ {
		v.Kept[side] = g.ready[side] && g.fleets[side] == nil
		if f := g.fleets[side]; f != nil && (side == viewer || g.phase == Over) {
			v.Fleets[side] = f.layout
		}
	}
	return v
}

// Visible is the event as a side, or a spectator, may see it while the game
// runs: a layout is its owner's secret.
func (e Event) Visible(viewer Side) Event {
	if e.Kind == FleetPlaced && e.Side != viewer {
		e.Layout = nil
	}
	return e
}

// Berth is what a side's own board shows of one cell.
type Berth uint8

// The berths of a board.
const (
	Sea      Berth = iota // water, not shot at
	Splash                // water, shot at and missed
	Hull                  // a ship, unhit
	HullHit               // a ship's cell, hit; the ship floats
	HullSunk              // a sunk ship
)

// Board is what a side's own board shows of a cell. Where the side's fleet is
// not in the view, ships appear as the other side's shots have found them.
func (v *View) Board(side Side, cell Cell) Berth {
	enemy := &v.Charts[side.Other()]
	for _, ship := range v.Fleets[side] {
		hull := ship.Cells()
		if !hull.Has(cell) {
			continue
		}
		switch {
		case hull.Within(&enemy.Shots):
			return HullSunk
		case enemy.Shots.Has(cell):
			return HullHit
		}
		return Hull
	}
	switch enemy.At(cell) {
	case Wrecked:
		return HullSunk
	case Struck:
		return HullHit
	case Missed:
		return Splash
	}
	return Sea
}
