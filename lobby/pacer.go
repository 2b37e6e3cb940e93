package lobby

import (
	"sync"
	"time"
)

// Pacer spreads over time the work that many sessions would do at once, such as redrawing
// their screens after a change that all of them show. It admits five hundred callers per
// second, so that active players' key presses are handled promptly. The zero value is
// ready to use.
type Pacer struct {
	mu   sync.Mutex
	next time.Time // guarded by mu: when the next caller may proceed
}

const (
	// pacerStep is the time per caller. Two cores could draw more screens, but garbage
	// collection would then delay key presses.
	pacerStep = 2 * time.Millisecond
	// pacerSlack is the longest delay that is too short to need a timer.
	pacerSlack = 5 * time.Millisecond
)

// Delay reserves the next slot and returns how long the caller must wait for it.
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
