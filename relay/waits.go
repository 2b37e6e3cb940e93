package relay

import (
	"maps"
	"sync"
	"time"

	"broadside/match"
)

// A program that kept an opponent waiting is not offered to others for firstPause, and for
// twice as long each time up to maxPause, until it has behaved for forgetTime.
const (
	firstPause = time.Minute
	maxPause   = time.Hour
	forgetTime = 2 * time.Hour
)

// maxOffenders limits the number of offenders in memory. When it is reached, all are forgotten.
const maxOffenders = 10_000

// waits limits how many programs of one origin wait for an opponent, and remembers those
// that kept an opponent waiting. The origin is the owner of a registered program, or the
// address of any other one. Its methods are safe for concurrent use.
type waits struct {
	limit int // waiting programs per origin

	mu        sync.Mutex
	places    map[string]int     // guarded by mu: waiting programs, by origin
	offenders map[string]offence // guarded by mu: by origin
}

// offence counts how often programs of one origin kept an opponent waiting.
type offence struct {
	times int
	until time.Time // end of the pause
}

func newWaits(limit int) *waits {
	return &waits{limit: limit, places: map[string]int{}, offenders: map[string]offence{}}
}

// acquire acquires one of the origin's places; it returns false if there is none left.
func (w *waits) acquire(origin string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.places[origin] >= w.limit {
		return false
	}
	w.places[origin]++
	return true
}

func (w *waits) release(origin string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.places[origin]--; w.places[origin] <= 0 {
		delete(w.places, origin)
	}
}

// blame records that a program of the origin kept its opponent waiting.
func (w *waits) blame(origin string, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.DeleteFunc(w.offenders, func(_ string, o offence) bool { return now.After(o.until.Add(forgetTime)) })
	if len(w.offenders) >= maxOffenders {
		clear(w.offenders)
	}
	o := w.offenders[origin]
	pause := min(maxPause, firstPause<<min(o.times, 10))
	w.offenders[origin] = offence{o.times + 1, now.Add(pause)}
}

// paused returns the end of the origin's pause; zero if there is none.
func (w *waits) paused(origin string) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.offenders[origin].until
}

// keptWaiting reports whether the viewer lost because it kept its opponent waiting: it did
// not move in time, or it left after patienceTime without an answered shot.
func keptWaiting(v *match.View) bool {
	if v.Winner != v.Viewer.Other() {
		return false
	}
	return v.Reason == match.Silent || v.Reason == match.Hangup && v.Charts[v.Viewer].Fired == 0 && v.Took > patienceTime
}

// patienceTime is how soon a client may leave without a pause.
const patienceTime = 5 * time.Second
