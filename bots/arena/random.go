package arena

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// sourceKind distinguishes the random sources of a tournament.
type sourceKind int

const (
	layoutSource sourceKind = iota + 1
	playerSource
	targetSource
)

// newRand returns the random source of a seed with the given key, which is a list of numbers and names.
func newRand(seed uint64, what sourceKind, key ...any) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintln(h, what, key)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
