package lobby

import (
	"encoding/json"
	"net/netip"
	"time"

	"broadside/match"
	"broadside/words"
)

// TakeoverTime is how long the player of a seat in use has to refuse when
// somebody else enters its resume code.
const TakeoverTime = 10 * time.Second

// Why a seat is not taken over, as sentences for the player.
var (
	ErrRefused = words.Errorf("the player in this seat refused to hand it over: the resume code has changed")
	ErrInUse   = words.Errorf("this seat is in use: end the other session first, then try again")
)

// Code is the resume code of the seat, which brings a guest back into the match;
// empty for players who need none.
func (s *Seating) Code() string {
	l := s.table.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.game.codes[s.Seat.Side()]
}

// Takeover is a request to take over a seat that is in use.
type Takeover struct {
	By    Player
	Until time.Time // when the seat changes hands, unless its player refuses
}

// Resume asks for the seat that a resume code belongs to, as it was typed by a
// player at an address. The player gets the seat at once if no session uses it,
// and otherwise when its player has not refused within [TakeoverTime]. A match
// between guests stays unrated. The error is a sentence for the player.
func (l *Lobby) Resume(from netip.Addr, p Player, text string) (*Ticket, error) {
	code, ok := readCode(text, ResumeLength)
	if !ok {
		return nil, ErrNoResume
	}
	end, err := l.guesses.Try(from)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	g, side := l.seatOf(code)
	if end(g != nil); g == nil {
		return nil, ErrNoResume
	}
	t := l.newTicket(p, g.rules, g.choice, side)
	switch {
	case g.players[side.Other()].ID == p.ID:
		return nil, ErrSelf
	case !l.inUse(g, side):
		l.moveIn(g, joining{side, p, l.node.ID()})
		t.seat(g.seatings[side])
		return t, nil
	case !g.seatings[side].Seat.Held() || g.hotSeat || g.table.takeovers[side] != nil:
		return nil, ErrInUse // at another node, by two people, or asked for already
	}
	t.takes, t.until = g, time.Now().Add(TakeoverTime)
	g.table.takeovers[side] = t
	g.table.tell()
	l.work.Add(1) // done by the timer, or by who stops it
	t.timer = time.AfterFunc(TakeoverTime, func() {
		defer l.work.Done()
		l.mu.Lock()
		defer l.mu.Unlock()
		if !t.settled {
			l.moveIn(g, joining{side, p, l.node.ID()})
			t.seat(g.seatings[side])
		}
	})
	return t, nil
}

// Refuse turns down the request to take over the seat, if there is one, and
// changes the resume code: somebody else knows it.
func (s *Seating) Refuse() {
	g, side, l := s.game, s.Seat.Side(), s.table.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	t := s.table.takeovers[side]
	if t == nil {
		return
	}
	if l.runs(g) { // elsewhere the node that runs the match has the code
		if g.codes[side] = ""; g.players[side].Guest {
			g.codes[side] = newCode(ResumeLength)
		}
		l.republish(g)
	}
	t.fail(ErrRefused)
}

// Functions below require l.mu to be held.

// seatOf is the seat with a resume code; a nil game if there is none.
func (l *Lobby) seatOf(code string) (*game, match.Side) {
	for _, g := range l.running {
		for side := range g.players {
			if g.codes[side] == code && l.held(g) {
				return g, match.Side(side)
			}
		}
	}
	return nil, 0
}

// inUse reports whether a session uses a seat. A player who is connected to
// another node uses the seats that they had there.
func (l *Lobby) inUse(g *game, side match.Side) bool {
	if s := g.seatings[side]; s != nil && s.Seat.Held() {
		return true
	}
	home := g.homes[side]
	if home == l.node.ID() || l.dead(home) {
		return false
	}
	for _, p := range l.others {
		if p.home == home && p.Player.ID == g.players[side].ID {
			return true
		}
	}
	return false
}

// failTakeovers ends the requests for the seats of a match that is over.
func (l *Lobby) failTakeovers(g *game) {
	if g.table == nil {
		return
	}
	for _, t := range g.table.takeovers {
		if t != nil {
			t.fail(ErrNoResume)
		}
	}
}

// joining is that a player of a match has come to a node, or somebody who takes
// the place of a guest.
type joining struct {
	Side   match.Side
	Player Player
	Home   string
}

// seatJoined notes it, for all nodes if the match runs here.
func (l *Lobby) seatJoined(g *game, j joining) {
	g.players[j.Side], g.homes[j.Side] = j.Player, j.Home
	if l.runs(g) {
		l.republish(g)
	}
	l.changed()
}

// moveIn is seatJoined for a player who has come to this node.
func (l *Lobby) moveIn(g *game, j joining) {
	l.seatJoined(g, j)
	rev, now := g.rev, true
	l.insist(func() bool {
		if g.over || l.runs(g) || g.rev > rev || !now && !g.seatings[j.Side].Seat.Held() {
			return false // it is known, or they have gone on
		}
		now = false
		l.node.Send(g.owner, envelope(joined, g.id, encode(j)))
		return true
	})
}

// takePlaceOf takes in that somebody at another node has taken the place of a
// guest in a match that runs here.
func (l *Lobby) takePlaceOf(g *game, data []byte) {
	var j joining
	if g != nil && l.runs(g) && json.Unmarshal(data, &j) == nil && j.Side <= match.Second {
		l.seatJoined(g, j)
	}
}
