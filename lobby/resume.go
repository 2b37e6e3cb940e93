package lobby

import (
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
			if code == "" || g.codes[side] != code {
				continue
			}
			if g.players[1-side].ID == p.ID {
				return nil, ErrSelf
			}
			s := g.seatings[side]
			g.players[side], s.table.players[side] = p, p
			l.changed()
			return s, nil
		}
	}
	l.hold(p.ID, "", CodePause)
	return nil, ErrNoResume
}
