package relay

import (
	"maps"
	"strings"
	"sync"
	"time"

	"broadside/match"
)

// offenceTime is how long a program that kept an opponent waiting goes behind the others.
const offenceTime = 10 * time.Minute

// courtesyTime is how long such a program lets others go first when another player waits.
const courtesyTime = 2 * time.Second

// maxOffenders limits the number of offenders in memory. When it is reached, all are forgotten.
const maxOffenders = 10_000

// waitingPerOwner limits how many registered programs of one owner wait for an opponent.
const waitingPerOwner = 4

// ownerPrefix starts a registered program's origin.
const ownerPrefix = "account "

// waitTracker limits how many programs of one origin wait for an opponent, and remembers those
// that kept an opponent waiting. The origin is the owner of a registered program, or the
// address of any other one. Its methods are safe for concurrent use.
type waitTracker struct {
	limit int // waiting programs per address

	mu        sync.Mutex
	waiting   map[string]int       // guarded by mu: waiting programs, by origin
	offenders map[string]time.Time // guarded by mu: when they last kept an opponent waiting, by origin
}

func newWaitTracker(limit int) *waitTracker {
	return &waitTracker{limit: limit, waiting: map[string]int{}, offenders: map[string]time.Time{}}
}

// reservePlace acquires one of the origin's places; it returns false if there is none left.
func (w *waitTracker) reservePlace(origin string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	limit := w.limit
	if strings.HasPrefix(origin, ownerPrefix) {
		limit = waitingPerOwner
	}
	if w.waiting[origin] >= limit {
		return false
	}
	w.waiting[origin]++
	return true
}

func (w *waitTracker) releasePlace(origin string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting[origin]--; w.waiting[origin] <= 0 {
		delete(w.waiting, origin)
	}
}

// recordOffence records that a program of the origin kept its opponent waiting.
func (w *waitTracker) recordOffence(origin string, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.DeleteFunc(w.offenders, func(_ string, at time.Time) bool { return now.Sub(at) >= offenceTime })
	if len(w.offenders) >= maxOffenders {
		clear(w.offenders)
	}
	w.offenders[origin] = now
}

// isOffender reports whether a program of the origin has recently kept its opponent waiting.
func (w *waitTracker) isOffender(origin string, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, ok := w.offenders[origin]
	return ok && now.Sub(at) < offenceTime
}

// hasKeptWaiting reports whether the viewer lost because it kept its opponent waiting: it did
// not move in time, or it left after patienceTime without an answered shot.
func hasKeptWaiting(v *match.View) bool {
	if v.Winner != v.Viewer.Other() {
		return false
	}
	return v.Reason == match.Silent || v.Reason == match.Hangup && v.Charts[v.Viewer].Fired == 0 && v.Took > patienceTime
}

// patienceTime is how soon a client may leave without being blamed.
const patienceTime = 5 * time.Second
