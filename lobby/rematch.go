package lobby

import (
	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// ErrOpponentLeft is returned when a rematch is no longer possible.
var ErrOpponentLeft = i18n.Errorf("your opponent left")

// rematch is what a match's players negotiate outside the match: a rematch, and requests for their
// seats. Its arrays are indexed by side. The lobby's lock guards it.
type rematch struct {
	// offers holds the open rematch offers.
	offers [2]*Offer
	// hasLeft reports that a player has left or plays the rematch.
	hasLeft [2]bool
	// takeovers holds the open requests for the seats.
	takeovers [2]*Takeover
	// wake is sent after every change, to the players' newest sessions.
	wake [2]live.Signal
}

// SeatState is the state of a seat outside the match itself.
type SeatState struct {
	// RematchOffered reports that the opponent offers a rematch.
	RematchOffered bool
	// OpponentLeft reports that there will be no rematch.
	OpponentLeft bool
	// Takeover is a request for the seat, or nil. It succeeds unless the player calls
	// [Seat.RefuseTakeover].
	Takeover *Takeover
	// ResumeCode lets a guest, or a program that returns, continue the match in another session.
	// It is empty for players who need none.
	ResumeCode string
}

// Attach is [live.Seat.Attach]. It also sends wake, unless it is nil, when the seat's state changes.
func (s *Seat) Attach(wake live.Signal) *live.Mailbox {
	if wake != nil {
		l := s.game.matches.lobby
		l.mu.Lock()
		s.game.rematch.wake[s.Side()] = wake
		l.mu.Unlock()
	}
	return s.Seat.Attach(wake)
}

// State returns the seat's current state. If nothing has changed since the last call, it returns an
// equal state.
func (s *Seat) State() SeatState {
	l, r, side := s.game.matches.lobby, s.game.rematch, s.Side()
	l.mu.Lock()
	defer l.mu.Unlock()
	return SeatState{r.offers[side.Other()] != nil, r.hasLeft[side.Other()], r.takeovers[side], s.game.codes[side]}
}

// OfferRematch offers another match with the sides swapped. The match starts once both sides have
// offered it. Bots always accept.
func (s *Seat) OfferRematch() (*Offer, error) {
	g, side := s.game, s.Side()
	r, other, l := g.rematch, side.Other(), g.matches.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	me, swapped := g.players[side], [2]account.Player{g.players[match.Second], g.players[match.First]}
	switch {
	case l.closing:
		return nil, ErrClosing
	case r.hasLeft[other] || r.hasLeft[side]:
		return nil, ErrOpponentLeft
	case r.offers[side] != nil:
		return r.offers[side], nil
	}
	if err := l.Matches.checkAbortsLocked(me, g.choice); err != nil {
		return nil, err
	}
	offer := l.Offers.newOfferLocked(me, opponent{}, g.rules, g.choice)
	offer.onEnd = func() {
		r.offers[side] = nil
		r.notifyLocked()
	}
	if g.players[other].Kind != account.Bot && r.offers[other] == nil {
		r.offers[side] = offer
		r.notifyLocked()
		return offer, nil
	}
	var kept *Offer
	if g.players[other].Kind == account.Bot {
		kept = l.Offers.findKeptLocked(me)
	}
	next, err := l.Matches.startLocked(g.rules, g.choice, l.Matches.matchRatingModeLocked(g.choice, g.rules, swapped), swapped, kept, g)
	if err != nil {
		return nil, err
	}
	next.score = [2]int{g.score[match.Second], g.score[match.First]}
	offer.giveSeatLocked(next.seats[other])
	theirs := r.offers[other]
	if theirs != nil {
		theirs.giveSeatLocked(next.seats[side])
	}
	r.hasLeft = [2]bool{true, true}
	r.notifyLocked()
	return offer, nil
}

// Leave declines a rematch.
func (s *Seat) Leave() {
	l, r, side := s.game.matches.lobby, s.game.rematch, s.Side()
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.hasLeft[side] {
		return
	}
	r.hasLeft[side] = true
	for _, offer := range r.offers {
		if offer != nil {
			offer.failLocked(ErrOpponentLeft)
		}
	}
	r.notifyLocked()
}

// notifyLocked notifies both players' sessions that their SeatState may have changed.
func (r *rematch) notifyLocked() {
	r.wake[match.First].Send()
	r.wake[match.Second].Send()
}
