package arena

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// sourceKind distinguishes a tournament's random sources.
type sourceKind int

const (
	layoutSource sourceKind = iota + 1
	playerSource
	targetSource
)

// newRand returns a random source that depends only on the seed, the kind and the key, which is a list of
// numbers and names.
func newRand(seed uint64, kind sourceKind, key ...any) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintln(h, kind, key)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
