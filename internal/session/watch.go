package session

import (
	"context"

	"broadside/lobby"
)

// Actions of a spectator.
type (
	// Watch watches a running match of the lobby as one of its counted
	// spectators, in place of what the player has played or watched.
	Watch struct{ ID string }
	// WatchBy is Watch for a match named by its ID, by one of its players or by
	// [Featured].
	WatchBy struct{ Text string }
	// Glance shows a match beside something else: it is not counted.
	Preview struct{ ID string }
	// Unwatch stops watching.
	Unwatch struct{}
	// Look says whether the player sees the featured match, see
	// [lobby.Member.ShowFeatured].
	ShowFeatured struct{ On bool }
)

// Featured is the word for the featured match.
const Featured = lobby.Featured

// ErrNoMatchToWatch is returned for a match that cannot be watched.
var ErrNoMatchToWatch = lobby.ErrNoMatch

func (a Watch) do(_ context.Context, s *Local) error {
	w, err := s.lobby.Matches.Watch(a.ID, true)
	return s.see(w, err, true)
}

func (a WatchBy) do(_ context.Context, s *Local) error {
	w, err := s.lobby.Matches.WatchBy(a.Text)
	return s.see(w, err, true)
}

func (a Preview) do(_ context.Context, s *Local) error {
	w, err := s.lobby.Matches.Watch(a.ID, false)
	return s.see(w, err, false)
}

func (Unwatch) do(_ context.Context, s *Local) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unwatchLocked()
	s.rewire()
	return nil
}

func (a ShowFeatured) do(_ context.Context, s *Local) error {
	s.member.ShowFeatured(a.On)
	return nil
}

func (s *Local) see(w *lobby.Spectator, err error, counted bool) error {
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
	if counted && !s.unlisted {
		s.chats[InMatch] = w.Chat(s.member)
	}
	s.rewire()
	return nil
}

func (s *Local) unwatchLocked() {
	if s.watch == nil {
		return
	}
	if s.watch.counted {
		s.leaveChatLocked()
	}
	s.watch.Leave()
	s.watch, s.state.Watching = nil, nil
}
