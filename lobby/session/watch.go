package session

import (
	"time"

	"broadside/lobby"
	"broadside/match/live"
)

// Watch watches the running match with an ID as a counted spectator. The session leaves any other
// match.
func (s *Session) Watch(id string) error {
	return s.startWatching(true, func(wake func()) (*lobby.Spectator, error) { return s.lobby.Matches.Watch(id, true, wake) })
}

// FindAndWatch is Watch for the match with an ID, the match of the player with a name, or
// [lobby.FeaturedMatch].
func (s *Session) FindAndWatch(text string) error {
	return s.startWatching(true, func(wake func()) (*lobby.Spectator, error) { return s.lobby.Matches.FindAndWatch(text, wake) })
}

// Preview watches the running match with an ID, and does not count as a spectator. The session
// continues to play its own match.
func (s *Session) Preview(id string) error {
	return s.startWatching(false, func(wake func()) (*lobby.Spectator, error) { return s.lobby.Matches.Watch(id, false, wake) })
}

// StopWatching stops watching.
func (s *Session) StopWatching() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopWatchingLocked()
	s.pending.wake.Send()
}

// ShowFeatured sets whether the player sees the featured match; see [lobby.Member.ShowFeatured].
func (s *Session) ShowFeatured(on bool) {
	s.member.ShowFeatured(on)
}

// watch is the match being watched by a session. The session's lock guards it.
type watch struct {
	spectator *lobby.Spectator
	counted   bool
	// shown reports that Poll has returned an update.
	shown bool
	// next is the earliest time of the next update.
	next time.Time
	// hasTimer reports that a timer wakes the session at next.
	hasTimer bool
	// ended reports that no more updates follow.
	ended bool
}

// pollWatchLocked returns an update of the watched match, at most one per WatchPace.
func (s *Session) pollWatchLocked() Update {
	w, now := s.watch, time.Now()
	if w == nil || w.ended || !w.spectator.HasUpdate() {
		return Update{}
	}
	wait := w.next.Sub(now)
	if wait > 0 {
		if !w.hasTimer {
			w.hasTimer = true
			time.AfterFunc(wait, s.pending.wake.Send)
		}
		return Update{}
	}
	if !w.counted && w.shown && !s.slot.acquire(s.pending.wake.Send) {
		return Update{}
	}
	m := new(live.Update)
	switch got, err := w.spectator.Poll(m); {
	case err != nil:
		w.ended = true
		return Update{Kind: WatchEnded}
	case !got:
		return Update{}
	}
	pace := s.client.WatchPace
	if !w.counted {
		pace *= 2
	}
	w.next, w.hasTimer, w.shown = now.Add(pace), false, true
	return Update{Kind: WatchChanged, ID: w.spectator.MatchID(), Match: m}
}

// startWatching watches the match that open returns. A counted spectator leaves the match being
// played.
func (s *Session) startWatching(counted bool, open func(wake func()) (*lobby.Spectator, error)) error {
	w, err := open(s.pending.wake.Send)
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
	s.stopWatchingLocked()
	about := w.MatchInfo()
	s.watch, s.state.Watching = &watch{spectator: w, counted: counted}, &about
	if counted && !s.client.Unlisted {
		s.chats[MatchChat] = w.JoinChat(s.member)
	}
	s.pending.wake.Send()
	return nil
}

func (s *Session) stopWatchingLocked() {
	if s.watch == nil {
		return
	}
	if s.watch.counted {
		s.chats.leave(MatchChat)
	}
	s.watch.spectator.Leave()
	s.watch, s.state.Watching = nil, nil
}
