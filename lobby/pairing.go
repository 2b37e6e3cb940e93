package lobby

import (
	"time"

	"broadside/match"
	"broadside/match/live"
)

// Seating is a player's seat in a match, and afterwards the place at the table
// where a rematch is agreed on.
type Seating struct {
	Seat     *live.Seat
	Opponent Player
	Partner  *Seating // the opponent's, in a hot seat; else nil
	table    *table
	game     *game
}

// Rules are those of the match, with its clock.
func (s *Seating) Rules() match.Rules { return s.table.rules }

// PlayNow looks for any opponent with the same rules: whoever has waited
// longest, by whatever door, or waits for this player. If nobody waits, the player waits, and defends.
// Of two that differ in the clock only, the one who waited has it their way.
// The rules must be valid.
func (l *Lobby) PlayNow(p Player, r match.Rules) (*Ticket, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return nil, ErrClosing
	}
	p = l.identify(p)
	if l.busy(p) {
		return nil, errTooMany
	}
	for _, first := range l.offers {
		if (first.open() || first.waitsFor(p)) && first.rules.Same(r) && first.player.ID != p.ID {
			return l.follow(first, p)
		}
	}
	t := l.newTicket(p, r, match.First)
	l.offer(t)
	return t, nil
}

// follow begins the match that somebody has offered, by a ticket that leads to
// the second seat. The lobby is locked.
func (l *Lobby) follow(first *Ticket, p Player) (*Ticket, error) {
	second := l.newTicket(p, first.rules, match.Second)
	seating, err := l.meet(first, p)
	if err != nil {
		return nil, err
	}
	second.seat(seating)
	return second, nil
}

// ChallengeBot starts a match against a built-in bot. The bot has always been
// here, so it defends and the player shoots first. The error is a sentence for
// the player.
func (l *Lobby) ChallengeBot(p Player, bot string, r match.Rules) (*Seating, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = l.identify(p)
	g, err := l.start(r, [2]Player{l.bot(bot), p})
	if err != nil {
		return nil, err
	}
	return g.seatings[match.Second], nil
}

// Unfinished is the seating of a running match that a known person has left,
// or else plays from elsewhere; of several, the one that began first. Nil if
// there is none.
func (l *Lobby) Unfinished(p Player) *Seating {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found *Seating
	var since time.Time
	for _, g := range l.running {
		for side := range g.players {
			if p.ID == "" || g.players[side].ID != p.ID {
				continue
			}
			s := g.seatings[side]
			switch held := s.Seat.Held(); {
			case found == nil, found.Seat.Held() && !held, found.Seat.Held() == held && g.started.Before(since):
				found, since = s, g.started
			}
		}
	}
	return found
}
