package session

import (
	"sync"
	"time"
)

// Pacer spreads over time the work that many sessions would do at once, such as redrawing
// their screens after a change that all of them show. It admits five hundred callers per
// second, so that active players' key presses are handled promptly, in groups, because
// waking an idle processor for each caller takes longer than drawing. The zero value is
// ready to use.
type Pacer struct {
	mu   sync.Mutex
	next time.Time // guarded by mu: when the next group may proceed
	free int       // guarded by mu: how many more callers may join that group
}

const (
	// pacerGroup is the number of callers in a group.
	pacerGroup = 5
	// pacerStep is the time per group. Two cores could draw more screens, but garbage
	// collection would then delay key presses.
	pacerStep = pacerGroup * 2 * time.Millisecond
)

// Delay reserves the next slot and returns how long the caller must wait for it.
func (p *Pacer) Delay() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.free == 0 {
		p.free = pacerGroup
		if p.next = p.next.Add(pacerStep); p.next.Before(now) {
			p.next = now
		}
	}
	p.free--
	return max(0, p.next.Sub(now))
}

// Turn is the time at which a session may do work that the [Pacer] spreads. The zero value is a
// turn that has not been requested.
type Turn struct{ at time.Time }

// Comes reports whether the session may work now; it stays true until End. Otherwise wake is called
// when the turn comes.
func (t *Turn) Comes(p *Pacer, wake func()) bool {
	now := time.Now()
	if !t.at.IsZero() {
		return !now.Before(t.at)
	}
	wait := p.Delay()
	if wait > 0 {
		t.at = now.Add(wait)
		time.AfterFunc(wait, wake)
	}
	return wait == 0
}

// End ends a turn that has come.
func (t *Turn) End() {
	if !t.at.IsZero() && !time.Now().Before(t.at) {
		t.at = time.Time{}
	}
}
