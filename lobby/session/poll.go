package session

import (
	"context"
	"errors"

	"broadside/match"
	"broadside/match/live"
)

// Next waits for the next update. It returns an error if ctx ends or an operator
// has ended the session.
func (s *Session) Next(ctx context.Context) (Update, error) {
	for {
		if u, err := s.Poll(); u.Kind != 0 || err != nil {
			return u, err
		}
		select {
		case <-s.Changed():
		case <-ctx.Done():
			return Update{}, ctx.Err()
		}
	}
}

// Changed yields a value when there may be another update after Poll has returned the zero Update.
func (s *Session) Changed() <-chan struct{} { return s.pending.wake }

// Poll returns the next update, or the zero Update if there is none. It does not wait. It
// returns an error if an operator has ended the session.
func (s *Session) Poll() (Update, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		return Update{}, s.ended
	}
	next := s.pending.nextLocked()
	if next.Kind != 0 {
		return next, nil
	}
	for _, poll := range []func(*Session) Update{
		(*Session).pollChallengesLocked, (*Session).pollSeatsLocked, (*Session).pollOfferLocked,
		(*Session).pollChatsLocked, (*Session).pollWatchLocked, (*Session).pollLobbyLocked,
	} {
		u := poll(s)
		if u.Kind != 0 {
			return u, nil
		}
	}
	s.slot.release()
	return Update{}, nil
}

func (s *Session) pollChallengesLocked() Update {
	select {
	case c := <-s.member.Challenges():
		s.state.Challenge = c
		return Update{Kind: ChallengeChanged}
	default:
		return Update{}
	}
}

// pollSeatsLocked returns an update of a match that the session plays.
func (s *Session) pollSeatsLocked() Update {
	select {
	case seat := <-s.member.Seats():
		s.takeSeatLocked(seat)
		return s.pending.nextLocked()
	default:
	}
	seat, m, err := s.seats.nextUpdate()
	switch {
	case m != nil:
		u := seat.newUpdate(m)
		if s.removing && m.View.Reason == match.Removed {
			return Update{} // RemoveOpponent leaves the match.
		}
		s.addRemarkLocked(seat, m)
		return u
	case err != nil:
		return s.loseMatchLocked(err)
	}
	// Programs do not use the seat's state, and reading it needs the lobby's lock.
	if s.client.Program != nil {
		return Update{}
	}
	before := s.seats.state
	s.seats.refreshState()
	if s.seats.state != before {
		return Update{Kind: SeatChanged}
	}
	return Update{}
}

// pollOfferLocked takes the seat that the open offer led to, or reports why the offer ended.
func (s *Session) pollOfferLocked() Update {
	if s.offer == nil {
		return Update{}
	}
	select {
	case seat := <-s.offer.Seat():
		if seat == nil {
			err := s.offer.Err()
			s.offer, s.state.Offer = nil, nil
			return Update{Kind: OfferEnded, Err: err}
		}
		s.takeSeatLocked(seat)
		return s.pending.nextLocked()
	default:
		return Update{}
	}
}

func (s *Session) pollChatsLocked() Update {
	for room, place := range s.chats {
		if place == nil {
			continue
		}
		select {
		case lines, open := <-place.Lines():
			if !open {
				continue
			}
			u := Update{Kind: ChatChanged, Chat: ChatKind(room), Lines: lines}
			if u.Chat != MatchChat {
				return u
			}
			if s.state.Match != nil {
				u.ID = s.state.Match.ID
			} else if s.state.Watching != nil {
				u.ID = s.state.Watching.ID
			}
			return u
		default:
		}
	}
	return Update{}
}

// pollLobbyLocked returns an update of the lobby. It returns the first snapshot immediately.
func (s *Session) pollLobbyLocked() Update {
	select {
	case n := <-s.member.Snapshots():
		s.news = n
	default:
	}
	if s.news == nil || len(s.state.Lobby.People) > 0 && !s.slot.acquire(s.pending.wake.Send) {
		return Update{}
	}
	s.state.Lobby, s.news = s.news, nil
	return Update{Kind: LobbyChanged}
}

// loseMatchLocked gives up the seats of a match whose end the player has not seen.
func (s *Session) loseMatchLocked(err error) Update {
	if errors.Is(err, live.ErrReplaced) {
		s.forgetSeatsLocked()
	} else {
		s.leaveSeatsLocked()
	}
	return Update{Kind: MatchLost, Err: err}
}
