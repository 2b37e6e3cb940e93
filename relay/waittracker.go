package relay

import (
	"maps"
	"strings"
	"sync"
	"time"

	"broadside/match"
)

// A program that kept an opponent waiting is an offender for offenceTime. When another player waits, an
// offender lets others go first for courtesyTime.
const (
	offenceTime  = 10 * time.Minute
	courtesyTime = 2 * time.Second
)

// maxOffenders limits the number of offenders in memory. When it is reached, all are forgotten.
const maxOffenders = 10_000

// waitingPerOwner limits how many registered programs of one owner wait for an opponent.
const waitingPerOwner = 4

// ownerPrefix starts a registered program's origin.
const ownerPrefix = "account "

// waitTracker limits how many programs of one origin wait for an opponent, and remembers the
// origins of those that kept an opponent waiting. The origin is a registered program's owner, or any
// other program's address. Its methods are safe for concurrent use.
type waitTracker struct {
	limitPerAddr int

	// mu guards waiting and offenders.
	mu sync.Mutex
	// waiting counts waiting programs by origin.
	waiting map[string]int
	// offenders has the time of each origin's last offence.
	offenders map[string]time.Time
}

func newWaitTracker(limitPerAddr int) *waitTracker {
	return &waitTracker{limitPerAddr: limitPerAddr, waiting: map[string]int{}, offenders: map[string]time.Time{}}
}

// reservePlace reserves one of the origin's places. It returns false if there is none left.
func (w *waitTracker) reservePlace(origin string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	limit := w.limitPerAddr
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

// recordKeptWaiting records that a program of the origin kept its opponent waiting.
func (w *waitTracker) recordKeptWaiting(origin string, now time.Time) {
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
