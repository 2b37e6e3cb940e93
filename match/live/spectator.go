package live

import (
	"context"
	"sync"

	"broadside/match"
)

// Spectator is the place of somebody who watches a match and sees nothing that
// is hidden from either side. Receive from one goroutine at a time; Leave may
// be called from any.
type Spectator struct {
	match    *Match
	admitted chan struct{} // closed by the referee: next is set
	gone     chan struct{} // closed by Leave
	leave    sync.Once

	// next is the number of the next event to receive. It is guarded by
	// stand.mu, as all below.
	next    uint64
	came    bool   // has received an update
	version uint64 // of that update
}

// stand is what all spectators of a match see. The referee writes it once for
// all of them, so that a thousand cost a match no more than one.
type stand struct {
	mu      sync.Mutex    // held for a copy at most; all below is guarded by it
	update  *Update       // the newest one, less its events; nil while nobody watches
	version uint64        // of update
	events  []match.Event // the last ones, at most backlog: number n is at n%backlog
	count   uint64        // events so far
	ended   bool          // nothing more will come
	changed chan struct{} // closed when something has; nil unless somebody waits for it
}

// Watch seats a spectator, until [Spectator.Leave]. The first update arrives at
// once, even after the match.
func (m *Match) Watch() *Spectator {
	s := &Spectator{match: m, admitted: make(chan struct{}), gone: make(chan struct{})}
	m.post(request{do: watch, side: match.Nobody, spectator: s})
	return s
}

// Leave gives the place up. Leaving twice is leaving once.
func (s *Spectator) Leave() {
	s.leave.Do(func() {
		close(s.gone)
		s.match.post(request{do: unwatch, side: match.Nobody})
	})
}

// Recv waits for the next update and writes it to u, as [Mailbox.Recv] does. A
// spectator who reads too slowly misses the older events. After the last
// update, and after Leave, it returns ErrEnded.
func (s *Spectator) Recv(ctx context.Context, u *Update) error {
	for {
		changed, err := s.Poll(u)
		if changed == nil {
			return err
		}
		select {
		case <-changed:
		case <-s.gone:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Poll is Recv without waiting: instead it returns a channel that is closed
// when there is something to receive.
func (s *Spectator) Poll(u *Update) (<-chan struct{}, error) {
	select {
	case <-s.gone:
		return nil, ErrEnded
	default:
		return s.match.stand.read(s, u)
	}
}

// read writes the newest update to u and returns no channel, nor does it once
// nothing more will come. Else the channel is closed when there is news.
func (st *stand) read(s *Spectator, u *Update) (<-chan struct{}, error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	select {
	case <-s.admitted:
	default:
		return s.admitted, nil
	}
	switch {
	case st.update != nil && !(s.came && s.version == st.version):
		events := u.Events[:0]
		*u = *st.update
		u.Missed = !s.came
		if kept := uint64(len(st.events)); st.count-s.next > kept {
			s.next, u.Missed = st.count-kept, true
		}
		for ; s.next < st.count; s.next++ {
			events = append(events, st.events[s.next%backlog])
		}
		u.Events = events
		s.came, s.version = true, st.version
		return nil, nil
	case st.ended:
		return nil, ErrEnded
	}
	if st.changed == nil {
		st.changed = make(chan struct{})
	}
	return st.changed, nil
}

// admit lets a spectator see what happens from now on.
func (st *stand) admit(r *referee, s *Spectator) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.update == nil {
		st.put(r, nil)
	}
	s.next = st.count
	close(s.admitted)
}

// publish gives all spectators the new state, and what led to it.
func (st *stand) publish(r *referee, events []match.Event) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.put(r, events)
}

// put is publish. The stand is locked.
func (st *stand) put(r *referee, events []match.Event) {
	if st.update == nil {
		st.update = new(Update)
	}
	r.show(st.update, match.Nobody)
	for _, e := range events {
		e, seen := e.Visible(match.Nobody)
		if !seen {
			continue
		}
		if len(st.events) < backlog {
			st.events = append(st.events, e)
		} else {
			st.events[st.count%backlog] = e
		}
		st.count++
	}
	st.version++
	st.wake()
}

// clear forgets what nobody watches.
func (st *stand) clear() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.update, st.events, st.count = nil, nil, 0
}

// end lets the spectators see what is there, and then ErrEnded.
func (st *stand) end() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.ended = true
	st.wake()
}

func (st *stand) wake() {
	if st.changed != nil {
		close(st.changed)
		st.changed = nil
	}
}
