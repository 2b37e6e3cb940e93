package live

import (
	"context"
	"sync"

	"broadside/match"
)

// Spectator receives the updates of a match without anything that is hidden from either side.
// Recv and Poll must be called from one goroutine at a time; Leave may be called from any.
type Spectator struct {
	match  *Match
	wake   func()        // called when there is something to receive
	signal Signal        // what Recv waits for
	gone   chan struct{} // closed by Leave
	leave  sync.Once

	// next is the number of the next event to receive. It and the fields below are guarded
	// by feed.mu.
	next    uint64
	came    bool   // has received an update
	version uint64 // of that update
}

// feed is the spectator feed of a match. The referee writes it once for all spectators, so
// their number does not matter to the match.
type feed struct {
	mu      sync.Mutex              // guards all below; held only for copies
	update  *Update                 // the newest one, without events; nil while there are no spectators
	version uint64                  // of update
	events  []match.Event           // the last backlog events at most: event n is at n%backlog
	count   uint64                  // events so far
	ended   bool                    // there are no more updates
	waiting map[*Spectator]struct{} // those that have received everything
}

// Watch adds a spectator, until [Spectator.Leave]. The first update arrives at once, even
// after the match. wake is called when [Spectator.Poll] has something to return after it had
// nothing; it must not wait. If wake is nil, use [Spectator.Recv] to wait.
func (m *Match) Watch(wake func()) *Spectator {
	s := &Spectator{match: m, wake: wake, gone: make(chan struct{})}
	if wake == nil {
		s.signal = NewSignal()
		s.wake = s.signal.Send
	}
	m.post(&request{do: watch, side: match.Nobody, spectator: s})
	return s
}

// Leave removes the spectator. It may be called more than once.
func (s *Spectator) Leave() {
	s.leave.Do(func() {
		close(s.gone)
		s.match.feed.forget(s)
		s.match.post(&request{do: unwatch, side: match.Nobody})
	})
}

// Recv waits for the next update and stores it in u, as [Mailbox.Recv] does. A spectator that
// reads too slowly misses older events. After the last update, and after Leave, it returns
// ErrEnded.
func (s *Spectator) Recv(ctx context.Context, u *Update) error {
	for {
		if got, err := s.Poll(u); got || err != nil {
			return err
		}
		select {
		case <-s.signal:
		case <-s.gone:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Poll is like Recv but does not wait. It reports whether there was an update.
func (s *Spectator) Poll(u *Update) (got bool, err error) {
	select {
	case <-s.gone:
		return false, ErrEnded
	default:
		return s.match.feed.read(s, u)
	}
}

// Ready reports whether Poll has something to return. If not, the spectator is woken when it
// has.
func (s *Spectator) Ready() bool {
	f := &s.match.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readyLocked(s)
}

func (f *feed) readyLocked(s *Spectator) bool {
	if f.ended || f.update != nil && !(s.came && s.version == f.version) {
		return true
	}
	if f.waiting == nil {
		f.waiting = map[*Spectator]struct{}{}
	}
	f.waiting[s] = struct{}{}
	return false
}

// read implements Poll.
func (f *feed) read(s *Spectator, u *Update) (got bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case !f.readyLocked(s):
		return false, nil
	case f.update != nil && !(s.came && s.version == f.version):
		events := u.Events[:0]
		*u = *f.update
		u.Missed = !s.came
		if kept := uint64(len(f.events)); f.count-s.next > kept {
			s.next, u.Missed = f.count-kept, true
		}
		for ; s.next < f.count; s.next++ {
			events = append(events, f.events[s.next%backlog])
		}
		u.Events = events
		s.came, s.version = true, f.version
		return true, nil
	}
	return false, ErrEnded
}

// forget removes a spectator from those that are waiting.
func (f *feed) forget(s *Spectator) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.waiting, s)
}

// admit makes a spectator receive updates from now on.
func (f *feed) admit(r *referee, s *Spectator) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.update == nil {
		f.putLocked(r, nil)
	}
	s.next = f.count
}

// publish publishes the new state and its events to all spectators.
func (f *feed) publish(r *referee, events []match.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.putLocked(r, events)
}

// putLocked implements publish. The caller holds mu.
func (f *feed) putLocked(r *referee, events []match.Event) {
	if f.update == nil {
		f.update = new(Update)
	}
	r.show(f.update, match.Nobody)
	for _, e := range events {
		e, seen := e.Visible(match.Nobody)
		if !seen {
			continue
		}
		if len(f.events) < backlog {
			f.events = append(f.events, e)
		} else {
			f.events[f.count%backlog] = e
		}
		f.count++
	}
	f.version++
	f.wake()
}

// clear releases the update when the last spectator has left.
func (f *feed) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.update, f.events, f.count = nil, nil, 0
}

// end lets spectators receive the last update, and then ErrEnded.
func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.wake()
}

func (f *feed) wake() {
	for s := range f.waiting {
		s.wake()
	}
	clear(f.waiting)
}
