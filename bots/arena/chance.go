package arena

import (
	"hash/fnv"
	"math/rand/v2"
)

// purpose keeps the sources of a tournament apart.
type purpose uint64

const (
	forLayouts purpose = iota + 1
	forPlayer
)

// stream is a source of randomness that can be set to the beginning of any of
// the sequences that a seed stands for.
type stream struct {
	pcg  *rand.PCG
	rand *rand.Rand
}

func newStream() stream {
	pcg := rand.NewPCG(0, 0)
	return stream{pcg: pcg, rand: rand.New(pcg)}
}

// begin sets the stream to the sequence of the given numbers.
func (s stream) begin(seed uint64, what purpose, numbers ...uint64) *rand.Rand {
	h := scatter(seed + uint64(what)*0x9e3779b97f4a7c15)
	for _, n := range numbers {
		h = scatter(h ^ scatter(n+0x9e3779b97f4a7c15))
	}
	s.pcg.Seed(h, scatter(h))
	return s.rand
}

// scatter is a mixing of 64 bits in which every bit of x counts everywhere:
// neighbouring games must not begin alike.
func scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// number64 is a number for a name.
func number64(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}
