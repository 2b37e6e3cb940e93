package lobby

import (
	"encoding/json"

	"broadside/match"
	"broadside/words"
)

// ResumeLength is the number of letters and digits of a resume code.
const ResumeLength = 6

// ErrNoResume is why a resume code leads nowhere.
var ErrNoResume = words.Errorf("no match waits for this code: it may be over, or the code is another one")

// Code is what brings the seat's player back into the match from anywhere, a
// guest that nobody knows by a key; empty for those who need none.
func (s *Seating) Code() string {
	l := s.table.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.game.codes[s.Seat.Side()]
}

// Resume is the seating to which a resume code belongs, as it was typed. The
// player takes the place of the guest who had it; a match between guests stays
// unrated. The error is a sentence for the player.
func (l *Lobby) Resume(p Player, text string) (*Seating, error) {
	code := cleanCode(text)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wait(p.ID, "") > 0 {
		return nil, ErrPause
	}
	for _, g := range l.running {
		for side := range g.players {
			if code == "" || g.codes[side] != code || !l.held(g) {
				continue
			}
			if g.players[1-side].ID == p.ID {
				return nil, ErrSelf
			}
			l.moveIn(g, joining{match.Side(side), p, l.node.ID()})
			return g.seatings[side], nil
		}
	}
	l.pause(p.ID, "", CodePause)
	return nil, ErrNoResume
}

// joining is that a player of a match has come to a node, or somebody who takes
// the place of a guest.
type joining struct {
	Side   match.Side
	Player Player
	Home   string
}

// seatJoined notes it, for all nodes if the match runs here. The lobby is
// locked.
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
// guest in a match that runs here. The lobby is locked.
func (l *Lobby) takePlaceOf(g *game, data []byte) {
	var j joining
	if g != nil && l.runs(g) && json.Unmarshal(data, &j) == nil && j.Side <= match.Second {
		l.seatJoined(g, j)
	}
}
