package board_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
)

// TestMiniature draws the charts of random games, each more than once.
func TestMiniature(t *testing.T) {
	var cache text.Cache
	rng := rand.New(rand.NewPCG(1, 2))
	for _, rules := range []match.Rules{match.Classic(), match.Hasbro(), match.Naval()} {
		chart := match.NewChart(rules)
		for n := range 40 {
			at := match.At(rng.IntN(rules.Size), rng.IntN(rules.Size))
			if chart.Shots.Has(at) {
				continue
			}
			chart.Record(at, match.Water+match.Result(rng.IntN(3)))
			last := []match.Shot{{Cell: at, Number: n + 1}}
			for _, detail := range []term.Detail{term.Letters, term.Cells, term.Shapes, term.Waves, term.Letters} {
				got, want := board.Miniature(&cache, &chart, last, detail), board.Enemy(&chart, board.Nowhere, last...).Bare(detail)
				if !slices.Equal(got, want) {
					t.Fatalf("%s: with detail %d, after %d shots, the board is %q, not %q", rules.Name, detail, n+1, got, want)
				}
				if again := board.Miniature(&cache, &chart, last, detail); !rules.Moving && &again[0] != &got[0] {
					t.Fatalf("%s: the same board is drawn twice", rules.Name)
				}
			}
		}
	}
}
