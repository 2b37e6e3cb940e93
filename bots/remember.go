package bots

import (
	"broadside/bots/infer"
	"broadside/match"
)

// remember is one of the documented ideas: it shoots at the open cells that held a ship
// most often in earlier games against this opponent; ties are broken at random. If the
// table doesn't help, it hunts like hard. It chases ships that it has hit.
type remember struct {
	hard
	memory *infer.Memory
}

func newRemember(c Config) *remember {
	return &remember{hard: *newHard(c), memory: c.Memory}
}

// Fire implements [Bot]. It continues the chase, or returns the open cell with the most
// earlier hits among those where a ship fits.
func (b *remember) Fire(chart *match.Chart) match.Cell {
	open := openCells(chart)
	next := chase(chart, open)
	if !next.IsEmpty() {
		return b.pick(b.fruitful(next))
	}
	best := b.fruitful(roomy(chart, open))
	if !best.IsEmpty() && b.seen(best.Nth(0)) > 0 {
		return b.pick(best)
	}
	return b.pick(b.grid(chart, open))
}

// fruitful returns the subset of cells with the most earlier hits.
func (b *remember) fruitful(cells match.Set) match.Set {
	var best match.Set
	most := 0
	for c := range cells.All() {
		n := b.seen(c)
		if n > most {
			best, most = match.Set{}, n
		}
		if n == most {
			best.Add(c)
		}
	}
	return best
}

// seen returns the number of games in which the opponent had a ship at a cell.
func (b *remember) seen(c match.Cell) int {
	if b.memory == nil {
		return 0
	}
	return b.memory.Ships[b.memory.Index(c)]
}
