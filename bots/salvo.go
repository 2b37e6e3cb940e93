package bots

import (
	"math/rand/v2"

	"broadside/match"
)

// salvo lets a strategy that chases one ship at a time fire several shots in a turn.
// Cells that are fired at and not answered would lead such a strategy to give up a
// chase, and answers that come together would make it forget hits on other ships. So
// it is made anew in each turn, and told of all hits on ships that still float.
type salvo struct {
	make  func(rng *rand.Rand) shooter
	seed  [2]uint64 // of each of the strategies, so that all follow the same pattern
	inner shooter   // nil at the beginning of a turn
}

func newSalvo(c Config, make func(rng *rand.Rand) shooter) *salvo {
	return &salvo{make: make, seed: [2]uint64{c.Rand.Uint64(), c.Rand.Uint64()}}
}

// Fire returns where the strategy shoots.
func (b *salvo) Fire(chart *match.Chart) match.Cell {
	b.begin(chart)
	return b.inner.Fire(chart)
}

// begin begins a turn, unless it has begun.
func (b *salvo) begin(chart *match.Chart) {
	if b.inner != nil {
		return
	}
	b.inner = b.make(rand.New(rand.NewPCG(b.seed[0], b.seed[1])))
	for hit := range chart.Hits.All() {
		b.inner.Told(hit, match.Hit)
	}
}

// Told ends the turn: the chart has the answer.
func (b *salvo) Told(match.Cell, match.Result) { b.inner = nil }

// OpenList implements [Lister].
func (b *salvo) OpenList(chart *match.Chart) ([]match.Cell, bool) {
	b.begin(chart)
	if l, ok := b.inner.(Lister); ok {
		return l.OpenList(chart)
	}
	return nil, false
}

// recalls is implemented by strategies that draw their conclusions from all answers
// whenever they fire, and need not be told of hits again.
type recalls interface{ recalls() }

func (b *commodore) recalls() {}
func (b *admiral) recalls()   {}
func (b *tracker) recalls()   {}
