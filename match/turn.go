package match

import "slices"

// Turn is one side's turn and its progress. The side may move a ship, then names the cells of
// its shots. Once all cells are named, the other side reports results, which
// take effect once all have been reported. [Game.newTurn] derives a turn from the rules
// and the game, so a rule set with different turns needs changes only there and in
// [Rules.ShotsPerTurn].
type Turn struct {
	Side Side
	// CanMove reports whether the side may move a ship before it fires.
	CanMove bool
	// Shots is the number of cells to fire at. It is 0 if the turn consists of the move alone.
	Shots int
	// Targets lists the cells named so far, in order.
	Targets []Cell
	// Answers has the other side's results for the first targets.
	Answers []Result
}

// ShotsLeft returns how many cells have not been named yet.
func (t *Turn) ShotsLeft() int { return t.Shots - len(t.Targets) }

// IsPending reports whether all shots have been fired and wait for results.
func (t *Turn) IsPending() bool { return t.Shots > 0 && t.ShotsLeft() == 0 }

// isPartial reports whether some, but not all, cells have been named or results given.
func (t *Turn) isPartial() bool {
	return len(t.Answers) > 0 || len(t.Targets) > 0 && t.ShotsLeft() > 0
}

// actingSide returns the side whose command the turn waits for.
func (t *Turn) actingSide() Side {
	if t.IsPending() {
		return t.Side.Other()
	}
	return t.Side
}

// checkTargets returns an error if the side cannot fire at the cells as the next ones of its turn.
func (t *Turn) checkTargets(r *Rules, cells []Cell) error {
	switch {
	case len(cells) == 0:
		return ErrBadCommand
	case len(cells) > t.ShotsLeft():
		return ErrTooMany
	}
	for i, c := range cells {
		switch {
		case !r.Contains(c):
			return ErrOffBoard
		case slices.Contains(t.Targets, c) || slices.Contains(cells[:i], c):
			return ErrRepeated
		}
	}
	return nil
}

// ShotsPerTurn returns how many shots a side fires in one turn, given its number of ships afloat
// and its chart. A salvo never has more shots than there are cells not fired at.
func (r *Rules) ShotsPerTurn(afloat int, chart *Chart) int {
	if !r.Salvo {
		return 1
	}
	return max(1, min(afloat, r.Size*r.Size-chart.Shots.Len()))
}

// AppendTargets appends the cells of a turn's shots. It calls fire for each of them, with a
// chart on which the cells chosen before count as fired at.
func (c *Chart) AppendTargets(cells []Cell, shots int, fire func(*Chart) Cell) []Cell {
	if shots == 1 {
		return append(cells, fire(c))
	}
	known := *c
	for range shots {
		cell := fire(&known)
		cells = append(cells, cell)
		known.Shots.Add(cell)
	}
	return cells
}

func (g *Game) newTurn(side Side) Turn {
	enemy := &g.charts[side.Other()]
	shots := g.rules.ShotsPerTurn(enemy.ShipsAfloat(), &g.charts[side])
	fleet := g.fleets[side]
	return Turn{
		Side: side, Shots: shots, Targets: make([]Cell, 0, shots), Answers: make([]Result, 0, shots),
		CanMove: g.rules.Moving && fleet != nil && fleet.afloat > LastShips && enemy.Fired > 0,
	}
}

// startTurn starts a side's turn, or the other side's turn if this side has nothing to do.
func (g *Game) startTurn(side Side) {
	g.turn = g.newTurn(side)
	if g.turn.Shots == 0 && !g.turn.CanMove {
		g.turn = g.newTurn(side.Other())
	}
}

// recordTurn adds all results of a turn to the attacker's chart.
func (g *Game) recordTurn() {
	t := &g.turn
	chart := &g.charts[t.Side]
	shots := make([]Shot, 0, len(t.Answers))
	for i, r := range t.Answers {
		chart.Record(t.Targets[i], r)
		shots = append(shots, Shot{Cell: t.Targets[i], Result: r, Number: chart.Fired})
	}
	g.last[t.Side] = shots
	g.turns[t.Side]++
}
