package session

import (
	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
)

// seat is a seat that a session holds.
type seat struct {
	*lobby.Seat
	box  *live.Mailbox
	over bool // the end of the match has been delivered
}

// update returns an update of the match for the session.
func (s *seat) update(m *live.Update) Update {
	s.over = m.View.Phase == match.Over
	return Update{Kind: MatchChanged, ID: s.Match().ID(), Match: m, Side: s.Side()}
}

// seats are the seats that a session holds: one, or both in a hot seat.
type seats struct {
	bySide [2]*seat
	next   int             // the one to look at next, in a hot seat
	state  lobby.SeatState // of the first one
	code   string          // its resume code
}

// first returns the only seat, or that of the first side in a hot seat; nil if there is
// none.
func (ss *seats) first() *seat {
	for _, s := range ss.bySide {
		if s != nil {
			return s
		}
	}
	return nil
}

// of returns the seat of a side in a hot seat, or else the only one; nil if there is
// none.
func (ss *seats) of(side match.Side) *seat {
	s := ss.first()
	if s != nil && s.Partner != nil {
		s = ss.bySide[side]
	}
	return s
}

// take returns an update that is there already and its seat, or the error of a seat
// without further updates, or else the channels to wait for.
func (ss *seats) take() (s *seat, m *live.Update, ready [2]<-chan struct{}, err error) {
	for range ss.bySide {
		ss.next = 1 - ss.next
		s := ss.bySide[ss.next]
		if s == nil || s.over {
			continue
		}
		if m, err := s.box.Take(); m != nil || err != nil {
			return s, m, ready, err
		}
		ready[ss.next] = s.box.Ready()
	}
	return nil, nil, ready, nil
}

// add adds a seat. seen is the number of events that the player has seen.
func (ss *seats) add(s *lobby.Seat, seen int) {
	ss.bySide[s.Side()] = &seat{Seat: s, box: s.AttachFrom(seen)}
}

// leave leaves all seats. A running match continues without its player.
func (ss *seats) leave() {
	for _, s := range ss.bySide {
		if s == nil {
			continue
		}
		s.Detach(s.box)
		if s.over {
			s.Leave()
		}
	}
}
