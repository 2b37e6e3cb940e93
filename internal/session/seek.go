package session

import (
	"context"
	"time"

	"broadside/lobby"
	"broadside/match"
	"broadside/words"
)

// Why an action of a match or an offer is refused.
var (
	ErrNoSeek  = words.Errorf("you have no open offer")
	ErrHotSeat = words.Errorf("you have a hot-seat match, which needs a screen: connect with ssh -t HOST")
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
	OpenRoom struct {
		Rules  match.Rules
		Stakes Stakes
	}
	// JoinRoom starts the match of a room.
	JoinRoom struct{ Code string }
	// TakeSeat takes a guest's seat by its resume code, or asks for it if it is
	// in use.
	TakeSeat struct{ Code string }
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
	// Refuse keeps the seat from the player who asks for it, [Table].
	Refuse struct{}
	// Rematch asks the last opponent for another match.
	Rematch struct{}
)

func (a Seek) do(_ context.Context, s *Local) error {
	return s.offer(s.lobby.PlayNow(s.entrant(), a.Rules, a.Stakes))
}

func (a PlayBot) do(_ context.Context, s *Local) error {
	return s.take(s.lobby.ChallengeBot(s.entrant(), a.Bot, a.Rules, a.Stakes))
}

func (a SendChallenge) do(_ context.Context, s *Local) error {
	return s.offer(s.lobby.Challenge(s.Player(), a.Player, a.Rules, a.Stakes))
}

func (a Accept) do(_ context.Context, s *Local) error {
	return s.take(s.lobby.Take(s.Player(), a.Offer))
}

func (a Decline) do(_ context.Context, s *Local) error {
	s.lobby.Decline(s.Player(), a.Offer)
	return nil
}

func (a OpenRoom) do(_ context.Context, s *Local) error {
	return s.offer(s.lobby.OpenRoom(s.Player(), a.Rules, a.Stakes))
}

func (a JoinRoom) do(_ context.Context, s *Local) error {
	return s.take(s.lobby.Join(s.addr, s.entrant(), a.Code))
}

func (a TakeSeat) do(_ context.Context, s *Local) error {
	return s.offer(s.lobby.Resume(s.addr, s.Player(), a.Code))
}

func (a HotSeat) do(_ context.Context, s *Local) error {
	return s.take(s.lobby.HotSeat(s.Player(), a.Names, a.Rules))
}

func (a Rejoin) do(_ context.Context, s *Local) error {
	if !a.Used && s.lobby.Occupancy(s.Player()) != FreeSeat {
		return nil
	}
	seating := s.lobby.Unfinished(s.Player())
	switch {
	case seating == nil:
		return nil
	case seating.Partner != nil && !a.HotSeat:
		return ErrHotSeat
	}
	return s.take(seating, nil)
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
	var wish *lobby.Ticket
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
	return s.lobby.Occupancy(s.Player()), nil
}

// Cancel withdraws the player's open offer. The answer is false if it is too
// late: a match is about to begin, or the offer has failed.
type Cancel struct{}

func (Cancel) ask(_ context.Context, s *Local) (bool, error) {
	s.mu.Lock()
	t := s.seek
	s.mu.Unlock()
	if t == nil {
		return false, ErrNoSeek
	}
	if !t.Cancel() {
		return false, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seek == t {
		s.seek, s.state.Seek = nil, nil
		s.rewire()
	}
	return true, nil
}

// withdraw withdraws an offer, or leaves the match that has come of it.
func withdraw(t *lobby.Ticket) {
	if t.Cancel() {
		return
	}
	select {
	case seating := <-t.Seated():
		if seating != nil {
			seating.Seat.Detach(seating.Seat.Attach())
		}
	default:
	}
}

// offer waits for what becomes of an offer, or takes the seat if it is there.
func (s *Local) offer(t *lobby.Ticket, err error) error {
	if err != nil {
		return err
	}
	select {
	case seating := <-t.Seated():
		if seating == nil {
			return t.Err()
		}
		return s.take(seating, nil)
	default:
	}
	to, until := t.To()
	takes, _ := t.TakesOver()
	s.mu.Lock()
	former := s.seek
	if s.closed {
		former = t
	} else {
		s.seek = t
		s.state.Seek = &Offer{
			Rules: t.Rules(), Stakes: t.Stakes(), Since: time.Now(), Code: t.Code(), To: to, Until: until,
			Again: s.seatLocked() != nil, TakesOver: takes,
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
func (s *Local) take(seating *lobby.Seating, err error) error {
	if err != nil {
		return err
	}
	s.mu.Lock()
	former := s.seek
	if !s.closed {
		s.sitLocked(seating)
		s.mu.Unlock()
	} else {
		s.mu.Unlock()
		former = nil
		seating.Seat.Detach(seating.Seat.Attach())
	}
	if former != nil {
		withdraw(former) // it has failed already, unless it asked for a rematch
	}
	return nil
}

// sitLocked takes a seat in place of what this session has played or watched.
func (s *Local) sitLocked(seating *lobby.Seating) {
	s.leaveSeatsLocked()
	s.unwatchLocked()
	s.seek, s.state.Seek = nil, nil
	m := &Match{
		ID: seating.Seat.Match().ID(), Side: seating.Seat.Side(), Opponent: seating.Opponent,
		Rules: seating.Rules(), HotSeat: seating.Partner != nil, OwnRoom: seating.OwnsRoom(),
	}
	s.seats[m.Side] = &seat{Seating: seating, box: seating.Seat.Attach()}
	if p := seating.Partner; p != nil {
		s.seats[m.Side.Other()] = &seat{Seating: p, box: p.Seat.Attach()}
		m.Names[m.Side], m.Names[m.Side.Other()] = p.Opponent.Name, seating.Opponent.Name
	}
	s.state.Match, s.table, s.code = m, seating.Table(), seating.Code()
	if seating.Opponent.Kind == Person && !m.HotSeat && !s.unlisted {
		s.chats[InMatch] = s.visit.TalkAt(seating)
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
			held.Rise()
		}
	}
	s.forgetSeatsLocked()
}

// forgetSeatsLocked forgets seats that somebody else may hold by now.
func (s *Local) forgetSeatsLocked() {
	s.seats, s.state.Match, s.table = [2]*seat{}, nil, lobby.TableState{}
	s.leaveChatLocked()
}
