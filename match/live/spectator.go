package live

import (
	"context"
	"sync"
	"sync/atomic"

	"broadside/match"
)

// Spectator receives a match's updates without anything that is hidden from either side. Receive,
// Poll and HasUpdate must be called from one goroutine at a time. Leave may be called from any.
type Spectator struct {
	match *Match
	// wake is called when there is something to receive.
	wake func()
	// signal is what Receive waits for.
	signal Signal
	// left is closed by Leave.
	left      chan struct{}
	leaveOnce sync.Once

	// Only the goroutine that receives uses the fields below.
	// next is the number of the next event to receive.
	next int
	// version is the last update's version, or 0.
	version uint64
}

// feed is a match's feed for spectators. The referee writes it once for all spectators, so their
// number does not matter to the match.
type feed struct {
	// version is the number of updates so far. It changes only while mu is held.
	version atomic.Uint64
	// ended reports whether there are no more updates.
	ended atomic.Bool

	// mu guards the fields below. It is held only for copies.
	mu sync.Mutex
	// update is the newest update without its events, or nil while there are no spectators.
	update *Update
	// events has the events until the newest update, with hidden ones. It shares them with the game.
	events     []match.Event
	spectators map[*Spectator]struct{}
}

// Watch adds a spectator, until [Spectator.Leave]. The first update arrives immediately, even after the
// match, with the newest events. wake is called for each update and must not wait. If wake is nil, use
// [Spectator.Receive] to wait.
func (m *Match) Watch(wake func()) *Spectator {
	s := &Spectator{match: m, wake: wake, left: make(chan struct{})}
	if wake == nil {
		s.signal = NewSignal()
		s.wake = s.signal.Send
	}
	m.withReferee(func(r *referee) { m.feed.add(r, s) })
	return s
}

// Leave removes the spectator. It may be called more than once.
func (s *Spectator) Leave() {
	s.leaveOnce.Do(func() {
		close(s.left)
		s.match.withReferee(func(*referee) { s.match.feed.remove(s) })
	})
}

// Receive waits for the next update and stores it in u, as [Mailbox.Receive] does. A spectator that
// reads too slowly misses older events. After the last update, and after Leave, it returns
// ErrEnded.
func (s *Spectator) Receive(ctx context.Context, u *Update) error {
	for {
		if got, err := s.Poll(u); got || err != nil {
			return err
		}
		select {
		case <-s.signal:
		case <-s.left:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Poll is like Receive but does not wait. It reports whether there was an update.
func (s *Spectator) Poll(u *Update) (got bool, err error) {
	select {
	case <-s.left:
		return false, ErrEnded
	default:
		return s.match.feed.read(s, u)
	}
}

// HasUpdate reports whether Poll may return an update. If not, the spectator is woken when there is one.
func (s *Spectator) HasUpdate() bool {
	f := &s.match.feed
	return f.ended.Load() || f.version.Load() != s.version
}

// read implements Poll.
func (f *feed) read(s *Spectator, u *Update) (got bool, err error) {
	if !s.HasUpdate() {
		return false, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	version := f.version.Load()
	switch {
	case f.update != nil && version != s.version:
		events := u.Events[:0]
		*u = *f.update
		u.Missed = s.version == 0
		first := len(f.events) - backlog
		if s.next < first {
			s.next, u.Missed = first, true
		}
		u.Events = events
		u.addEvents(f.events[s.next:], match.Nobody)
		s.next, s.version = len(f.events), version
		return true, nil
	case f.ended.Load():
		return false, ErrEnded
	}
	return false, nil
}

// add makes a spectator receive updates from now on, starting with the newest.
func (f *feed) add(r *referee, s *Spectator) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.spectators == nil {
		f.spectators = map[*Spectator]struct{}{}
	}
	f.spectators[s] = struct{}{}
	if f.update == nil {
		f.setUpdateLocked(r)
	}
	s.wake()
}

func (f *feed) publish(r *referee) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.spectators) > 0 {
		f.setUpdateLocked(r)
		f.wakeAllLocked()
	}
}

func (f *feed) setUpdateLocked(r *referee) {
	if f.update == nil {
		f.update = new(Update)
	}
	r.fillUpdate(f.update, match.Nobody)
	f.events = r.game.Events()[:r.published]
	f.version.Add(1)
}

// remove removes a spectator. The last one to leave releases the update.
func (f *feed) remove(s *Spectator) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if delete(f.spectators, s); len(f.spectators) == 0 {
		f.update, f.events = nil, nil
	}
}

// close lets spectators receive the last update, and then ErrEnded.
func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended.Store(true)
	f.wakeAllLocked()
}

func (f *feed) wakeAllLocked() {
	for s := range f.spectators {
		s.wake()
	}
}
