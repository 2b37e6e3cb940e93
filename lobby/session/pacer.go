package session

import (
	"sync"
	"time"
)

// Pacer spreads over time the work that many sessions would do at once, such as redrawing
// their screens after a change that all of them show, so that key presses are still handled
// promptly. It admits 500 sessions per second, in groups, because waking an idle processor for
// each one would take longer than drawing its screen. A new session takes a
// place, too, which leaves time to draw its first screen. The zero value is ready to use.
type Pacer struct {
	mu     sync.Mutex
	newest *group // guarded by mu
}

// group is a group of sessions. The pacer's lock guards it.
type group struct {
	at    time.Time // when they may work
	size  int
	wakes []func() // of those that wait
}

const (
	// groupSize is the number of sessions in a group. Drawing all their screens takes about
	// two milliseconds.
	groupSize = 20
	// groupTime is the time per group. Two cores could draw more screens, but garbage
	// collection would then delay key presses.
	groupTime = groupSize * 2 * time.Millisecond
)

// reserve reserves a place in the next group, and returns how long to wait for it. Unless that is 0,
// wake is called then.
func (p *Pacer) reserve(wake func()) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	g := p.joinLocked(now)
	wait := max(0, g.at.Sub(now))
	if wait == 0 {
		return 0
	}
	if len(g.wakes) == 0 {
		time.AfterFunc(wait, func() { p.wake(g) })
	}
	g.wakes = append(g.wakes, wake)
	return wait
}

// joinLocked takes a place in the newest group, or in a new one if that is full.
func (p *Pacer) joinLocked(now time.Time) *group {
	g := p.newest
	if g == nil || g.size == groupSize {
		g = &group{at: now}
		if p.newest != nil && now.Before(p.newest.at.Add(groupTime)) {
			g.at = p.newest.at.Add(groupTime)
		}
		p.newest = g
	}
	g.size++
	return g
}

// wake wakes the sessions of a group whose time has come.
func (p *Pacer) wake(g *group) {
	p.mu.Lock()
	wakes := g.wakes
	g.wakes = nil
	p.mu.Unlock()
	for _, wake := range wakes {
		wake()
	}
}

// Turn is when a session may do the work that a [Pacer] spreads. Its methods may be called from
// any goroutine.
type Turn struct {
	pacer *Pacer
	wake  func()

	mu sync.Mutex
	at time.Time // guarded by mu; zero: no turn is requested
}

// NewTurn returns a turn that has not been requested. wake is called when the session may work; it
// must not wait. If the session draws screens, NewTurn takes a place for the first one.
func (p *Pacer) NewTurn(draws bool, wake func()) *Turn {
	p.mu.Lock()
	defer p.mu.Unlock()
	if draws {
		p.joinLocked(time.Now())
	}
	return &Turn{pacer: p, wake: wake}
}

// Request requests a turn, even if the last one has come but not ended. It does nothing while the
// session is waiting for one.
func (t *Turn) Request() {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if now.Before(t.at) {
		return
	}
	wait := t.pacer.reserve(t.wake)
	t.at = now.Add(wait)
	if wait == 0 {
		t.wake()
	}
}

// Comes reports whether the session may work now; it stays true until End. If no turn was
// requested, it requests one.
func (t *Turn) Comes() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if t.at.IsZero() {
		t.at = now.Add(t.pacer.reserve(t.wake))
	}
	return !now.Before(t.at)
}

// End ends a turn that has come.
func (t *Turn) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !time.Now().Before(t.at) {
		t.at = time.Time{}
	}
}
