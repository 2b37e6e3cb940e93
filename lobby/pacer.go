package lobby

import (
	"sync"
	"time"
)

// Pacer spreads work that many sessions would do at the same moment evenly over time:
// drawing screens again when something changes that everybody sees. It lets five hundred
// callers pass each second, so that the keys of players who are active are handled at
// once. The zero value is ready to use.
type Pacer struct {
	mu   sync.Mutex
	next time.Time // guarded by mu: when the next caller may pass
}

const (
	// pacerStep is the time for each caller. Two cores could draw more, but would have
	// to collect the garbage while players press keys.
	pacerStep = 2 * time.Millisecond
	// pacerSlack is the longest delay that is not worth a timer.
	pacerSlack = 5 * time.Millisecond
)

// Delay returns how long the caller has to wait. It reserves the next place for the
// next caller.
func (p *Pacer) Delay() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.next.Before(now) {
		p.next = now
	}
	wait := p.next.Sub(now)
	p.next = p.next.Add(pacerStep)
	if wait < pacerSlack {
		return 0
	}
	return wait
}
