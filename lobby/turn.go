package lobby

import (
	"sync"
	"time"
)

// Turns spreads work that many sessions could do at the same moment evenly over
// time. The zero value can be used.
type Turns struct {
	mu   sync.Mutex
	next time.Time // guarded by mu: when the next caller may pass
}

const (
	// turnEvery is the time for each caller. Two cores could draw more, but the
	// garbage of it would have to be collected while people press keys.
	turnEvery = 2 * time.Millisecond
	// turnSlack is a wait that is not worth it.
	turnSlack = 5 * time.Millisecond
)

// Take returns how long the caller waits for its turn, and gives the next turn to
// the next caller.
func (t *Turns) Take() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if t.next.Before(now) {
		t.next = now
	}
	wait := t.next.Sub(now)
	t.next = t.next.Add(turnEvery)
	if wait < turnSlack {
		return 0
	}
	return wait
}

// TurnIn returns how long the caller waits before it draws a screen again because of
// something that all see. Five hundred callers pass each second: so a change that
// thousands see does not delay the keys that players have just pressed.
func (l *Lobby) TurnIn() time.Duration { return l.turns.Take() }
