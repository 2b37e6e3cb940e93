package arena

import "sync"

// schedule distributes the units of all pairings to the workers so that all pairings
// advance together. Its methods are safe for concurrent use.
type schedule struct {
	mu sync.Mutex
	// changed signals that an ordered pairing was returned or the schedule was closed.
	changed  sync.Cond
	pairings []*pairing
	closed   bool
}

func newSchedule(pairings []*pairing) *schedule {
	s := &schedule{pairings: pairings}
	s.changed.L = &s.mu
	return s
}

// claimUnit returns the next unit. An ordered pairing belongs to the worker until finishUnit. claimUnit
// blocks while other workers play all remaining pairings, and returns false when no units are left.
func (s *schedule) claimUnit() (p *pairing, unit int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.closed {
		var best *pairing
		waiting := false
		for _, p := range s.pairings {
			p.skipPlayed()
			if p.isDecided || p.nextUnit >= p.units {
				continue
			}
			if p.isClaimed {
				waiting = true
			} else if best == nil || p.nextUnit < best.nextUnit {
				best = p
			}
		}
		if best != nil {
			best.isClaimed = best.ordered
			best.nextUnit++
			return best, best.nextUnit - 1, true
		}
		if !waiting {
			break
		}
		s.changed.Wait()
	}
	return nil, 0, false
}

// skipPlayed advances next past units of an earlier run.
func (p *pairing) skipPlayed() {
	for p.recordedUnits[p.nextUnit] {
		p.nextUnit++
	}
}

// finishUnit returns a pairing after a worker has played its unit.
func (s *schedule) finishUnit(p *pairing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.isClaimed = false
	if p.ordered {
		s.changed.Broadcast()
	}
}

// endPairing ends a pairing, so that no more of its units are distributed.
func (s *schedule) endPairing(p *pairing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.isDecided = true
}

// close ends the schedule, so that no more units are distributed.
func (s *schedule) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.changed.Broadcast()
}
