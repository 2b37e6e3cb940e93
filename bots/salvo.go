package bots

import (
	"math/rand/v2"

	"broadside/match"
)

// salvo lets a strategy that chases one ship at a time fire several shots in a turn.
// Unanswered shots would make such a strategy give up a chase, and simultaneous answers
// would make it forget hits on other ships. Therefore salvo creates the strategy again in
// each turn and reports all hits on ships afloat to it.
type salvo struct {
	make  func(rng *rand.Rand) shooter
	seed  [2]uint64 // seed of every instance, so that all follow the same pattern
	inner shooter   // nil at the start of a turn
}

func newSalvo(c Config, make func(rng *rand.Rand) shooter) *salvo {
	return &salvo{make: make, seed: [2]uint64{c.Rand.Uint64(), c.Rand.Uint64()}}
}

// Fire implements [Bot]. It returns the strategy's choice.
func (b *salvo) Fire(chart *match.Chart) match.Cell {
	b.startTurn(chart)
	return b.inner.Fire(chart)
}

// startTurn starts a turn unless one is in progress.
func (b *salvo) startTurn(chart *match.Chart) {
	if b.inner != nil {
		return
	}
	b.inner = b.make(rand.New(rand.NewPCG(b.seed[0], b.seed[1])))
	for hit := range chart.Hits.All() {
		b.inner.Observe(hit, match.Hit)
	}
}

// Observe implements [Bot]. It ends the turn; the chart has the result.
func (b *salvo) Observe(match.Cell, match.Result) { b.inner = nil }

// OpenList implements [Lister].
func (b *salvo) OpenList(chart *match.Chart) ([]match.Cell, bool) {
	b.startTurn(chart)
	if l, ok := b.inner.(Lister); ok {
		return l.OpenList(chart)
	}
	return nil, false
}

// rereadsChart is implemented by strategies that evaluate all results at each shot, so hits need
// not be reported to them again.
type rereadsChart interface{ rereadsChart() }

func (b *admiral) rereadsChart() {}
func (b *tracker) rereadsChart() {}
