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
	// over reports that Poll has returned the match's end.
	over bool
}

func (s *seat) newUpdate(m *live.Update) Update {
	s.over = m.View.Phase == match.Over
	return Update{Kind: MatchChanged, ID: s.held.Match().ID(), Match: m, Side: s.held.Side()}
}

// seats holds a session's seats: one, or two in a hot-seat match.
type seats struct {
	bySide [2]*seat
	// next is the seat that was polled last in a hot-seat match.
	next int
	// state is the first seat's state.
	state lobby.SeatState
}

// first returns the only seat, or the first side's seat in a hot-seat match, or nil.
func (ss *seats) first() *seat {
	for _, s := range ss.bySide {
		if s != nil {
			return s
		}
	}
	return nil
}

// find returns the only seat, or side's seat in a hot-seat match, or nil.
func (ss *seats) find(side match.Side) *seat {
	s := ss.first()
	if s != nil && s.held.Partner != nil {
		s = ss.bySide[side]
	}
	return s
}

// nextUpdate returns an update that is ready and its seat, or the error of a seat that has no more
// updates, or zero values.
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

// leave leaves all seats. A running match continues without the player.
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
