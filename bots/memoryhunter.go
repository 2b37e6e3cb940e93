package bots

import (
	"broadside/bots/infer"
	"broadside/match"
)

// memoryHunter fires at the open cells that held a ship most often in earlier games against
// this opponent, an idea of the original system. Ties are broken at random. If its memory
// doesn't help, it hunts like hard. It chases ships that it has hit.
type memoryHunter struct {
	hard
	memory *infer.Memory
}

func newMemoryHunter(c Config) *memoryHunter {
	return &memoryHunter{hard: *newHard(c), memory: c.Memory}
}

// Fire implements [Bot]. It continues the chase, or returns the open cell with the most
// earlier hits among those where a ship fits.
func (b *memoryHunter) Fire(chart *match.Chart) match.Cell {
	open := openCells(chart)
	next := chaseTargets(chart, open)
	if !next.IsEmpty() {
		return b.pickRandom(b.mostUsedCells(next))
	}
	best := b.mostUsedCells(cellsWithRoom(chart, open))
	if !best.IsEmpty() && b.gamesWithShip(best.Nth(0)) > 0 {
		return b.pickRandom(best)
	}
	return b.pickRandom(b.huntingGrid(chart, open))
}

// mostUsedCells returns the subset of cells with the most earlier hits.
func (b *memoryHunter) mostUsedCells(cells match.Set) match.Set {
	var best match.Set
	most := 0
	for c := range cells.All() {
		n := b.gamesWithShip(c)
		if n > most {
			best, most = match.Set{}, n
		}
		if n == most {
			best.Add(c)
		}
	}
	return best
}

// gamesWithShip returns the number of games in which the opponent had a ship at a cell.
func (b *memoryHunter) gamesWithShip(c match.Cell) int {
	if b.memory == nil {
		return 0
	}
	return b.memory.Ships[b.memory.Index(c)]
}
