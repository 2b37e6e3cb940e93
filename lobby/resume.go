package lobby

import (
	"net/netip"
	"time"

	"broadside/internal/i18n"
	"broadside/match"
)

// TakeoverTime is how long the player of a seat in use has to refuse when
// somebody else enters its resume code.
const TakeoverTime = 10 * time.Second

// Why a seat is not taken over, as sentences for the player.
var (
	ErrRefused = i18n.Errorf("the player in this seat refused to hand it over: the resume code has changed")
	ErrInUse   = i18n.Errorf("this seat is in use: end the other session first, then try again")
)

// Code is the resume code of the seat, which brings a guest back into the match;
// empty for players who need none.
func (s *Seat) Code() string {
	l := s.rematch.lobby
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
func (l *Lobby) Resume(from netip.Addr, p Player, text string) (*Offer, error) {
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
	t := l.newOffer(p, g.rules, g.choice, side)
	switch {
	case g.players[side.Other()].ID == p.ID:
		return nil, ErrSelf
	case !g.inUse(side):
		l.changeHands(g, side, p)
		t.seatLocked(g.seats[side])
		return t, nil
	case g.hotSeat || g.rematch.takeovers[side] != nil:
		return nil, ErrInUse // by two people, or asked for already
	}
	t.takes, t.until = g, time.Now().Add(TakeoverTime)
	g.rematch.takeovers[side] = t
	g.rematch.notifyLocked()
	t.timer = l.at(t.until, func() {
		if !t.settled {
			l.changeHands(g, side, p)
			t.seatLocked(g.seats[side])
		}
	})
	return t, nil
}

// Refuse turns down the request to take over the seat, if there is one, and
// changes the resume code: somebody else knows it.
func (s *Seat) Refuse() {
	g, side, l := s.game, s.Seat.Side(), s.rematch.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	t := s.rematch.takeovers[side]
	if t == nil {
		return
	}
	if g.codes[side] = ""; g.players[side].Guest {
		g.codes[side] = newCode(ResumeLength)
	}
	l.storeCodes(g)
	t.failLocked(ErrRefused)
}

// Functions below require l.mu to be held.

// storeCodes stores the resume codes of a match that have changed: otherwise the former
// ones would be valid again after a restart.
func (l *Lobby) storeCodes(g *game) {
	if !g.journal.kept || !l.resumable(g) {
		return
	}
	l.work.Go(func() {
		ctx, cancel := l.lasting()
		defer cancel()
		for {
			l.mu.Lock()
			over, running := g.over, l.beginning(g)
			l.mu.Unlock()
			if over {
				return
			}
			found, err := l.cfg.Store.Running.SaveDetails(ctx, running)
			if found {
				return
			}
			if err != nil {
				l.cfg.Log.Warn("the resume codes of a match cannot be stored; retrying", "match", g.id, "error", err)
			}
			select {
			case <-time.After(journalPause): // the beginning may not be stored yet
			case <-l.ctx.Done():
				return
			}
		}
	})
}

// seatOf is the seat with a resume code; a nil game if there is none.
func (l *Lobby) seatOf(code string) (*game, match.Side) {
	for _, g := range l.running {
		for side := range g.players {
			if g.codes[side] == code {
				return g, match.Side(side)
			}
		}
	}
	return nil, 0
}

// inUse reports whether a session uses a seat.
func (g *game) inUse(side match.Side) bool { return g.seats[side].Seat.Held() }

// changeHands gives a guest's seat to another player.
func (l *Lobby) changeHands(g *game, side match.Side, p Player) {
	g.players[side] = p
	l.changedLocked()
}
