package infer

// SplitMix is the SplitMix64 random number generator, one of the fastest that is good
// enough for games. Any value is a valid seed. It implements [rand.Source].
type SplitMix uint64

// SplitMixStep is added to the state for each number.
const SplitMixStep = 0x9e3779b97f4a7c15

// Uint64 returns 64 random bits.
func (s *SplitMix) Uint64() uint64 {
	*s += SplitMixStep
	return Scatter(uint64(*s))
}

// Float64 returns a uniform number in [0, 1).
func (s *SplitMix) Float64() float64 { return float64(s.Uint64()>>11) / (1 << 53) }

// Scatter mixes 64 bits so that every bit of x affects all bits of the result. Consecutive
// inputs give unrelated results.
func Scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
