package live

import (
	"context"
	"sync"
	"sync/atomic"

	"broadside/match"
)

// Spectator receives the updates of a match without anything that is hidden from either side.
// Receive, Poll and Ready must be called from one goroutine at a time; Leave may be called from any.
type Spectator struct {
	match     *Match
	wake      func()        // called when there is something to receive
	signal    Signal        // what Receive waits for
	left      chan struct{} // closed by Leave
	leaveOnce sync.Once

	// Only the goroutine that receives uses the fields below.
	next    int    // number of the next event to receive
	version uint64 // version of the last update, or 0
}

// feed is the spectator feed of a match. The referee writes it once for all spectators, so
// their number does not matter to the match.
type feed struct {
	version atomic.Uint64 // number of updates so far; changed while mu is held
	ended   atomic.Bool   // there are no more updates

	mu         sync.Mutex    // guards the fields below; held only for copies
	update     *Update       // the newest one, without events; nil while there are no spectators
	events     []match.Event // the events until the newest update, hidden ones included; shared with the game
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

// HasUpdate reports whether Poll may have something to return. If not, the spectator is woken when it
// has.
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
