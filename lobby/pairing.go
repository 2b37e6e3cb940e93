package lobby

import (
	"errors"
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

// pass lets the match know that nobody may come to a seat. It may wait for the
// match, so the lobby is not locked.
func pass(s *live.Seat) { s.Detach(s.Attach()) }

// Rules are those of the match, with its clock.
func (s *Seating) Rules() match.Rules { return s.game.rules }

// Stakes returns what the match is played for.
func (s *Seating) Stakes() Stakes {
	l := s.table.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.game.stakes
}

// PlayNow looks for any opponent with the same rules: whoever has waited
// longest, by whatever door, or waits for this player. If nobody waits, the player waits, and defends.
// Of two that differ in the clock only, the one who waited has it their way.
// Two players meet only if both have chosen rated or both casual. The rules must
// be valid. It may wait for other nodes.
func (l *Lobby) PlayNow(p Player, r match.Rules, choice Stakes) (*Ticket, error) {
	l.deal.Lock()
	defer l.deal.Unlock()
	p, err := l.arriveFor(p, choice)
	if err != nil {
		return nil, err
	}
	return l.seek(p, r, choice, func(t *Ticket) (bool, error) {
		return (t.open() || t.waitsFor(p)) && t.rules.Same(r) && t.choice == choice, nil
	}, func(*Ticket) {})
}

// seek lets a player follow the oldest offer of somebody else that fits, or
// wait by an offer that make completes. Dealing is locked.
func (l *Lobby) seek(p Player, r match.Rules, choice Stakes, fits func(*Ticket) (bool, error), complete func(*Ticket)) (*Ticket, error) {
	for began := time.Now(); ; {
		first, err := l.find(func(t *Ticket) (bool, error) {
			if t.player.ID == p.ID {
				return false, nil
			}
			return fits(t)
		})
		if err != nil {
			return nil, err
		}
		var t *Ticket
		if first != nil {
			t, err = l.follow(first, p)
		} else {
			l.mu.Lock()
			t = l.newTicket(p, r, choice, match.First)
			l.mu.Unlock()
			complete(t)
			err = l.offer(t)
		}
		switch {
		case err == nil:
			return t, nil
		case !errors.Is(err, errMissed):
			return nil, err
		case time.Since(began) > nodeTime:
			return nil, ErrCut
		}
	}
}

// find is the oldest offer that fits, or nil.
func (l *Lobby) find(fits func(*Ticket) (bool, error)) (*Ticket, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.offers {
		if ok, err := fits(t); ok || err != nil {
			return t, err
		}
	}
	return nil, nil
}

// arrive is a player who wants to play, completed; or why they may not.
func (l *Lobby) arrive(p Player) (Player, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return p, ErrClosing
	}
	p = l.identify(p)
	if l.busy(p) {
		return p, errTooMany
	}
	return p, nil
}

// arriveFor is arrive for a player who has chosen the stakes.
func (l *Lobby) arriveFor(p Player, choice Stakes) (Player, error) {
	if err := l.mayPlay(p, choice); err != nil {
		return p, err
	}
	return l.arrive(p)
}

// follow begins the match that somebody has offered, by a ticket that leads to
// the second seat. Dealing is locked.
func (l *Lobby) follow(first *Ticket, p Player) (*Ticket, error) {
	seating, err := l.meet(first, p)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	second := l.newTicket(p, first.rules, first.choice, match.Second)
	second.seat(seating)
	return second, nil
}

// meet begins the match between who made an offer and who takes it, and
// returns the seating of the latter; errMissed if somebody else has taken the
// offer. Dealing is locked.
func (l *Lobby) meet(t *Ticket, p Player) (*Seating, error) {
	here := l.node.ID()
	players := [2]Player{t.player, p}
	g, err := l.prepare(t.rules, t.choice, l.stakes(t.choice, t.rules, players), players, [2]string{t.home, here})
	if err != nil {
		l.withdraw(func(o *Ticket) error {
			if o == t {
				return err
			}
			return nil
		})
		return nil, err
	}
	l.mu.Lock()
	g.room = t.code != ""
	l.mu.Unlock()
	l.sitDown(g.players, t)
	if err := l.claim(t, g); err != nil {
		l.mu.Lock()
		delete(l.running, g.id)
		if errors.Is(err, errMissed) {
			l.drop(t)
		}
		l.mu.Unlock()
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.run(g); err != nil {
		t.fail(err)
		return nil, err
	}
	if !t.here() {
		t.settle()
	} else if !t.settled {
		t.seat(g.seatings[match.First])
	}
	if paired := l.cfg.Meter.Paired; paired != nil && t.open() {
		paired(time.Since(t.since))
	}
	return g.seatings[match.Second], nil
}

// ChallengeBot starts a match against a built-in bot. The bot has always been
// here, so it defends and the player shoots first. The error is a sentence for
// the player. It may wait for other nodes, if the player has offers there.
func (l *Lobby) ChallengeBot(p Player, bot string, r match.Rules, choice Stakes) (*Seating, error) {
	l.deal.Lock()
	defer l.deal.Unlock()
	if err := l.mayPlay(p, choice); err != nil {
		return nil, err
	}
	l.mu.Lock()
	p = l.identify(p)
	l.mu.Unlock()
	here := l.node.ID()
	g, err := l.start(r, choice, [2]Player{l.bot(bot), p}, [2]string{here, here})
	if err != nil {
		return nil, err
	}
	return g.seatings[match.Second], nil
}

// Occupancy is whether a known person has a running match, and whether a session
// uses their seat in it.
type Occupancy uint8

// The kinds of occupancy.
const (
	NoSeat   Occupancy = iota // no running match
	FreeSeat                  // a running match, and no session uses the seat
	UsedSeat                  // a running match that another session of the person plays
)

// Occupancy reports whether a person has a running match to continue. Of several
// one whose seat is free counts.
func (l *Lobby) Occupancy(p Player) Occupancy {
	l.mu.Lock()
	defer l.mu.Unlock()
	g, side := l.unfinished(p)
	switch {
	case g == nil:
		return NoSeat
	case l.inUse(g, side):
		return UsedSeat
	}
	return FreeSeat
}

// Unfinished is the seating of a known person in a running match, for the session
// in which they continue it. A seat that no session uses comes first; of several,
// the one in the match that began first. Nil if there is none. Call it only when
// the person wants to continue here, or [Lobby.Occupancy] is FreeSeat: a session
// that uses the seat loses it.
func (l *Lobby) Unfinished(p Player) *Seating {
	l.mu.Lock()
	defer l.mu.Unlock()
	g, side := l.unfinished(p)
	if g == nil {
		return nil
	}
	if g.homes[side] != l.node.ID() {
		l.moveIn(g, joining{side, g.players[side], l.node.ID()})
	}
	return g.seatings[side]
}

// unfinished is the seat for [Lobby.Unfinished]. It requires l.mu to be held.
func (l *Lobby) unfinished(p Player) (found *game, at match.Side) {
	used := false
	for _, g := range l.running {
		for i := range g.players {
			side := match.Side(i)
			if p.ID == "" || g.players[side].ID != p.ID || !l.held(g) {
				continue
			}
			switch u := l.inUse(g, side); {
			case found == nil, used && !u, used == u && g.started.Before(found.started):
				found, at, used = g, side, u
			}
		}
	}
	return found, at
}
