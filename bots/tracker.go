package bots

import (
	"broadside/bots/infer"
	"broadside/match"
)

func init() {
	register(150, Info{Name: "tracker", About: "where-it-believes-your-ships", Mover: "evade", Learns: true, Afloat: true}, plain(newTracker))
}

// tracker shoots where a part that is not hit is most likely, following the ships
// of the opponent as they move.
type tracker struct {
	base
	belief *infer.Tracker
	last   []match.Result // by cell: the last answer
	dry    int            // shots since the last one that hit what was not known to be there
}

const (
	// patience is for how many shots without news it believes what it does.
	patience = 25
	// pursuit is what a part of a ship that was hit counts for more: a ship that is
	// not pursued is soon lost.
	pursuit = 3
)

func newTracker(c Config) *tracker {
	return &tracker{
		base:   base{c.Rules, c.Rand},
		belief: infer.NewTracker(c.Rules, c.Memory, c.Rand),
		last:   make([]match.Result, c.Rules.Size*c.Rules.Size),
	}
}

func (*tracker) afloat() {}

// Fire returns the cell where a part of a ship that is not hit is most likely.
func (b *tracker) Fire(chart *match.Chart) match.Cell {
	if b.dry >= patience {
		b.belief.Restart(chart)
		b.dry = 0
	}
	lost := (1 + float64(b.dry*b.dry)/50) * (1 - b.belief.Stationary())
	chance := b.belief.Chances(pursuit)
	best, most := match.Cell{}, -1.0
	for c := range openCells(chart).All() {
		// Chance decides between cells that are alike.
		p := (chance[b.number(c)] + lost*stray(chart, c)) * (1 + 0.02*b.rng.Float64())
		if p > most {
			best, most = c, p
		}
	}
	return best
}

// stray returns the chance that a cell holds a ship that was lost track of. It
// grows with the time since the last shot there.
func stray(chart *match.Chart, c match.Cell) float64 {
	const most = 1e-3
	age := chart.Age(c)
	if age < 0 {
		age = chart.Fired
	}
	return most * float64(age) / float64(chart.Fired+1)
}

// Told enters an answer.
func (b *tracker) Told(cell match.Cell, r match.Result) {
	b.belief.Add(cell, r)
	last := &b.last[b.number(cell)]
	if b.dry++; r != match.Water && r != *last {
		b.dry = 0
	}
	*last = r
}
