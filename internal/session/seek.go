package session

import (
	"context"
	"time"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/match"
)

// Why an action of a match or an offer is refused.
var (
	ErrNoOffer = i18n.Errorf("you have no open offer")
	ErrHotSeat = i18n.Errorf("you have a hot-seat match, which needs a screen: connect with ssh -t HOST")
)

// Actions that look for an opponent. The player of an open offer defends, the
// player who takes it shoots first. A new offer replaces the former one. The
// stakes are those that the player chooses, [Rated] or [Casual].
type (
	// Seek plays the next available player, or opens an offer to everybody.
	Seek struct {
		Rules  match.Rules
		Stakes Stakes
	}
	// PlayBot starts a match against a built-in bot.
	PlayBot struct {
		Bot    string
		Rules  match.Rules
		Stakes Stakes
	}
	// SendChallenge offers a match to one player in the lobby.
	SendChallenge struct {
		Player string // the ID
		Rules  match.Rules
		Stakes Stakes
	}
	// Accept takes an offer of the lobby, or a challenge.
	Accept struct{ Offer int }
	// Decline turns a challenge down. One that is gone is left alone.
	Decline struct{ Offer int }
	// OpenRoom offers a match to whoever knows the code, [Offer.Code].
	OpenPrivate struct {
		Rules  match.Rules
		Stakes Stakes
	}
	// JoinRoom starts the match of a room.
	JoinPrivate struct{ Code string }
	// TakeSeat takes a guest's seat by its resume code, or asks for it if it is
	// in use.
	ResumeSeat struct{ Code string }
	// HotSeat starts a match of two people who share this session.
	HotSeat struct {
		Names [2]string
		Rules match.Rules
	}
	// Rejoin takes the seat of the player's running match, if there is one:
	// State.Match tells. Sessions begin with it.
	Rejoin struct {
		HotSeat bool // the frontend can show a hot seat; else it gets ErrHotSeat
		Used    bool // also if another session of the player uses the seat
	}
	// Refuse keeps the seat from the player who asks for it, [SeatState].
	Refuse struct{}
	// Rematch asks the last opponent for another match.
	Rematch struct{}
)

func (a Seek) do(_ context.Context, s *Local) error {
	return s.offer(s.lobby.Offers.Seek(s.entrant(), a.Rules, a.Stakes))
}

func (a PlayBot) do(_ context.Context, s *Local) error {
	return s.take(s.lobby.Matches.PlayBot(s.entrant(), a.Bot, a.Rules, a.Stakes))
}

func (a SendChallenge) do(_ context.Context, s *Local) error {
	return s.offer(s.lobby.Offers.Challenge(s.Player(), a.Player, a.Rules, a.Stakes))
}

func (a Accept) do(_ context.Context, s *Local) error {
	return s.take(s.lobby.Offers.Accept(s.Player(), a.Offer))
}

func (a Decline) do(_ context.Context, s *Local) error {
	s.lobby.Offers.Decline(s.Player(), a.Offer)
	return nil
}

func (a OpenPrivate) do(_ context.Context, s *Local) error {
	return s.offer(s.lobby.Offers.OpenPrivate(s.Player(), a.Rules, a.Stakes))
}

func (a JoinPrivate) do(_ context.Context, s *Local) error {
	return s.take(s.lobby.Offers.JoinPrivate(s.addr, s.entrant(), a.Code))
}

func (a ResumeSeat) do(_ context.Context, s *Local) error {
	return s.offer(s.lobby.Matches.Resume(s.addr, s.Player(), a.Code))
}

func (a HotSeat) do(_ context.Context, s *Local) error {
	return s.take(s.lobby.Matches.HotSeat(s.Player(), a.Names, a.Rules))
}

func (a Rejoin) do(_ context.Context, s *Local) error {
	if !a.Used && s.lobby.Matches.Occupancy(s.Player()) != FreeSeat {
		return nil
	}
	seat := s.lobby.Matches.Unfinished(s.Player())
	switch {
	case seat == nil:
		return nil
	case seat.Partner != nil && !a.HotSeat:
		return ErrHotSeat
	}
	return s.take(seat, nil)
}

func (Refuse) do(_ context.Context, s *Local) error {
	s.mu.Lock()
	held := s.seatLocked()
	s.mu.Unlock()
	if held == nil {
		return ErrNoMatch
	}
	held.Refuse()
	s.tableChanged()
	return nil
}

func (Rematch) do(_ context.Context, s *Local) error {
	s.mu.Lock()
	seats := s.seats
	s.mu.Unlock()
	var wish *lobby.Offer
	for _, held := range seats { // in a hot seat both ask
		if held == nil {
			continue
		}
		var err error
		if wish, err = held.Rematch(); err != nil {
			return err
		}
	}
	if wish == nil {
		return lobby.ErrGone
	}
	return s.offer(wish, nil)
}

// GetOccupancy asks whether the player has a running match to continue, and
// whether another session uses the seat.
type GetOccupancy struct{}

func (GetOccupancy) ask(_ context.Context, s *Local) (Occupancy, error) {
	return s.lobby.Matches.Occupancy(s.Player()), nil
}

// Cancel withdraws the player's open offer. The answer is false if it is too
// late: a match is about to begin, or the offer has failed.
type Cancel struct{}

func (Cancel) ask(_ context.Context, s *Local) (bool, error) {
	s.mu.Lock()
	t := s.seek
	s.mu.Unlock()
	if t == nil {
		return false, ErrNoOffer
	}
	if !t.Cancel() {
		return false, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seek == t {
		s.seek, s.state.Offer = nil, nil
		s.rewire()
	}
	return true, nil
}

// withdraw withdraws an offer, or leaves the match that has come of it.
func withdraw(t *lobby.Offer) {
	if t.Cancel() {
		return
	}
	select {
	case seat := <-t.Seated():
		if seat != nil {
			seat.Seat.Detach(seat.Seat.Attach())
		}
	default:
	}
}

// offer waits for what becomes of an offer, or takes the seat if it is there.
func (s *Local) offer(t *lobby.Offer, err error) error {
	if err != nil {
		return err
	}
	select {
	case seat := <-t.Seated():
		if seat == nil {
			return t.Err()
		}
		return s.take(seat, nil)
	default:
	}
	to, until := t.To()
	takes, _ := t.Takeover()
	s.mu.Lock()
	former := s.seek
	if s.closed {
		former = t
	} else {
		s.seek = t
		s.state.Offer = &Offer{
			Rules: t.Rules(), Stakes: t.Stakes(), Since: time.Now(), Code: t.Code(), To: to, Until: until,
			Rematch: s.seatLocked() != nil, TakesOver: takes,
		}
		s.rewire()
	}
	s.mu.Unlock()
	if former != nil {
		withdraw(former)
	}
	return nil
}

// take takes a seat, and both in a hot seat.
func (s *Local) take(seat *lobby.Seat, err error) error {
	if err != nil {
		return err
	}
	s.mu.Lock()
	former := s.seek
	if !s.closed {
		s.sitLocked(seat, [2]int{})
		s.mu.Unlock()
	} else {
		s.mu.Unlock()
		former = nil
		seat.Seat.Detach(seat.Seat.Attach())
	}
	if former != nil {
		withdraw(former) // it has failed already, unless it asked for a rematch
	}
	return nil
}

// sitLocked takes a seat in place of what this session has played or watched. seen
// is what the player has seen of the match before, by side.
func (s *Local) sitLocked(taken *lobby.Seat, seen [2]int) {
	s.leaveSeatsLocked()
	s.unwatchLocked()
	s.seek, s.state.Offer = nil, nil
	m := &Match{
		ID: taken.Match().ID(), Side: taken.Side(), Opponent: taken.Opponent,
		Rules: taken.Rules(), HotSeat: taken.Partner != nil, Host: taken.Hosts(),
	}
	s.seats[m.Side] = &seat{Seat: taken, box: taken.AttachFrom(seen[m.Side])}
	if p := taken.Partner; p != nil {
		s.seats[m.Side.Other()] = &seat{Seat: p, box: p.AttachFrom(seen[m.Side.Other()])}
		m.Names[m.Side], m.Names[m.Side.Other()] = p.Opponent.Name, taken.Opponent.Name
	}
	s.state.Match, s.table, s.code = m, taken.State(), taken.Code()
	if taken.Opponent.Kind == Person && !m.HotSeat && !s.unlisted {
		s.chats[InMatch] = taken.Chat(s.member)
	}
	s.pushLocked(Update{Kind: Seated})
	s.rewire()
}

// seatLocked is the seat that this session holds, the first of a hot seat; nil
// if there is none.
func (s *Local) seatLocked() *seat {
	for _, held := range s.seats {
		if held != nil {
			return held
		}
	}
	return nil
}

// leaveSeatsLocked leaves the seats, and the table where a rematch would be
// agreed on. A match that runs goes on without its player.
func (s *Local) leaveSeatsLocked() {
	for _, held := range s.seats {
		if held == nil {
			continue
		}
		held.Seat.Detach(held.box)
		if held.over {
			held.Leave()
		}
	}
	s.forgetSeatsLocked()
}

// forgetSeatsLocked forgets seats that somebody else may hold by now.
func (s *Local) forgetSeatsLocked() {
	s.seats, s.state.Match, s.table = [2]*seat{}, nil, lobby.SeatState{}
	s.leaveChatLocked()
}
