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
	mu     sync.Mutex
	newest *group // guarded by mu
}

// group is a group of callers. The pacer's lock guards it.
type group struct {
	at      time.Time // when they may proceed
	callers int
	wakes   []func() // of those that wait for it
}

const (
	// groupSize is the number of callers in a group. Together they draw for about two
	// milliseconds.
	groupSize = 20
	// groupTime is the time per group. Two cores could draw more screens, but garbage
	// collection would then delay key presses.
	groupTime = groupSize * 2 * time.Millisecond
)

// Reserve reserves the next slot, and returns how long the caller must wait for it. Unless that is
// 0, wake is called then; it must not wait.
func (p *Pacer) Reserve(wake func()) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, g := time.Now(), p.newest
	if g == nil || g.callers == groupSize {
		g = &group{at: now}
		if p.newest != nil && now.Before(p.newest.at.Add(groupTime)) {
			g.at = p.newest.at.Add(groupTime)
		}
		p.newest = g
	}
	g.callers++
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

// wake wakes the callers of a group whose time has come.
func (p *Pacer) wake(g *group) {
	p.mu.Lock()
	wakes := g.wakes
	g.wakes = nil
	p.mu.Unlock()
	for _, wake := range wakes {
		wake()
	}
}

// Turn is the time at which a session may do work that a [Pacer] spreads. The zero value is a
// turn that has not been requested. Its methods may be called from any goroutine.
type Turn struct {
	mu sync.Mutex
	at time.Time // guarded by mu
}

// Request makes the pacer call wake when the session may work, even if a turn has come and has not
// ended. It does nothing if the session waits for its turn.
func (t *Turn) Request(p *Pacer, wake func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if now.Before(t.at) {
		return
	}
	wait := p.Reserve(wake)
	t.at = now.Add(wait)
	if wait == 0 {
		wake()
	}
}

// Comes reports whether the session may work now; it stays true until End. If no turn was
// requested, it requests one.
func (t *Turn) Comes(p *Pacer, wake func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if t.at.IsZero() {
		t.at = now.Add(p.Reserve(wake))
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
