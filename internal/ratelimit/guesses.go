package ratelimit

import (
	"errors"
	"net/netip"
	"sync"
	"time"
)

// The limits of wrong codes in [Guesses]. SECURITY.md derives from them how long it takes to
// guess a code.
const (
	GuessBurst      = 10     // from one address at once
	GuessesPerHour  = 60     // from one address after that
	TotalGuessBurst = 1_000  // from all addresses at once
	TotalPerHour    = 50_000 // from all addresses after that
)

// Errors of [Guesses.Try].
var (
	ErrGuesses      = errors.New("too many wrong codes came from your address: try again in a minute")
	ErrTotalGuesses = errors.New("too many wrong codes are tried on this server: try again in a minute")
)

// Guesses limits how many wrong codes can be tried, per address and in total. The zero value
// is ready to use. Its methods may be called from any goroutine.
type Guesses struct {
	mu    sync.Mutex
	ended sync.Cond               // signals the end of a lookup; uses mu
	total spent                   // guarded by mu
	by    map[netip.Prefix]*spent // guarded by mu: addresses with wrong codes; the total limit bounds how many there are
	swept time.Time               // guarded by mu
}

// Try permits a client at an address to look up a code, or returns [ErrGuesses] or
// [ErrTotalGuesses] after too many wrong codes. The caller must call end with the result
// of the lookup. Until then, the code counts as wrong, so that many sessions cannot try
// codes at the same time. If only pending lookups exhaust the limit, Try waits for them.
func (g *Guesses) Try(a netip.Addr) (end func(right bool), err error) {
	k := Network(a)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended.L = &g.mu
	for {
		now := time.Now()
		g.sweepLocked(now)
		one := g.by[k]
		if one == nil {
			one = &spent{}
		}
		one.decay(now, GuessesPerHour)
		g.total.decay(now, TotalPerHour)
		switch {
		case one.n+1 > GuessBurst:
			return nil, ErrGuesses
		case g.total.n+1 > TotalGuessBurst:
			return nil, ErrTotalGuesses
		case one.allows(GuessBurst) && g.total.allows(TotalGuessBurst):
			return g.startLocked(k, one), nil
		}
		g.ended.Wait()
	}
}

// startLocked counts a pending lookup and returns the function that ends it.
func (g *Guesses) startLocked(k netip.Prefix, one *spent) (end func(right bool)) {
	if g.by == nil {
		g.by = map[netip.Prefix]*spent{}
	}
	g.by[k] = one
	one.open++
	g.total.open++
	return func(right bool) {
		g.mu.Lock()
		defer g.mu.Unlock()
		one.end(right)
		g.total.end(right)
		g.ended.Broadcast()
	}
}

// sweepLocked removes addresses whose wrong codes no longer count.
func (g *Guesses) sweepLocked(now time.Time) {
	if now.Sub(g.swept) < sweepEvery {
		return
	}
	g.swept = now
	for k, s := range g.by {
		if s.decay(now, GuessesPerHour); s.n == 0 && s.open == 0 {
			delete(g.by, k)
		}
	}
}

// spent is the used part of a limit.
type spent struct {
	n    float64   // wrong codes; decreases over time
	open float64   // pending lookups
	at   time.Time // time of n
}

// decay updates n for the time that has passed.
func (s *spent) decay(now time.Time, perHour float64) {
	s.n = max(0, s.n-perHour*now.Sub(s.at).Hours())
	s.at = now
}

// allows reports whether one more lookup is within the limit even if all pending ones turn out
// to be wrong.
func (s *spent) allows(burst float64) bool { return s.n+s.open+1 <= burst }

func (s *spent) end(right bool) {
	if s.open--; !right {
		s.n++
	}
}
