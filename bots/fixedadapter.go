package bots

import "broadside/match"

// fixedAdapter adapts a strategy for fixed ships to rules that let ships move. It searches the
// board as if ships were fixed, using its own chart. When no cell is left, it creates a new
// instance of the strategy and keeps only the facts about sunk ships.
type fixedAdapter struct {
	base
	make func(fixed Config) (shooter, error)
	// fixed is the same configuration for rules without moves.
	fixed    Config
	strategy shooter
	// chart has the results of this search.
	chart match.Chart
}

func newFixedAdapter(c Config, make func(fixed Config) (shooter, error)) *fixedAdapter {
	b := &fixedAdapter{base: base{rules: c.Rules, rng: c.Rand}, make: make, fixed: c}
	b.fixed.Rules.Moving = false
	chart := match.NewChart(c.Rules)
	b.startSearch(&chart)
	return b
}

// startSearch starts a search. If the strategy cannot be created again, because its file has gone, it
// continues with the old instance.
func (b *fixedAdapter) startSearch(known *match.Chart) {
	if s, err := b.make(b.fixed); err == nil {
		b.strategy = s
	}
	b.chart = match.NewChart(b.fixed.Rules)
	b.chart.Afloat, b.chart.SunkShips = known.Afloat, known.SunkShips
	b.learnSunkShips(known)
}

// learnSunkShips adds the facts that remain true when ships move.
func (b *fixedAdapter) learnSunkShips(known *match.Chart) {
	b.chart.Shots = b.chart.Shots.Union(known.Sunk)
	b.chart.Sunk = b.chart.Sunk.Union(known.Sunk)
	b.chart.Hits = b.chart.Hits.Minus(known.Sunk).Minus(known.Deduced)
	b.chart.Deduced = b.chart.Deduced.Union(known.Deduced).Minus(b.chart.Shots)
}

// Fire implements [Bot]. It replaces cells that cannot hold an unhit part of a ship.
func (b *fixedAdapter) Fire(known *match.Chart) match.Cell {
	b.record(known)
	open := openCells(known)
	b.learnSunkShips(known)
	left := b.chart.OpenCells().Intersect(open)
	if left.IsEmpty() || b.chart.Afloat == [len(b.chart.Afloat)]uint8{} {
		b.startSearch(known)
	}
	c := b.strategy.Fire(&b.chart)
	if open.Has(c) {
		return c
	}
	return b.pickRandom(open)
}

func (b *fixedAdapter) record(known *match.Chart) {
	for _, shot := range b.newShots(known) {
		b.chart.Record(shot.Cell, shot.Result)
	}
}

// Move implements [Bot]. It returns the strategy's own move, if it has one.
func (b *fixedAdapter) Move(status match.FleetStatus) match.Move {
	if m, ok := b.strategy.(mover); ok {
		return m.Move(status)
	}
	return match.Stay
}

// OpenList implements [Lister].
func (b *fixedAdapter) OpenList(known *match.Chart) ([]match.Cell, bool) {
	b.record(known)
	if l, ok := b.strategy.(Lister); ok {
		return l.OpenList(&b.chart)
	}
	return nil, false
}
