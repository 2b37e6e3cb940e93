package ratelimit

import (
	"errors"
	"net/netip"
	"sync"
	"time"
)

// The wrong codes that [Guesses] lets through. SECURITY.md derives from these
// numbers how long it takes to guess a code.
const (
	GuessBurst      = 10     // from one address at once
	GuessesPerHour  = 60     // from one address after that
	TotalGuessBurst = 1_000  // from all addresses at once
	TotalPerHour    = 50_000 // from all addresses after that
)

// Why a code is not looked at, as sentences for the person without capital or
// full stop.
var (
	ErrGuesses      = errors.New("too many wrong codes came from your address: try again in a minute")
	ErrTotalGuesses = errors.New("too many wrong codes are tried on this server: try again in a minute")
)

// Guesses limits how many wrong codes can be tried, from each address and in
// total. The zero value is ready to use. Its methods may be called from any
// goroutine.
type Guesses struct {
	mu    sync.Mutex
	ended sync.Cond               // a look-up has ended; its lock is mu
	total spent                   // guarded by mu
	by    map[netip.Prefix]*spent // guarded by mu: addresses with wrong codes; the total limit bounds how many there are
	swept time.Time               // guarded by mu
}

// Try allows somebody at an address to look a code up, or returns [ErrGuesses] or
// [ErrTotalGuesses] if there have been too many wrong codes. The caller must call
// end once it is known whether the code was right. Until then the code counts as
// wrong, which keeps many sessions from trying codes at the same moment; where
// only such codes use up what is allowed, Try waits for their ends.
func (g *Guesses) Try(a netip.Addr) (end func(right bool), err error) {
	k := Network(a)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended.L = &g.mu
	for {
		now := time.Now()
		g.sweep(now)
		one := g.by[k]
		if one == nil {
			one = &spent{}
		}
		one.forgive(now, GuessesPerHour)
		g.total.forgive(now, TotalPerHour)
		switch {
		case one.n+1 > GuessBurst:
			return nil, ErrGuesses
		case g.total.n+1 > TotalGuessBurst:
			return nil, ErrTotalGuesses
		case one.allows(GuessBurst) && g.total.allows(TotalGuessBurst):
			return g.begin(k, one), nil
		}
		g.ended.Wait()
	}
}

// begin notes that a code is being looked up, and returns what ends that. It
// requires g.mu to be held.
func (g *Guesses) begin(k netip.Prefix, one *spent) (end func(right bool)) {
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

// sweep forgets addresses whose wrong codes no longer count. It requires g.mu to
// be held.
func (g *Guesses) sweep(now time.Time) {
	if now.Sub(g.swept) < sweepEvery {
		return
	}
	g.swept = now
	for k, s := range g.by {
		if s.forgive(now, GuessesPerHour); s.n == 0 && s.open == 0 {
			delete(g.by, k)
		}
	}
}

// spent is how much of an allowance is used up.
type spent struct {
	n    float64   // wrong codes; it shrinks with time
	open float64   // codes that are being looked up
	at   time.Time // when n was last brought up to date
}

// forgive brings s up to date.
func (s *spent) forgive(now time.Time, perHour float64) {
	s.n = max(0, s.n-perHour*now.Sub(s.at).Hours())
	s.at = now
}

// allows reports whether one more is allowed even if all open ones turn out to be
// wrong.
func (s *spent) allows(burst float64) bool { return s.n+s.open+1 <= burst }

func (s *spent) end(right bool) {
	if s.open--; !right {
		s.n++
	}
}
