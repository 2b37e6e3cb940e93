package bots

import (
	"broadside/bots/infer"
	"broadside/match"
)

// trackerBot fires at the cell most likely to hold an unhit part and follows the opponent's
// ships as they move.
type trackerBot struct {
	base
	belief *infer.Tracker
	// last has the last result, by cell.
	last []match.Result
	// shotsWithoutHit counts the shots since the last unexpected hit.
	shotsWithoutHit int
}

const (
	// patience is the number of consecutive shots without an unexpected hit after which the
	// beliefs are restarted.
	patience = 25
	// pursuit is the extra weight of parts of wounded ships. A ship that is not pursued is
	// soon lost.
	pursuit = 3
)

func newTrackerBot(c Config) *trackerBot {
	return &trackerBot{
		base:   base{rules: c.Rules, rng: c.Rand},
		belief: infer.NewTracker(c.Rules, c.Memory, c.Rand),
		last:   make([]match.Result, c.Rules.Size*c.Rules.Size),
	}
}

// Fire implements [Bot]. It returns the cell most likely to hold an unhit part of a ship.
func (b *trackerBot) Fire(chart *match.Chart) match.Cell {
	for _, shot := range b.newShots(chart) {
		b.observe(shot.Cell, shot.Result)
	}
	if b.shotsWithoutHit >= patience {
		b.belief.Restart(chart)
		b.shotsWithoutHit = 0
	}
	lost := (1 + float64(b.shotsWithoutHit*b.shotsWithoutHit)/50) * (1 - b.belief.StationaryOdds())
	chance := b.belief.CellOdds(pursuit)
	best, most := match.Cell{}, -1.0
	for c := range openCells(chart).All() {
		// Randomness breaks ties.
		p := (chance[b.cellIndex(c)] + lost*lostShipChance(chart, c)) * (1 + 0.02*b.rng.Float64())
		if p > most {
			best, most = c, p
		}
	}
	return best
}

// lostShipChance returns the probability that a cell holds a ship that the tracker has lost. It
// grows with the time since the last shot there.
func lostShipChance(chart *match.Chart, c match.Cell) float64 {
	const most = 1e-3
	age := chart.ShotAge(c)
	if age < 0 {
		age = chart.Fired
	}
	return most * float64(age) / float64(chart.Fired+1)
}

func (b *trackerBot) observe(cell match.Cell, r match.Result) {
	b.belief.Add(cell, r)
	last := &b.last[b.cellIndex(cell)]
	if b.shotsWithoutHit++; r != match.Miss && r != *last {
		b.shotsWithoutHit = 0
	}
	*last = r
}
