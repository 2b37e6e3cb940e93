package lobby

import (
	"broadside/match"
	"broadside/words"
)

// ErrGone is why a rematch does not come about.
var ErrGone = words.Errorf("your opponent has left")

// table is where two players sit during a match and after it. All is guarded by
// the lobby's lock.
type table struct {
	lobby   *Lobby
	game    *game
	wishes  [2]*Ticket    // for a rematch
	gone    [2]bool       // a side has left, or plays the rematch
	changed chan struct{} // closed and replaced at every change

	takeovers [2]*Ticket // that ask for the seats
}

func newTable(l *Lobby, g *game) *table {
	return &table{lobby: l, game: g, changed: make(chan struct{})}
}

// TableState is what concerns a seat besides the match itself: a rematch, and
// who holds the seat.
type TableState struct {
	Wanted   bool            // the opponent wants a rematch
	Gone     bool            // the opponent has left: there will be none
	Takeover *Takeover       // somebody asks for the seat, and gets it unless [Seating.Refuse] is called
	Change   <-chan struct{} // closed when this state is no longer the newest
}

// Table is the newest state.
func (s *Seating) Table() TableState {
	t := s.table
	t.lobby.mu.Lock()
	defer t.lobby.mu.Unlock()
	other := s.Seat.Side().Other()
	state := TableState{Wanted: t.wishes[other] != nil, Gone: t.gone[other], Change: t.changed}
	if asks := t.takeovers[s.Seat.Side()]; asks != nil {
		state.Takeover = &Takeover{By: asks.player, Until: asks.until}
	}
	return state
}

// Rematch asks for another match, with the sides swapped. It begins as soon as
// both sides have asked; a bot always wants one.
func (s *Seating) Rematch() (*Ticket, error) {
	t, g, side := s.table, s.game, s.Seat.Side()
	other, l := side.Other(), s.table.lobby
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
	case t.gone[other] || t.gone[side]:
		return nil, ErrGone
	case t.wishes[side] != nil:
		return t.wishes[side], nil
	}
	ticket := l.newTicket(me, g.rules, g.choice, other)
	ticket.again = t
	if g.players[other].Kind != Bot && t.wishes[other] == nil {
		t.wishes[side] = ticket
		t.tell()
		return ticket, nil
	}
	next, err := l.begin(g.rules, g.choice, stakes, swapped, nil)
	if err != nil {
		return nil, err
	}
	t.wishes[side] = ticket
	ticket.seat(next.seatings[other])
	if wish := t.wishes[other]; wish != nil {
		wish.seat(next.seatings[side])
	}
	t.gone = [2]bool{true, true} // both now sit at the new table
	t.tell()
	return ticket, nil
}

// Rise leaves the table: there will be no rematch.
func (s *Seating) Rise() {
	t, side := s.table, s.Seat.Side()
	t.lobby.mu.Lock()
	defer t.lobby.mu.Unlock()
	if t.gone[side] {
		return
	}
	t.gone[side] = true
	for i, wish := range t.wishes {
		if wish != nil && !wish.settled {
			wish.fail(ErrGone)
		}
		t.wishes[i] = nil
	}
	t.tell()
}

// tell lets the sessions of both players know that something has changed. The lobby
// is locked.
func (t *table) tell() {
	close(t.changed)
	t.changed = make(chan struct{})
}
