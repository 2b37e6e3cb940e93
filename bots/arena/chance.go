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

// stream is a random source that can be reset to the start of any sequence of a seed.
type stream struct {
	pcg  rand.PCG
	rand *rand.Rand
}

func newStream() *stream {
	s := &stream{}
	s.rand = rand.New(&s.pcg)
	return s
}

// reset resets the stream to the sequence with the given key, which is a list of numbers and names.
func (s *stream) reset(seed uint64, what purpose, key ...any) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintln(h, what, key)
	s.pcg.Seed(seed, h.Sum64())
	return s.rand
}
