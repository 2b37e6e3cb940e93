package lobby

import (
	"slices"
	"time"

	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/lobby/code"
	"broadside/match"
)

// TakeoverTime is how long a player can refuse to hand over their seat after its resume code has
// been entered elsewhere.
const TakeoverTime = 10 * time.Second

// Errors of seats that cannot be taken, as sentences for the player.
var (
	ErrRefused  = i18n.Errorf("the player in this seat refused to hand it over: the resume code has changed")
	ErrInUse    = i18n.Errorf("this seat is in use: end the other session first, then try again")
	ErrNoResume = i18n.Errorf("no running match has this resume code: check it and try again")
)

// Takeover is a request to take over a seat that is in use.
type Takeover struct {
	By account.Player
	// Until is when the seat changes hands, unless its player refuses.
	Until time.Time
	// offer is the offer that By has made.
	offer *Offer
}

// Occupancy says whether a player has a running match, and whether a session uses its seat.
type Occupancy uint8

// The kinds of occupancy.
const (
	// NoSeat means that the player has no running match.
	NoSeat Occupancy = iota
	// FreeSeat means that no session uses the player's seat in a running match.
	FreeSeat
	// UsedSeat means that another session of the player uses the seat.
	UsedSeat
)

// Occupancy returns whether a player has a running match to continue. Free seats take precedence
// over seats in use.
func (ms *Matches) Occupancy(p account.Player) Occupancy {
	ms.lobby.mu.Lock()
	defer ms.lobby.mu.Unlock()
	g, side := ms.findUnfinishedLocked(p)
	switch {
	case g == nil:
		return NoSeat
	case g.isSeatUsed(side):
		return UsedSeat
	}
	return FreeSeat
}

// FindUnfinished returns a player's seat in a running match, or nil. It prefers a seat that
// no session uses, then the oldest match. A session that uses the seat loses it when
// another one attaches.
func (ms *Matches) FindUnfinished(p account.Player) *Seat {
	ms.lobby.mu.Lock()
	defer ms.lobby.mu.Unlock()
	g, side := ms.findUnfinishedLocked(p)
	if g == nil {
		return nil
	}
	return g.seats[side]
}

func (ms *Matches) findUnfinishedLocked(p account.Player) (found *game, at match.Side) {
	used := false
	for _, g := range ms.byPlayer[p.ID] {
		side, ok := g.findSideLocked(p.ID)
		if !ok || g.hasEnded() {
			continue
		}
		switch u := g.isSeatUsed(side); {
		case found == nil, used && !u, used == u && g.started.Before(found.started):
			found, at, used = g, side, u
		}
	}
	return found, at
}

// RequestSeat returns an offer for the seat with an entered resume code. The player gets the seat
// immediately if no session uses it. Otherwise its player may refuse within [TakeoverTime].
func (ms *Matches) RequestSeat(p account.Player, text string) (*Offer, error) {
	entered, ok := code.Parse(text, code.ResumeLength)
	if !ok {
		return nil, ErrNoResume
	}
	l := ms.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	g, side := ms.findByCodeLocked(entered)
	if g == nil || g.players[side].Kind != account.Person {
		return nil, ErrNoResume
	}
	o := l.Offers.newOfferLocked(p, seatHolder{}, g.rules, g.choice)
	switch {
	case g.players[side.Other()].ID == p.ID:
		return nil, ErrSelf
	case !g.isSeatUsed(side):
		ms.setPlayerLocked(g, side, p)
		o.giveSeatLocked(g.seats[side])
		return o, nil
	case g.hotSeat || g.rematch.takeovers[side] != nil:
		return nil, ErrInUse
	}
	o.setExpiryLocked(TakeoverTime, func() {
		ms.setPlayerLocked(g, side, p)
		o.giveSeatLocked(g.seats[side])
	})
	o.onEnd = func() {
		g.rematch.takeovers[side] = nil
		g.rematch.notifyLocked()
	}
	g.rematch.takeovers[side] = &Takeover{By: p, Until: o.Terms.Expires, offer: o}
	g.rematch.notifyLocked()
	return o, nil
}

// FindProgramSeat returns a program's seat by its resume code, and the program. id is its account's
// ID, or empty if it is not registered. FindProgramSeat also finds a match that has just ended. A
// session that uses the seat loses it when another one attaches.
func (ms *Matches) FindProgramSeat(id, text string) (*Seat, account.Player, error) {
	entered, ok := code.Parse(text, code.ResumeLength)
	if !ok {
		return nil, account.Player{}, ErrNoResume
	}
	ms.lobby.mu.Lock()
	defer ms.lobby.mu.Unlock()
	g, side := ms.findByCodeLocked(entered)
	for _, ended := range ms.recent {
		i := slices.Index(ended.codes[:], entered)
		if i >= 0 {
			g, side = ended, match.Side(i)
		}
	}
	if g == nil || g.players[side].Kind != account.Program || g.players[side].Account != id {
		return nil, account.Player{}, ErrNoResume
	}
	return g.seats[side], g.players[side], nil
}

// findByCodeLocked returns the game and the side with a resume code. The game is nil if there is
// none.
func (ms *Matches) findByCodeLocked(code string) (*game, match.Side) {
	for _, g := range ms.running {
		for side := range g.players {
			if g.codes[side] == code && !g.hasEnded() {
				return g, match.Side(side)
			}
		}
	}
	return nil, 0
}

// setPlayerLocked gives a guest's seat to another player.
func (ms *Matches) setPlayerLocked(g *game, side match.Side, p account.Player) {
	l := ms.lobby
	l.members.releaseNamesLocked(g)
	removeFrom(ms.byPlayer, g.players[side].ID, g)
	g.players[side] = p
	ms.byPlayer[p.ID] = append(ms.byPlayer[p.ID], g)
	for _, m := range l.members.byID[p.ID] {
		g.addKeysLocked(side, m.keys...)
	}
	l.members.reserveNamesLocked(g)
	l.publishSoonLocked()
}

// adoptMatchesLocked gives the matches that were started with a key to the player whose account the
// key opens now.
func (ms *Matches) adoptMatchesLocked(fingerprint string, owner account.Player) {
	id := account.KeyPlayer(fingerprint).ID
	for _, g := range slices.Clone(ms.byPlayer[id]) {
		side, _ := g.findSideLocked(id)
		switch {
		case g.hotSeat:
			// Neither name is the account's.
			removeFrom(ms.byPlayer, id, g)
			g.players[match.First].ID, g.players[match.Second].ID = owner.ID, owner.ID
			ms.byPlayer[owner.ID] = append(ms.byPlayer[owner.ID], g)
		case g.players[side.Other()].ID != owner.ID:
			ms.setPlayerLocked(g, side, owner)
			g.names[side] = owner.Name
		}
	}
}

// RefuseTakeover declines a pending takeover request and changes the resume code, which another
// player knows.
func (s *Seat) RefuseTakeover() {
	g, side := s.game, s.Side()
	l := g.matches.lobby
	l.mu.Lock()
	request := g.rematch.takeovers[side]
	if request == nil {
		l.mu.Unlock()
		return
	}
	g.codes[side] = ""
	if g.players[side].Guest {
		g.codes[side] = code.New(code.ResumeLength)
	}
	request.offer.failLocked(ErrRefused)
	l.mu.Unlock()
	g.saveCodes()
}
