package arena

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// purpose distinguishes the random sources of a tournament.
type purpose int

const (
	forLayouts purpose = iota + 1
	forPlayer
	forTarget
)

// newRand returns the random source of a seed with the given key, which is a list of numbers and names.
func newRand(seed uint64, what purpose, key ...any) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintln(h, what, key)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
