package lobby

import (
	"broadside/internal/i18n"
	"broadside/match"
)

// ErrGone is why a rematch does not come about.
var ErrGone = i18n.Errorf("your opponent has left")

// table is where two players sit during a match and after it. All is guarded by
// the lobby's lock.
type rematch struct {
	lobby   *Lobby
	game    *game
	offers  [2]*Offer     // for a rematch
	left    [2]bool       // a side has left, or plays the rematch
	changed chan struct{} // closed and replaced at every change

	takeovers [2]*Offer // that ask for the seats
}

func newRematch(l *Lobby, g *game) *rematch {
	return &rematch{lobby: l, game: g, changed: make(chan struct{})}
}

// TableState is what concerns a seat besides the match itself: a rematch, and
// who holds the seat.
type SeatState struct {
	RematchOffered bool            // the opponent wants a rematch
	OpponentLeft   bool            // the opponent has left: there will be none
	Takeover       *Takeover       // somebody asks for the seat, and gets it unless [Seat.Refuse] is called
	Change         <-chan struct{} // closed when this state is no longer the newest
}

// Table is the newest state.
func (s *Seat) State() SeatState {
	t := s.rematch
	t.lobby.mu.Lock()
	defer t.lobby.mu.Unlock()
	other := s.Seat.Side().Other()
	state := SeatState{RematchOffered: t.offers[other] != nil, OpponentLeft: t.left[other], Change: t.changed}
	if asks := t.takeovers[s.Seat.Side()]; asks != nil {
		state.Takeover = &Takeover{By: asks.player, Until: asks.until}
	}
	return state
}

// Rematch asks for another match, with the sides swapped. It begins as soon as
// both sides have asked; a bot always wants one.
func (s *Seat) Rematch() (*Offer, error) {
	t, g, side := s.rematch, s.game, s.Seat.Side()
	other, l := side.Other(), s.rematch.lobby
	l.mu.Lock()
	me, swapped := g.players[side], [2]Player{g.players[match.Second], g.players[match.First]}
	l.mu.Unlock()
	if err := l.mayPlay(me, g.choice); err != nil {
		return nil, err
	}
	stakes := l.stakes(g.choice, g.rules, swapped)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closing:
		return nil, ErrClosing
	case t.left[other] || t.left[side]:
		return nil, ErrGone
	case t.offers[side] != nil:
		return t.offers[side], nil
	}
	offer := l.newOffer(me, g.rules, g.choice, other)
	offer.again = t
	if g.players[other].Kind != Bot && t.offers[other] == nil {
		t.offers[side] = offer
		t.notifyLocked()
		return offer, nil
	}
	next, err := l.beginLocked(g.rules, g.choice, stakes, swapped, nil)
	if err != nil {
		return nil, err
	}
	t.offers[side] = offer
	offer.seatLocked(next.seats[other])
	if wish := t.offers[other]; wish != nil {
		wish.seatLocked(next.seats[side])
	}
	t.left = [2]bool{true, true} // both now sit at the new table
	t.notifyLocked()
	return offer, nil
}

// Rise leaves the table: there will be no rematch.
func (s *Seat) Leave() {
	t, side := s.rematch, s.Seat.Side()
	t.lobby.mu.Lock()
	defer t.lobby.mu.Unlock()
	if t.left[side] {
		return
	}
	t.left[side] = true
	for i, wish := range t.offers {
		if wish != nil && !wish.settled {
			wish.failLocked(ErrGone)
		}
		t.offers[i] = nil
	}
	t.notifyLocked()
}

// tell lets the sessions of both players know that something has changed. The lobby
// is locked.
func (t *rematch) notifyLocked() {
	close(t.changed)
	t.changed = make(chan struct{})
}
