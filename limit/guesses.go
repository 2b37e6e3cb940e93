package limit

import (
	"net/netip"
	"sync"
	"time"

	"broadside/words"
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
	ErrGuesses      = words.Errorf("too many wrong codes came from your address: try again in a minute")
	ErrTotalGuesses = words.Errorf("too many wrong codes are tried on this server: try again in a minute")
)

// Guesses limits how many wrong codes can be tried, from each address and in
// total. The zero value is ready to use. Its methods may be called from any
// goroutine and do not wait.
type Guesses struct {
	mu    sync.Mutex
	total spent                   // guarded by mu
	by    map[netip.Prefix]*spent // guarded by mu: addresses with wrong codes; the total limit bounds how many there are
	swept time.Time               // guarded by mu
}

// Try counts a wrong code from an address, or returns [ErrGuesses] or
// [ErrTotalGuesses] if there have been too many; then the code must not be
// looked up. If the code turns out to be right, call right to take the count
// back. Counting first keeps many sessions from trying codes at the same moment.
func (g *Guesses) Try(a netip.Addr) (right func(), err error) {
	k, now := Network(a), time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sweep(now)
	one := g.by[k]
	if one == nil {
		one = &spent{}
	}
	switch {
	case !one.allows(now, GuessBurst, GuessesPerHour):
		return nil, ErrGuesses
	case !g.total.allows(now, TotalGuessBurst, TotalPerHour):
		return nil, ErrTotalGuesses
	}
	if g.by == nil {
		g.by = map[netip.Prefix]*spent{}
	}
	g.by[k] = one
	one.n++
	g.total.n++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		one.n--
		g.total.n--
	}, nil
}

// sweep forgets addresses whose wrong codes no longer count. It requires g.mu to
// be held.
func (g *Guesses) sweep(now time.Time) {
	if now.Sub(g.swept) < sweepEvery {
		return
	}
	g.swept = now
	for k, s := range g.by {
		if s.forgive(now, GuessesPerHour); s.n == 0 {
			delete(g.by, k)
		}
	}
}

// spent is how much of an allowance is used up. It shrinks with time.
type spent struct {
	n  float64
	at time.Time // when n was last brought up to date
}

// forgive brings s up to date.
func (s *spent) forgive(now time.Time, perHour float64) {
	s.n = max(0, s.n-perHour*now.Sub(s.at).Hours())
	s.at = now
}

// allows brings s up to date and reports whether one more is allowed.
func (s *spent) allows(now time.Time, burst, perHour float64) bool {
	s.forgive(now, perHour)
	return s.n+1 <= burst
}
