package lobby

import (
	"errors"
	"time"

	"broadside/match"
	"broadside/match/live"
)

// Seat is a player's seat in a match, and afterwards the place at the table
// where a rematch is agreed on.
type Seat struct {
	*live.Seat
	Opponent Player
	Partner  *Seat // the opponent's, in a hot seat; else nil
	rematch  *rematch
	game     *game
}

// Rules are those of the match, with its clock.
func (s *Seat) Rules() match.Rules { return s.game.rules }

// Stakes returns what the match is played for.
func (s *Seat) Stakes() Stakes {
	l := s.rematch.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.game.stakes
}

// PlayNow looks for any opponent with the same rules: whoever has waited
// longest, by whatever door, or waits for this player. If nobody waits, the player waits, and defends.
// Of two that differ in the clock only, the one who waited has it their way.
// Two players meet only if both have chosen rated or both casual. The rules must
// be valid.
func (l *Lobby) Seek(p Player, r match.Rules, choice Stakes) (*Offer, error) {
	fits := func(p Player, t *Offer) (bool, error) {
		return (t.open() || t.waitsFor(p)) && t.rules.Same(r) && t.choice == choice, nil
	}
	return l.takeOrOffer(p, choice, fits, func(p Player) (*Offer, error) {
		t := l.newOffer(p, r, choice, match.First)
		l.offerLocked(t)
		return t, nil
	})
}

// seek lets a player take the oldest offer of somebody else that fits. If there is
// none, wait makes an offer in the same critical section, so two players who could
// play each other never both wait: the player who waits has been told that they will defend.
func (l *Lobby) takeOrOffer(p Player, choice Stakes, fits func(Player, *Offer) (bool, error), wait func(Player) (*Offer, error)) (*Offer, error) {
	if err := l.mayPlay(p, choice); err != nil {
		return nil, err
	}
	for {
		first, t, err := l.findOrOffer(&p, fits, wait)
		if first == nil || err != nil {
			return t, err
		}
		seat, err := l.start(first, p)
		switch {
		case errors.Is(err, errEnded):
			continue
		case err != nil:
			return nil, err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		second := l.newOffer(p, first.rules, first.choice, match.Second)
		second.seatLocked(seat)
		return second, nil
	}
}

// takeOrWait returns the offer that the player has taken and [Lobby.meet] has to
// settle, or the player's own.
func (l *Lobby) findOrOffer(p *Player, fits func(Player, *Offer) (bool, error), wait func(Player) (*Offer, error)) (first, own *Offer, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if *p, err = l.admitLocked(*p); err != nil {
		return nil, nil, err
	}
	first, err = l.findLocked(func(t *Offer) (bool, error) {
		if t.player.ID == p.ID {
			return false, nil
		}
		return fits(*p, t)
	})
	switch {
	case err != nil:
		return nil, nil, err
	case first == nil:
		own, err = wait(*p)
		return nil, own, err
	}
	first.taken = true
	return first, nil, nil
}

// find returns the oldest offer that fits and that nobody has taken, or nil. The
// lobby is locked.
func (l *Lobby) findLocked(fits func(*Offer) (bool, error)) (*Offer, error) {
	for _, t := range l.offers {
		if t.taken {
			continue
		}
		switch ok, err := fits(t); {
		case err != nil:
			return nil, err
		case ok:
			return t, nil
		}
	}
	return nil, nil
}

// arrive completes a player who wants to play, or returns why they may not. The
// lobby is locked.
func (l *Lobby) admitLocked(p Player) (Player, error) {
	if l.closing {
		return p, ErrClosing
	}
	p = l.identifyLocked(p)
	if l.busyLocked(p) {
		return p, errTooMany
	}
	return p, nil
}

// errMissed is why an offer that was taken leads to no match: it has ended
// meanwhile.
var errEnded = errors.New("the offer has ended")

// meet begins the match between the player who made an offer and the one who has
// taken it, and returns the seat of the latter. It may wait for the store. The
// error is errMissed if the offer ended meanwhile.
func (l *Lobby) start(t *Offer, p Player) (*Seat, error) {
	players := [2]Player{t.player, p}
	stakes := l.stakes(t.choice, t.rules, players)
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.settled {
		return nil, errEnded
	}
	g, err := l.beginLocked(t.rules, t.choice, stakes, players, t)
	if err != nil {
		t.failLocked(err)
		return nil, err
	}
	t.seatLocked(g.seats[match.First])
	if paired := l.cfg.Meter.Paired; paired != nil && t.open() {
		paired(time.Since(t.since))
	}
	return g.seats[match.Second], nil
}

// ChallengeBot starts a match against a built-in bot. The bot has always been
// here, so it defends and the player shoots first. The error is a sentence for
// the player.
func (l *Lobby) PlayBot(p Player, bot string, r match.Rules, choice Stakes) (*Seat, error) {
	if err := l.mayPlay(p, choice); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	players := [2]Player{l.bot(bot), l.identifyLocked(p)}
	g, err := l.beginLocked(r, choice, stakesOf(choice, r, players), players, nil)
	if err != nil {
		return nil, err
	}
	return g.seats[match.Second], nil
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
	g, side := l.unfinishedLocked(p)
	switch {
	case g == nil:
		return NoSeat
	case g.inUse(side):
		return UsedSeat
	}
	return FreeSeat
}

// Unfinished is the seat of a known person in a running match, for the session
// in which they continue it. A seat that no session uses comes first; of several,
// the one in the match that began first. Nil if there is none. Call it only when
// the person wants to continue here, or [Lobby.Occupancy] is FreeSeat: a session
// that uses the seat loses it.
func (l *Lobby) Unfinished(p Player) *Seat {
	l.mu.Lock()
	defer l.mu.Unlock()
	g, side := l.unfinishedLocked(p)
	if g == nil {
		return nil
	}
	return g.seats[side]
}

// unfinished is the seat for [Lobby.Unfinished]. It requires l.mu to be held.
func (l *Lobby) unfinishedLocked(p Player) (found *game, at match.Side) {
	used := false
	for _, g := range l.running {
		for i := range g.players {
			side := match.Side(i)
			if p.ID == "" || g.players[side].ID != p.ID {
				continue
			}
			switch u := g.inUse(side); {
			case found == nil, used && !u, used == u && g.started.Before(found.started):
				found, at, used = g, side, u
			}
		}
	}
	return found, at
}
