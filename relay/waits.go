package relay

import (
	"maps"
	"sync"
	"time"

	"broadside/match"
)

// How long a program that kept an opponent waiting is not offered to anybody:
// twice as long each time, until it has behaved for forgetTime.
const (
	firstPause = time.Minute
	maxPause   = time.Hour
	forgetTime = 2 * time.Hour
)

// maxOffenders bounds how many are remembered. Beyond it, all are forgotten.
const maxOffenders = 10_000

// waits bounds the places in which programs wait for an opponent, and remembers
// which of them kept one waiting. Programs are told apart by their owner if they
// are registered, and else by where they are.
type waits struct {
	limit int // places of each origin

	mu        sync.Mutex
	places    map[string]int     // guarded by mu: taken, by origin
	offenders map[string]offence // guarded by mu: by origin
}

// offence is that programs of one origin kept opponents waiting.
type offence struct {
	times int
	until time.Time // they are not offered before
}

func newWaits(limit int) *waits {
	return &waits{limit: limit, places: map[string]int{}, offenders: map[string]offence{}}
}

// take takes a place, or reports that the origin has no more.
func (w *waits) take(origin string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.places[origin] >= w.limit {
		return false
	}
	w.places[origin]++
	return true
}

func (w *waits) give(origin string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.places[origin]--; w.places[origin] <= 0 {
		delete(w.places, origin)
	}
}

// blame notes that a program of the origin kept its opponent waiting.
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

// paused returns until when programs of the origin are not offered to anybody.
func (w *waits) paused(origin string) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.offenders[origin].until
}

// keptWaiting reports whether the loser of a match let its opponent wait: it did
// not move in time, or left before its first shot was answered, and not at once.
func keptWaiting(v *match.View) bool {
	if v.Winner != v.Viewer.Other() {
		return false
	}
	return v.Reason == match.Silent || v.Reason == match.Hangup && v.Charts[v.Viewer].Fired == 0 && v.Took > patienceTime
}

// patienceTime is how long an opponent may wait for a client that leaves.
const patienceTime = 5 * time.Second
