package session

import (
	"context"
	"time"

	"broadside/lobby"
	"broadside/match/live"
)

// Spectator actions.
type (
	// Watch watches a running match of the lobby as a counted spectator. It ends whatever
	// the player plays or watches.
	Watch struct{ ID string }
	// WatchBy is Watch for a match identified by its ID, by one of its players, or by
	// [Featured].
	WatchBy struct{ Text string }
	// Preview shows a match alongside something else. The spectator is not counted.
	Preview struct{ ID string }
	// Unwatch stops watching.
	Unwatch struct{}
	// ShowFeatured sets whether the player sees the featured match, see
	// [lobby.Member.ShowFeatured].
	ShowFeatured struct{ On bool }
)

// Featured identifies the featured match in [WatchBy].
const Featured = lobby.Featured

// ErrNoMatchToWatch is returned for a match that cannot be watched.
var ErrNoMatchToWatch = lobby.ErrNoMatch

func (a Watch) do(_ context.Context, s *Local) error {
	w, err := s.lobby.Matches.Watch(a.ID, true)
	return s.startWatching(w, err, true)
}

func (a WatchBy) do(_ context.Context, s *Local) error {
	w, err := s.lobby.Matches.WatchBy(a.Text)
	return s.startWatching(w, err, true)
}

func (a Preview) do(_ context.Context, s *Local) error {
	w, err := s.lobby.Matches.Watch(a.ID, false)
	return s.startWatching(w, err, false)
}

func (Unwatch) do(_ context.Context, s *Local) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unwatchLocked()
	s.pending.wakeNext()
	return nil
}

func (a ShowFeatured) do(_ context.Context, s *Local) error {
	s.member.ShowFeatured(a.On)
	return nil
}

// watch is the match being watched by a session. The session's lock guards it.
type watch struct {
	*lobby.Spectator
	counted bool
	rest    <-chan time.Time // until the next update may be read; nil: no delay
	due     bool             // an update is delayed until the session's turn; see redraw
	ended   bool             // no more updates will follow
}

// poll returns an update that is ready, or the channels to wait for.
func (w *watch) poll(pace time.Duration) (u Update, changed <-chan struct{}, rest <-chan time.Time) {
	if w.due || w.ended || w.rest != nil {
		return u, nil, w.rest
	}
	m := new(live.Update)
	changed, err := w.Poll(m)
	switch {
	case changed != nil:
		return u, changed, nil
	case err != nil:
		w.ended = true
		return Update{Kind: WatchEnded}, nil, nil
	}
	if !w.counted {
		pace *= 2
	}
	if pace > 0 {
		w.rest = time.After(pace)
	}
	return Update{Kind: WatchChanged, ID: w.ID(), Match: m}, nil, nil
}

// watchChangedLocked handles an update of the watched match. An update of the featured
// match, which every session shows, is delayed until this session's turn.
func (s *Local) watchChangedLocked() Update {
	if s.watch == nil || s.watch.counted {
		return Update{}
	}
	s.watch.due = true
	return s.redrawSoonLocked()
}

// resumeReading allows the next update to be read. w may be nil.
func (w *watch) resumeReading() {
	if w != nil {
		w.rest = nil
	}
}

func (s *Local) startWatching(w *lobby.Spectator, err error, counted bool) error {
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		w.Leave()
		return nil
	}
	if counted {
		s.leaveSeatsLocked()
	}
	s.unwatchLocked()
	about := w.About()
	s.watch, s.state.Watching = &watch{Spectator: w, counted: counted}, &about
	if counted && !s.client.Unlisted {
		s.chats[InMatch] = w.Chat(s.member)
	}
	s.pending.wakeNext()
	return nil
}

func (s *Local) unwatchLocked() {
	if s.watch == nil {
		return
	}
	if s.watch.counted {
		s.chats.leave(InMatch)
	}
	s.watch.Leave()
	s.watch, s.state.Watching = nil, nil
}
