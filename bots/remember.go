package bots

import (
	"broadside/bots/infer"
	"broadside/match"
)

func init() {
	register(90, Info{Name: "memory", About: "where-it-has-hit-you", Learns: true}, plain(newRemember))
}

// remember shoots by a table of the cells that hit in earlier games against
// this opponent, the most fruitful first, ties at random: one of the
// documented ideas. Where the table knows nothing better, it hunts as hard
// does. What it hits it chases.
type remember struct {
	hard
	memory *infer.Memory
}

func newRemember(c Config) *remember {
	return &remember{hard: *newHard(c), memory: c.Memory}
}

// Fire goes on with the chase, or is the most fruitful of the open cells where
// a ship finds room.
func (b *remember) Fire(chart *match.Chart) match.Cell {
	open := openCells(chart)
	if next := b.candidates(open); !next.Empty() {
		return b.pick(b.fruitful(next))
	}
	if best := b.fruitful(roomy(chart, open)); !best.Empty() && b.seen(best.Nth(0)) > 0 {
		return b.pick(best)
	}
	return b.pick(b.grid(chart, open))
}

// fruitful returns those of some cells that have hit most often.
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

// seen returns the number of games in which a ship was found at a cell.
func (b *remember) seen(c match.Cell) int {
	if b.memory == nil {
		return 0
	}
	return b.memory.Ships[b.memory.Index(c)]
}
