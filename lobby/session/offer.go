package session

import (
	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// Errors of offers and seats.
var (
	ErrNoOffer = i18n.Errorf("you have no open offer")
	ErrHotSeat = i18n.Errorf("you have a hot-seat match, which needs full-screen mode: connect with ssh -t HOST")
)

// FindOpponent starts a match against the player who has waited longest, or opens an offer to any
// player. Whoever accepts an offer fires first. A new offer replaces the old one.
func (s *Session) FindOpponent(rules match.Rules, ratingMode lobby.RatingMode) error {
	return s.setOffer(s.lobby.Offers.FindOpponent(s.ensurePlayerID(), rules, ratingMode))
}

// FindOpponentAfterOthers is FindOpponent for a player who lets others go first. While another
// player waits, it does nothing.
func (s *Session) FindOpponentAfterOthers(rules match.Rules, ratingMode lobby.RatingMode) error {
	return s.setOffer(s.lobby.Offers.FindOpponentAfterOthers(s.ensurePlayerID(), rules, ratingMode))
}

// PlayBot starts a match against a built-in bot. A person's offer to anyone stays open, and a match that it leads to
// replaces the one against the bot, which the person can continue with RejoinMatch.
func (s *Session) PlayBot(bot string, rules match.Rules, ratingMode lobby.RatingMode) error {
	return s.takeSeat(s.lobby.Matches.PlayBot(s.ensurePlayerID(), bot, rules, ratingMode))
}

// StartQuickGame starts a casual match against the weakest bot with a random fleet, so that
// the player can fire immediately.
func (s *Session) StartQuickGame(rules match.Rules) error {
	return s.takeSeat(s.lobby.Matches.StartQuickGame(s.ensurePlayerID(), rules))
}

// Challenge challenges the player with an ID, who must be in the lobby.
func (s *Session) Challenge(player string, rules match.Rules, ratingMode lobby.RatingMode) error {
	return s.limitGuest(s.lobby.GuestChallenges, func() error {
		return s.setOffer(s.lobby.Offers.Challenge(s.Player(), player, rules, ratingMode))
	})
}

// AcceptOffer accepts an open offer, or a challenge to the player, by number.
func (s *Session) AcceptOffer(offer int) error {
	return s.takeSeat(s.lobby.Offers.Accept(s.Player(), offer))
}

// DeclineChallenge declines a challenge by its offer's number. It ignores a challenge that has
// ended.
func (s *Session) DeclineChallenge(offer int) { s.lobby.Offers.Decline(s.Player(), offer) }

// OpenPrivateMatch opens a private match, which any player with its code can join.
func (s *Session) OpenPrivateMatch(rules match.Rules, ratingMode lobby.RatingMode) error {
	return s.setOffer(s.lobby.Offers.OpenPrivateMatch(s.Player(), rules, ratingMode))
}

// JoinPrivateMatch starts the private match with a code.
func (s *Session) JoinPrivateMatch(code string) error {
	return s.codeThrottle.tryCode(s.lobby, func() error { return s.takeSeat(s.lobby.Offers.JoinPrivateMatch(s.ensurePlayerID(), code)) })
}

// ResumeSeat takes a guest's seat by its resume code, or requests the seat if it is
// in use.
func (s *Session) ResumeSeat(code string) error {
	return s.codeThrottle.tryCode(s.lobby, func() error { return s.setOffer(s.lobby.Matches.RequestSeat(s.Player(), code)) })
}

// StartHotSeat starts a match between two players who share this session.
func (s *Session) StartHotSeat(names [2]string, rules match.Rules) error {
	return s.takeSeat(s.lobby.Matches.StartHotSeat(s.Player(), names, rules))
}

// RejoinMatch takes the seat of the player's running match, if there is one. It is the first
// action of a session. A frontend that sets supportsHotSeat can show hot-seat matches, and others
// get ErrHotSeat for them. With takeUsed, the player gets the seat even if another of their
// sessions uses it.
func (s *Session) RejoinMatch(supportsHotSeat, takeUsed bool) error {
	if !takeUsed && s.lobby.Matches.Occupancy(s.Player()) != lobby.FreeSeat {
		return nil
	}
	seat := s.lobby.Matches.FindUnfinished(s.Player())
	switch {
	case seat == nil:
		return nil
	case seat.Partner != nil && !supportsHotSeat:
		return ErrHotSeat
	}
	return s.takeSeat(seat, nil)
}

// RefuseTakeover declines the request to take over the player's seat; see [lobby.SeatState].
func (s *Session) RefuseTakeover() error {
	seat, err := s.findSeat(match.First)
	if err != nil {
		return err
	}
	seat.RefuseTakeover()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seats.refreshState()
	return nil
}

// OfferRematch offers the last opponent a rematch.
func (s *Session) OfferRematch() error {
	s.mu.Lock()
	seats := s.seats.bySide
	s.mu.Unlock()
	var offer *lobby.Offer
	// In a hot-seat match, both sides must offer it.
	for _, seat := range seats {
		if seat == nil {
			continue
		}
		var err error
		offer, err = seat.held.OfferRematch()
		if err != nil {
			return err
		}
	}
	if offer == nil {
		return lobby.ErrOpponentLeft
	}
	return s.setOffer(offer, nil)
}

// Occupancy returns whether the player has a running match to continue, and whether
// another session uses its seat.
func (s *Session) Occupancy() lobby.Occupancy { return s.lobby.Matches.Occupancy(s.Player()) }

// CancelOffer withdraws the player's open offer. It returns false if a match is about to start or
// the offer has ended.
func (s *Session) CancelOffer() (bool, error) {
	s.mu.Lock()
	o := s.offer
	s.mu.Unlock()
	if o == nil {
		return false, ErrNoOffer
	}
	if !o.Cancel() {
		return false, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.offer == o {
		s.offer, s.state.Offer = nil, nil
		s.pending.wake.Send()
	}
	return true, nil
}

// withdrawOffer withdraws an offer, or leaves the match if the offer has already led to one.
func withdrawOffer(o *lobby.Offer) {
	if o.Cancel() {
		return
	}
	select {
	case seat := <-o.Seat():
		if seat != nil {
			seat.Detach(seat.Attach(nil))
		}
	default:
	}
}

// setOffer makes o the session's open offer, or takes the seat if o has already led to a match. It
// returns err if it is set, and does nothing if o is nil.
func (s *Session) setOffer(o *lobby.Offer, err error) error {
	if err != nil || o == nil {
		return err
	}
	select {
	case seat := <-o.Seat():
		if seat == nil {
			return o.Err()
		}
		return s.takeSeat(seat, nil)
	default:
	}
	s.mu.Lock()
	former := s.offer
	if s.closed {
		former = o
	} else {
		s.offer = o
		o.SetWake(s.pending.wake)
		s.state.Offer = &o.Terms
	}
	ended := s.ended
	s.mu.Unlock()
	if former != nil {
		withdrawOffer(former)
	}
	return ended
}

// takeSeat only returns err if it is not nil. Otherwise it takes a seat, or both seats in a hot-seat match.
func (s *Session) takeSeat(seat *lobby.Seat, err error) error {
	if err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed {
		defer s.mu.Unlock()
		seat.Detach(seat.Attach(nil))
		return s.ended
	}
	former := s.offer
	s.takeSeatLocked(seat)
	staysOpen := former == s.offer
	s.mu.Unlock()
	if former != nil && !staysOpen {
		// Unless it was a rematch offer, it has already ended.
		withdrawOffer(former)
	}
	return nil
}

// takeSeatLocked takes a seat and leaves any match that the session plays or watches.
func (s *Session) takeSeatLocked(taken *lobby.Seat) {
	s.leaveSeatsLocked()
	s.stopWatchingLocked()
	if !s.keepsOfferLocked(taken) {
		s.offer, s.state.Offer = nil, nil
	}
	s.state.Match = newMatch(taken)
	s.seats.add(taken, s.pending.wake)
	if taken.Partner != nil {
		s.seats.add(taken.Partner, s.pending.wake)
	}
	s.seats.refreshState()
	if taken.Opponent.Kind == account.Person && taken.Partner == nil && !s.client.Unlisted {
		s.chats[MatchChat] = taken.JoinChat(s.member)
	}
	s.pending.addLocked(Update{Kind: MatchJoined})
	if taken.Opponent.Kind == account.Bot && s.client.Program == nil && !s.client.Unlisted {
		s.openBotChatLocked(taken)
	}
	s.pending.wake.Send()
}

// keepsOfferLocked reports whether the offer stays open during a match.
func (s *Session) keepsOfferLocked(taken *lobby.Seat) bool {
	return s.offer != nil && s.offer.Terms.IsOpenToAnyone && s.client.Program == nil &&
		(taken.Opponent.Kind == account.Bot || taken.Pace() > 0)
}

func newMatch(taken *lobby.Seat) *Match {
	m := &Match{
		ID: taken.Match().ID(), Side: taken.Side(), Opponent: taken.Opponent,
		Rules: taken.Rules(), Pace: taken.Pace(), HotSeat: taken.Partner != nil, IsHost: taken.IsHost(),
	}
	p := taken.Partner
	if p != nil {
		m.HotSeatNames[m.Side], m.HotSeatNames[m.Side.Other()] = p.Opponent.Name, taken.Opponent.Name
	}
	return m
}

// leaveSeatsLocked leaves the session's seats. A running match continues without its
// player; after a match, leaving declines a rematch.
func (s *Session) leaveSeatsLocked() {
	s.seats.leave()
	s.forgetSeatsLocked()
}

// forgetSeatsLocked drops the session's seats without leaving them, because another
// session may use them.
func (s *Session) forgetSeatsLocked() {
	s.seats, s.state.Match, s.botChat = seats{}, nil, nil
	s.chats.leave(MatchChat)
}
