package arena

import (
	"sync"
	"time"
)

// schedule distributes the units of all pairings to the workers so that all pairings
// advance together. Its methods are safe for concurrent use.
type schedule struct {
	mu       sync.Mutex
	changed  sync.Cond // an ordered pairing was returned, or the schedule was closed
	pairings []*pairing
	closed   bool
}

func newSchedule(pairings []*pairing) *schedule {
	s := &schedule{pairings: pairings}
	s.changed.L = &s.mu
	return s
}

// job is a range of units of one pairing. An ordered pairing belongs to the worker until
// the job is returned.
type job struct {
	pairing  *pairing
	from, to int // units; to is excluded
}

const (
	// jobTime is the target duration of a job: long enough that scheduling costs nothing,
	// short enough to show progress and to stop soon.
	jobTime = 20 * time.Millisecond
	// maxJob is the maximum number of units of a job.
	maxJob = 256
)

// claim returns the next job, with at most n units. It blocks while other workers play all
// remaining pairings, and returns false when none are left.
func (s *schedule) claim(n int) (job, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if s.closed {
			return job{}, false
		}
		var best *pairing
		waiting := false
		for _, p := range s.pairings {
			p.skip()
			switch {
			case p.decided || p.next >= p.units:
			case p.busy:
				waiting = true
			case best == nil || p.next < best.next:
				best = p
			}
		}
		if best != nil {
			return best.nextJob(n), true
		}
		if !waiting {
			return job{}, false
		}
		s.changed.Wait()
	}
}

// skip advances next past units that were played in an earlier run.
func (p *pairing) skip() {
	for p.played[p.next] {
		p.next++
	}
}

func (p *pairing) nextJob(n int) job {
	j := job{pairing: p, from: p.next, to: p.next + 1}
	for j.to < p.units && j.to-j.from < n && !p.played[j.to] {
		j.to++
	}
	p.next = j.to
	p.busy = p.ordered
	return j
}

// finish returns a finished job.
func (s *schedule) finish(j job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j.pairing.busy = false
	s.changed.Broadcast()
}

// decide ends a pairing. No more of its units are distributed.
func (s *schedule) decide(p *pairing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.decided = true
}

// close ends the schedule.
func (s *schedule) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.changed.Broadcast()
}
