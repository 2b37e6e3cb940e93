package session

import (
	"context"
	"time"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// Errors of offers and seats.
var (
	ErrNoOffer = i18n.Errorf("you-have-no-open-offer")
	ErrHotSeat = i18n.Errorf("you-have-a-hot-seat")
)

// Actions that look for an opponent. The player of an open offer defends, and the
// opponent shoots first. A new offer replaces the old one. Players choose the stakes
// [lobby.Rated] or [lobby.Casual].
type (
	// Seek plays the next available player, or opens an offer to any player. Until a
	// program's first match, As can replace its player in [Client].
	Seek struct {
		Rules  match.Rules
		Stakes lobby.Stakes
		As     *account.Player // without an ID unless the program is registered; nil: unchanged
		// Behind lets others go first: while a player without Behind waits, nothing happens.
		Behind bool
	}
	// PlayBot starts a match against a built-in bot.
	PlayBot struct {
		Bot    string
		Rules  match.Rules
		Stakes lobby.Stakes
		As     *account.Player // see Seek
	}
	// QuickGame starts a casual match against the weakest bot with a random fleet, so that
	// the player can fire at once.
	QuickGame struct{ Rules match.Rules }
	// SendChallenge challenges a player in the lobby.
	SendChallenge struct {
		Player string // the ID
		Rules  match.Rules
		Stakes lobby.Stakes
	}
	// Accept accepts an open offer of the lobby, or a challenge.
	Accept struct{ Offer int }
	// Decline declines a challenge. A challenge that has ended is ignored.
	Decline struct{ Offer int }
	// OpenPrivate opens a private match for any player with its code; see [Offer.Code].
	OpenPrivate struct {
		Rules  match.Rules
		Stakes lobby.Stakes
	}
	// JoinPrivate starts the private match with a code.
	JoinPrivate struct {
		Code string
		As   *account.Player // see Seek
	}
	// ResumeSeat takes a guest's seat by its resume code, or requests the seat if it is
	// in use.
	ResumeSeat struct{ Code string }
	// HotSeat starts a match between two people who share this session.
	HotSeat struct {
		Names [2]string
		Rules match.Rules
	}
	// Rejoin takes the seat of the player's running match, if there is one, and sets
	// State.Match. It is the first action of a session.
	Rejoin struct {
		HotSeat bool // the frontend supports hot-seat matches; otherwise the error is ErrHotSeat
		Used    bool // even if another session of the player uses the seat
	}
	// Refuse declines the request to take over the player's seat; see [lobby.SeatState].
	Refuse struct{}
	// Rematch offers the last opponent a rematch.
	Rematch struct{}
)

func (a Seek) do(_ context.Context, s *Local) error {
	if a.Behind {
		return s.openOffer(s.lobby.Offers.SeekBehind(s.entrant(a.As), a.Rules, a.Stakes))
	}
	return s.openOffer(s.lobby.Offers.Seek(s.entrant(a.As), a.Rules, a.Stakes))
}

func (a PlayBot) do(_ context.Context, s *Local) error {
	return s.takeSeat(s.lobby.Matches.PlayBot(s.entrant(a.As), a.Bot, a.Rules, a.Stakes))
}

func (a QuickGame) do(_ context.Context, s *Local) error {
	return s.takeSeat(s.lobby.Matches.QuickGame(s.entrant(nil), a.Rules))
}

func (a SendChallenge) do(_ context.Context, s *Local) error {
	return s.limitGuest(s.lobby.GuestChallenges, func() error {
		return s.openOffer(s.lobby.Offers.Challenge(s.Player(), a.Player, a.Rules, a.Stakes))
	})
}

func (a Accept) do(_ context.Context, s *Local) error {
	return s.takeSeat(s.lobby.Offers.Accept(s.Player(), a.Offer))
}

func (a Decline) do(_ context.Context, s *Local) error {
	s.lobby.Offers.Decline(s.Player(), a.Offer)
	return nil
}

func (a OpenPrivate) do(_ context.Context, s *Local) error {
	return s.openOffer(s.lobby.Offers.OpenPrivate(s.Player(), a.Rules, a.Stakes))
}

func (a JoinPrivate) do(_ context.Context, s *Local) error {
	return s.codes.try(s.lobby, func() error { return s.takeSeat(s.lobby.Offers.JoinPrivate(s.entrant(a.As), a.Code)) })
}

func (a ResumeSeat) do(_ context.Context, s *Local) error {
	return s.codes.try(s.lobby, func() error { return s.openOffer(s.lobby.Matches.Resume(s.Player(), a.Code)) })
}

func (a HotSeat) do(_ context.Context, s *Local) error {
	return s.takeSeat(s.lobby.Matches.HotSeat(s.Player(), a.Names, a.Rules))
}

func (a Rejoin) do(_ context.Context, s *Local) error {
	if !a.Used && s.lobby.Matches.Occupancy(s.Player()) != lobby.FreeSeat {
		return nil
	}
	seat := s.lobby.Matches.Unfinished(s.Player())
	switch {
	case seat == nil:
		return nil
	case seat.Partner != nil && !a.HotSeat:
		return ErrHotSeat
	}
	return s.takeSeat(seat, nil)
}

func (Refuse) do(_ context.Context, s *Local) error {
	seat := s.seatOf(match.First)
	if seat == nil {
		return ErrNoMatch
	}
	seat.Refuse()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lookAtSeatLocked()
	return nil
}

func (Rematch) do(_ context.Context, s *Local) error {
	s.mu.Lock()
	seats := s.seats.bySide
	s.mu.Unlock()
	var offer *lobby.Offer
	for _, seat := range seats { // both sides in a hot-seat match
		if seat == nil {
			continue
		}
		var err error
		if offer, err = seat.Rematch(); err != nil {
			return err
		}
	}
	if offer == nil {
		return lobby.ErrGone
	}
	return s.openOffer(offer, nil)
}

// GetOccupancy asks whether the player has a running match to continue, and whether
// another session uses its seat.
type GetOccupancy struct{}

func (GetOccupancy) ask(_ context.Context, s *Local) (lobby.Occupancy, error) {
	return s.lobby.Matches.Occupancy(s.Player()), nil
}

// Cancel withdraws the player's open offer. The answer is false if a match is about to
// begin or the offer has ended.
type Cancel struct{}

func (Cancel) ask(_ context.Context, s *Local) (bool, error) {
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

// withdraw withdraws an offer, or leaves the match that it has led to.
func withdraw(o *lobby.Offer) {
	if o.Cancel() {
		return
	}
	select {
	case seat := <-o.Seated():
		if seat != nil {
			seat.Detach(seat.Attach())
		}
	default:
	}
}

// openOffer sets the session's open offer, or takes the seat if the offer has already led
// to a match. It does nothing if there is no offer.
func (s *Local) openOffer(o *lobby.Offer, err error) error {
	if err != nil || o == nil {
		return err
	}
	select {
	case seat := <-o.Seated():
		if seat == nil {
			return o.Err()
		}
		return s.takeSeat(seat, nil)
	default:
	}
	to, until := o.To()
	s.mu.Lock()
	former := s.offer
	if s.closed {
		former = o
	} else {
		s.offer = o
		o.Notify(s.pending.wake)
		s.state.Offer = &Offer{
			Rules: o.Rules(), Stakes: o.Stakes(), Since: time.Now(), Code: o.Code(), To: to, For: o.For(), Until: until, TakesOver: o.TakesOver(),
		}
	}
	s.mu.Unlock()
	if former != nil {
		withdraw(former)
	}
	return nil
}

// takeSeat takes a seat, or both seats in a hot-seat match.
func (s *Local) takeSeat(seat *lobby.Seat, err error) error {
	if err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		seat.Detach(seat.Attach())
		return nil
	}
	former := s.offer
	s.sitLocked(seat, [2]int{})
	s.mu.Unlock()
	if former != nil {
		withdraw(former) // already ended, unless it was a rematch offer
	}
	return nil
}

// sitLocked takes a seat and leaves any match that the session plays or watches. seen is
// the number of match events that the player has seen, by side.
func (s *Local) sitLocked(taken *lobby.Seat, seen [2]int) {
	s.leaveSeatsLocked()
	s.unwatchLocked()
	s.offer, s.state.Offer = nil, nil
	s.state.Match = newMatch(taken)
	side := taken.Side()
	s.seats.add(taken, seen[side], s.pending.wake, s.client.Deliver)
	if taken.Partner != nil {
		s.seats.add(taken.Partner, seen[side.Other()], s.pending.wake, s.client.Deliver)
	}
	s.lookAtSeatLocked()
	if taken.Opponent.Kind == account.Person && taken.Partner == nil && s.member != nil && !s.client.Unlisted {
		s.chats[InMatch] = taken.Chat(s.member)
	}
	s.pending.addLocked(Update{Kind: Seated})
	s.pending.wake.Send()
}

// newMatch returns the description of a seat's match.
func newMatch(taken *lobby.Seat) *Match {
	m := &Match{
		ID: taken.Match().ID(), Side: taken.Side(), Opponent: taken.Opponent,
		Rules: taken.Rules(), HotSeat: taken.Partner != nil, Host: taken.Hosts(),
	}
	if p := taken.Partner; p != nil {
		m.Names[m.Side], m.Names[m.Side.Other()] = p.Opponent.Name, taken.Opponent.Name
	}
	return m
}

// leaveSeatsLocked leaves the session's seats. A running match continues without its
// player; after a match, leaving declines a rematch.
func (s *Local) leaveSeatsLocked() {
	s.seats.leave()
	s.forgetSeatsLocked()
}

// forgetSeatsLocked drops the session's seats without leaving them, because another
// session may use them.
func (s *Local) forgetSeatsLocked() {
	s.seats, s.state.Match = seats{}, nil
	s.chats.leave(InMatch)
}
