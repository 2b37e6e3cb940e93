package lobby

import (
	"broadside/match"
	"broadside/words"
)

// ErrGone is why a rematch does not come about.
var ErrGone = words.Errorf("your opponent has left")

// table is where two players sit during a match and after it. All is guarded
// by the lobby's lock.
type table struct {
	lobby   *Lobby
	rules   match.Rules
	players [2]Player
	wishes  [2]*Ticket // for a rematch
	gone    [2]bool
	changed chan struct{} // closed and replaced at every change
}

func newTable(l *Lobby, r match.Rules, players [2]Player) *table {
	return &table{lobby: l, rules: r, players: players, changed: make(chan struct{})}
}

// TableState is how it stands with a rematch, seen from one side.
type TableState struct {
	Wanted bool            // the opponent wants a rematch
	Gone   bool            // the opponent has left: there will be none
	Change <-chan struct{} // closed when this state is no longer the newest
}

// Table is how it stands with a rematch.
func (s *Seating) Table() TableState {
	t := s.table
	t.lobby.mu.Lock()
	defer t.lobby.mu.Unlock()
	other := s.Seat.Side().Other()
	return TableState{Wanted: t.wishes[other] != nil, Gone: t.gone[other], Change: t.changed}
}

// Rematch asks for another match, with the sides swapped. It begins as soon as
// both sides have asked; a bot always wants one.
func (s *Seating) Rematch() (*Ticket, error) {
	t, side := s.table, s.Seat.Side()
	other := side.Other()
	l := t.lobby
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
	ticket := l.newTicket(t.players[side], t.rules, other)
	if t.players[other].Kind != Bot && t.wishes[other] == nil {
		t.wishes[side] = ticket
		t.announce()
		return ticket, nil
	}
	g, err := l.start(t.rules, [2]Player{t.players[match.Second], t.players[match.First]})
	if err != nil {
		return nil, err
	}
	ticket.seat(g.seatings[other])
	if wish := t.wishes[other]; wish != nil {
		wish.seat(g.seatings[side])
	}
	t.gone = [2]bool{true, true} // both now sit at the new table
	t.announce()
	return ticket, nil
}

// Rise leaves the table: there will be no rematch.
func (s *Seating) Rise() {
	l := s.table.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	s.rise()
}

func (s *Seating) rise() {
	t, side := s.table, s.Seat.Side()
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
	t.announce()
}

func (t *table) announce() {
	close(t.changed)
	t.changed = make(chan struct{})
}
