package arena

import (
	"sync"
	"time"
)

// schedule distributes the units of all contests to the workers so that all contests
// advance together. Its methods are safe for concurrent use.
type schedule struct {
	mu       sync.Mutex
	changed  sync.Cond // an ordered contest was returned, or the schedule was closed
	contests []*contest
	closed   bool
}

func newSchedule(contests []*contest) *schedule {
	s := &schedule{contests: contests}
	s.changed.L = &s.mu
	return s
}

// job is a range of units of one contest. An ordered contest belongs to the worker until
// the job is returned.
type job struct {
	contest  *contest
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
// remaining contests, and returns false when none are left.
func (s *schedule) claim(n int) (job, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if s.closed {
			return job{}, false
		}
		var best *contest
		waiting := false
		for _, c := range s.contests {
			c.skip()
			switch {
			case c.decided || c.next >= c.units:
			case c.busy:
				waiting = true
			case best == nil || c.next < best.next:
				best = c
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
func (c *contest) skip() {
	for c.played[c.next] {
		c.next++
	}
}

func (c *contest) nextJob(n int) job {
	j := job{contest: c, from: c.next, to: c.next + 1}
	for j.to < c.units && j.to-j.from < n && !c.played[j.to] {
		j.to++
	}
	c.next = j.to
	c.busy = c.ordered
	return j
}

// finish returns a finished job.
func (s *schedule) finish(j job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j.contest.busy = false
	s.changed.Broadcast()
}

// decide ends a contest. No more of its units are distributed.
func (s *schedule) decide(c *contest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.decided = true
}

// close ends the schedule.
func (s *schedule) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.changed.Broadcast()
}
