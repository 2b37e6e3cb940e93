package arena

import (
	"hash/fnv"
	"math/rand/v2"

	"broadside/bots/infer"
)

// purpose distinguishes the random sources of a tournament.
type purpose uint64

const (
	forLayouts purpose = iota + 1
	forPlayer
	forTarget
)

// stream is a random source that can be reset to the start of any sequence of a seed.
type stream struct {
	infer.SplitMix
	rand *rand.Rand
}

func newStream() *stream {
	s := &stream{}
	s.rand = rand.New(&s.SplitMix)
	return s
}

// reset resets the stream to the sequence identified by the given numbers.
func (s *stream) reset(seed uint64, what purpose, numbers ...uint64) *rand.Rand {
	x := infer.Scatter(seed + uint64(what)*infer.SplitMixStep)
	for _, n := range numbers {
		x = infer.Scatter(x ^ infer.Scatter(n+infer.SplitMixStep))
	}
	s.SplitMix = infer.SplitMix(x)
	return s.rand
}

// number64 returns a hash of a name.
func number64(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}
