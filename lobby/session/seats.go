package session

import (
	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
)

// seat is a seat that a session holds.
type seat struct {
	held *lobby.Seat
	box  *live.Mailbox
	over bool // the end of the match has been delivered
}

// newUpdate converts an update of the match for the session.
func (s *seat) newUpdate(m *live.Update) Update {
	s.over = m.View.Phase == match.Over
	return Update{Kind: MatchChanged, ID: s.held.Match().ID(), Match: m, Side: s.held.Side()}
}

// seats holds the seats of a session: one, or two in a hot-seat match.
type seats struct {
	bySide [2]*seat
	next   int             // in a hot-seat match: the seat to poll next
	state  lobby.SeatState // of the first seat
}

// first returns the only seat, or the first side's seat in a hot-seat match. It returns nil if
// there is none.
func (ss *seats) first() *seat {
	for _, s := range ss.bySide {
		if s != nil {
			return s
		}
	}
	return nil
}

// find returns the seat of side in a hot-seat match, or otherwise the only seat. It returns nil
// if there is none.
func (ss *seats) find(side match.Side) *seat {
	s := ss.first()
	if s != nil && s.held.Partner != nil {
		s = ss.bySide[side]
	}
	return s
}

// nextUpdate returns an update that is ready and its seat, or the error of a seat that has no
// more updates, or nothing.
func (ss *seats) nextUpdate() (s *seat, m *live.Update, err error) {
	for range ss.bySide {
		ss.next = 1 - ss.next
		s := ss.bySide[ss.next]
		if s == nil || s.over {
			continue
		}
		if m, err := s.box.Next(); m != nil || err != nil {
			return s, m, err
		}
	}
	return nil, nil, nil
}

// refreshState reads the state of the first seat.
func (ss *seats) refreshState() {
	s := ss.first()
	if s != nil {
		ss.state = s.held.State()
	}
}

// add adds a seat. wake is sent when nextUpdate may have something to return.
func (ss *seats) add(s *lobby.Seat, wake live.Signal) {
	ss.bySide[s.Side()] = &seat{held: s, box: s.Attach(wake)}
}

// leave leaves all seats. A running match continues without its player.
func (ss *seats) leave() {
	for _, s := range ss.bySide {
		if s == nil {
			continue
		}
		s.held.Detach(s.box)
		if s.over {
			s.held.Leave()
		}
	}
}
