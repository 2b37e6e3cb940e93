package bots

import "broadside/match"

// afresh lets a strategy that takes every answer for lasting truth play where
// ships move. It searches the board as if ships lay at anchor, on a chart of
// its own, and once nothing is left there it searches all of it again, with a
// strategy made anew: only sunk ships, and what follows from them, are
// remembered.
type afresh struct {
	base
	make  func() shooter
	inner shooter
	chart match.Chart // what this search has found, under rules where nothing moves
}

func newAfresh(c Config, make func() shooter) *afresh {
	b := &afresh{base: base{c.Rules, c.Rand}, make: make}
	chart := match.NewChart(c.Rules)
	b.begin(&chart)
	return b
}

// begin begins a search.
func (b *afresh) begin(known *match.Chart) {
	b.inner = b.make()
	b.chart = match.NewChart(anchored(b.rules))
	b.chart.Afloat, b.chart.SunkShips = known.Afloat, known.SunkShips
	b.learn(known)
}

// anchored returns the same rules without moves.
func anchored(r match.Rules) match.Rules {
	r.Moving = false
	return r
}

// learn enters what is true for good.
func (b *afresh) learn(known *match.Chart) {
	b.chart.Shots = b.chart.Shots.Union(known.Sunk)
	b.chart.Sunk = b.chart.Sunk.Union(known.Sunk)
	b.chart.Hits = b.chart.Hits.Minus(known.Sunk).Minus(known.Deduced)
	b.chart.Deduced = b.chart.Deduced.Union(known.Deduced).Minus(b.chart.Shots)
}

// Fire returns where the strategy shoots. A cell that cannot hold anything new is
// replaced by another one.
func (b *afresh) Fire(known *match.Chart) match.Cell {
	open := openCells(known)
	b.learn(known)
	if left := b.chart.Open().Intersect(open); left.Empty() || b.chart.Afloat == [len(b.chart.Afloat)]uint8{} {
		b.begin(known)
	}
	if c := b.inner.Fire(&b.chart); open.Has(c) {
		return c
	}
	return b.pick(open)
}

// Move returns what the strategy does, if it is one that moves.
func (b *afresh) Move(helm match.Helm) match.Move {
	if m, ok := b.inner.(Mover); ok {
		return m.Move(helm)
	}
	return match.Stay
}

// OpenList implements [Lister].
func (b *afresh) OpenList(*match.Chart) ([]match.Cell, bool) {
	if l, ok := b.inner.(Lister); ok {
		return l.OpenList(&b.chart)
	}
	return nil, false
}

// Told follows the answers.
func (b *afresh) Told(cell match.Cell, r match.Result) {
	b.chart.Record(cell, r)
	b.inner.Told(cell, r)
}
