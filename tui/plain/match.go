package plain

import (
	"context"
	"errors"
	"time"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
	"broadside/words"
)

// game is a seat taken by this session, and the last that came from it.
type game struct {
	seating  *lobby.Seating
	seat     *live.Seat
	side     match.Side
	opponent string
	box      *live.Mailbox
	stop     context.CancelFunc // of the goroutine that waits for its updates
	last     live.Update
	seen     bool             // an update has come
	layout   match.Layout     // as far as it is placed
	order    []int            // the ships of it, in the order in which they were placed
	table    lobby.TableState // what the opponent wants after the match
	log      []string         // what has happened
	reminded time.Duration    // what was left when the person was last told; 0: not yet
	deadline time.Time        // for which that was
	total    time.Duration    // that there was then
}

// sit takes a seat.
func (s *Session) sit(seating *lobby.Seating) {
	s.rise()
	s.unwatch()
	g := &game{
		seating: seating, seat: seating.Seat, side: seating.Seat.Side(), opponent: clean(seating.Opponent.Name),
		box: seating.Seat.Attach(), layout: make(match.Layout, len(seating.Rules().Fleet)), table: seating.Table(),
	}
	s.game = g
	if seating.Opponent.Kind == lobby.Person {
		s.matchTalk = hearing{place: s.visit.TalkAt(seating)}
	}
	ctx, cancel := context.WithCancel(s.ctx)
	g.stop = cancel
	s.pump(ctx, func(ctx context.Context) (func(), bool) {
		var u live.Update
		err := g.box.Recv(ctx, &u)
		return func() { s.updated(g, u, err) }, err == nil
	})
}

// rise leaves the seat, and the table with it. While the match runs, that is
// leaving it.
func (s *Session) rise() {
	g := s.game
	if g == nil {
		return
	}
	s.matchTalk.leave()
	g.stop()
	g.seat.Detach(g.box)
	if g.over() {
		g.seating.Rise()
	}
	s.game, s.asked, s.confirming = nil, nil, ""
}

func (g *game) over() bool { return g.seen && g.last.View.Phase == match.Over }

// playing tells whether a match of this session runs.
func (s *Session) playing() bool { return s.game != nil && !s.game.over() }

// placing tells whether the person has ships to place.
func (s *Session) placing() bool {
	if s.game == nil {
		return s.ticket != nil // it may be so soon
	}
	v := &s.game.last.View
	return !s.game.seen || v.Phase == match.Placing && !v.Ready[s.game.side]
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

// updated takes in what has happened in the match.
func (s *Session) updated(g *game, u live.Update, err error) {
	if g != s.game {
		return
	}
	if err != nil {
		switch {
		case errors.Is(err, live.ErrEnded) && !g.over(): // at another node, which knows no more of it
			s.drop()
			s.rise()
			s.fail(err)
		case errors.Is(err, live.ErrReplaced):
			s.drop()
			s.game = nil // which another session has
			s.asked = nil
			s.matchTalk.leave()
			if s.hall.Occupancy(s.me) == lobby.NoSeat {
				s.say("Your seat was taken over with its resume code.")
			} else {
				s.offer()
			}
		}
		return
	}
	before := g.last
	came := !g.seen
	g.last, g.seen = u, true
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
var manoeuvreNames = [match.Manoeuvres]words.Text{"forward", "backward", "clockwise", "anticlockwise"}

// tableChanged takes in what concerns the seat besides the match.
func (s *Session) tableChanged() {
	g := s.game
	before := g.table
	g.table = g.seating.Table()
	if by := g.table.Takeover; by != nil && before.Takeover == nil {
		s.say("%s has entered your resume code and takes over your seat in %s. To keep it, say refuse.", who(s.l, by.By), s.duration(time.Until(by.Until)))
	}
	switch {
	case !g.over() || s.ticket != nil:
	case g.table.Gone && !before.Gone:
		s.say("%s has left.", g.opponent)
	case g.table.Wanted && !before.Wanted:
		s.say("%s wants a rematch. Say rematch to play.", g.opponent)
	}
}

// sayWayBack says how to come back to a match that is being left.
func (s *Session) sayWayBack() {
	if code := s.game.seating.Code(); code != "" {
		s.say("You leave your match. Come back within %s with: ssh HOST resume %s", s.duration(lobby.DefaultGrace), code)
		return
	}
	s.say("You leave your match. Come back within %s and it goes on.", s.duration(lobby.DefaultGrace))
}
