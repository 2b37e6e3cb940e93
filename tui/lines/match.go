package lines

import (
	"errors"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/match"
)

// game is a match of this session, and what was last heard of it.
type game struct {
	*session.Match
	opponent string // clean
	last     session.MatchUpdate
	seen     bool          // an update has come
	layout   match.Layout  // as far as it is placed
	order    []int         // the ships of it, in the order in which they were placed
	log      []string      // what has happened
	reminded time.Duration // what was left when the player was last told; 0: not yet
	deadline time.Time     // for which that was
	total    time.Duration // that there was then
}

// sit begins a match.
func (s *Session) sit(m *session.Match) {
	if m.HotSeat {
		return // refused by Rejoin
	}
	s.noted.Seat = session.SeatState{}
	s.game = &game{Match: m, opponent: clean(m.Opponent.Name), layout: make(match.Layout, len(m.Rules.Fleet))}
	s.asked, s.confirming = nil, ""
	s.chats[session.InMatch] = chat{}
}

func (g *game) over() bool { return g.seen && g.last.View.Phase == match.Over }

// playing tells whether a match of this session runs.
func (s *Session) playing() bool { return s.game != nil && !s.game.over() }

// placing tells whether the person has ships to place.
func (s *Session) placing() bool {
	if s.game == nil {
		return s.state.Offer != nil // it may be so soon
	}
	v := &s.game.last.View
	return !s.game.seen || v.Phase == match.Placing && !v.Ready[s.game.Side]
}

// inMatch tells whether a match runs, or says that none does.
func (s *Session) inMatch() bool {
	if s.playing() {
		return true
	}
	if s.game != nil {
		s.say("The match is over. Say rematch for another one, or lobby.")
	} else {
		s.say("You are not in a match. Say play, or bot easy, to begin one.")
	}
	return false
}

// ask asks the match for something and lets what comes after it wait until the
// answer is there.
func (s *Session) ask(answered func(*game) bool) { s.asked = answered }

// lost takes in that the match is no longer this session's.
func (s *Session) lost(err error) {
	s.drop()
	s.asked = nil
	if !errors.Is(err, session.ErrReplaced) {
		s.fail(err)
		if s.state.Offer != nil { // the opponent was removed
			s.tellSeek()
		}
		return
	}
	if s.occupancy() == session.NoSeat {
		s.say("Your seat was taken over with its resume code.")
	} else {
		s.offer()
	}
}

// updated takes in what has happened in the match.
func (s *Session) updated(u *session.MatchUpdate) {
	g := s.game
	if g == nil {
		return
	}
	before := g.last
	came := !g.seen
	g.last, g.seen = *u, true
	if u.Refused != nil {
		s.fail(u.Refused)
	}
	if s.asked != nil && (u.Refused != nil || g.over() || s.asked(g)) {
		s.asked = nil
	}
	if came {
		s.welcome(g)
	} else {
		s.tell(g, &before)
	}
	s.setDeadline(g)
}

// manoeuvreNames are what ships can do, as it is said.
var manoeuvreNames = [match.Manoeuvres]i18n.Text{"forward", "backward", "clockwise", "anticlockwise"}

// tableChanged tells what the opponent wants after the match.
func (s *Session) tableChanged(before session.SeatState) {
	g, now := s.game, s.state.Seat
	if by := now.Takeover; by != nil && before.Takeover == nil {
		s.say("%s has entered your resume code and takes over your seat in %s. To keep it, say refuse.", who(s.l, by.By), s.duration(time.Until(by.Until)))
	}
	switch {
	case g == nil || !g.over() || s.state.Offer != nil:
	case now.OpponentLeft && !before.OpponentLeft:
		s.say("%s has left.", g.opponent)
	case now.RematchOffered && !before.RematchOffered:
		s.say("%s wants a rematch. Say rematch to play.", g.opponent)
	}
}

// sayWayBack says how to come back to a match that is being left.
func (s *Session) sayWayBack() {
	if code := s.state.Seat.Code; code != "" {
		s.say("You leave your match. Come back within %s with: ssh HOST resume %s", s.duration(session.Grace), code)
		return
	}
	s.say("You leave your match. Come back within %s and it goes on.", s.duration(session.Grace))
}
