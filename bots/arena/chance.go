package arena

import (
	"hash/fnv"
	"math/rand/v2"
)

// purpose distinguishes the random sources of a tournament.
type purpose uint64

const (
	forLayouts purpose = iota + 1
	forPlayer
	forMover
)

// stream is a random source that can be set to the start of any sequence of a seed. It
// implements SplitMix64, one of the fastest generators that are good enough for games.
type stream struct {
	state uint64
	rand  *rand.Rand
}

func newStream() *stream {
	s := &stream{}
	s.rand = rand.New(s)
	return s
}

// golden is the increment of the state.
const golden = 0x9e3779b97f4a7c15

// Uint64 implements rand.Source.
func (s *stream) Uint64() uint64 {
	s.state += golden
	return scatter(s.state)
}

// begin sets the stream to the sequence of the given numbers.
func (s *stream) begin(seed uint64, what purpose, numbers ...uint64) *rand.Rand {
	s.state = scatter(seed + uint64(what)*golden)
	for _, n := range numbers {
		s.state = scatter(s.state ^ scatter(n+golden))
	}
	return s.rand
}

// scatter mixes 64 bits so that every bit of x affects the whole result. Adjacent games must
// not start with similar numbers.
func scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// number64 returns a hash of a name.
func number64(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}
