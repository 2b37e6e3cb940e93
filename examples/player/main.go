// Command player plays on standard input and output: broadside connect HOST -- ./player
package main

import (
	"math/rand/v2"
	"os"

	"broadside/match"
	"broadside/relay/client"
)

type player struct{ rng *rand.Rand }

func (p player) Place() match.Layout { return match.Classic().RandomLayout(p.rng) }

// Fire is your strategy: it returns an open cell. The chart has the results of the attacks so far.
func (p player) Fire(chart *match.Chart) match.Cell {
	return chart.OpenCells().Nth(p.rng.IntN(chart.OpenCells().Len()))
}
func main() {
	p := player{rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))}
	// The error describes the faulty input.
	_ = client.PlayStream(os.Stdin, os.Stdout, match.Classic(), func() client.Player { return p })
}
