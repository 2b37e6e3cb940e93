package lobby

import (
	"time"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/match/live"
)

// ErrLost is returned for a match that the former active node had and this lobby
// does not have.
var ErrLost = i18n.Errorf("your match was lost when the server failed")

// Continue returns the seat that a player had in a match of the former active node.
// A guest may be known by the resume code alone. The error is ErrLost, or
// [live.ErrReplaced] if the seat has another player or is in use.
func (l *Lobby) Continue(p Player, id string, side match.Side, code string) (*Seat, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.running[id]
	if g == nil {
		return nil, ErrLost
	}
	if g.players[side].ID != p.ID && code != "" && g.codes[side] == code {
		l.changeHands(g, side, p)
	}
	if g.players[side].ID != p.ID || g.inUse(side) {
		return nil, live.ErrReplaced
	}
	return g.seats[side], nil
}

// Begun returns the free seat of a player in the newest running match that began
// after a time, or nil. It is for a player whom nobody has told of the match.
func (l *Lobby) Begun(p Player, after time.Time) *Seat {
	l.mu.Lock()
	defer l.mu.Unlock()
	var newest *game
	var at match.Side
	for _, g := range l.running {
		if g.hotSeat || !g.started.After(after) || newest != nil && newest.started.After(g.started) {
			continue
		}
		for side, q := range g.players {
			if q.ID == p.ID && p.ID != "" && !g.inUse(match.Side(side)) {
				newest, at = g, match.Side(side)
			}
		}
	}
	if newest == nil {
		return nil
	}
	return newest.seats[at]
}

// ReopenRoom opens the private room of a player with the code that it had at the
// former active node.
func (l *Lobby) ReopenPrivate(p Player, r match.Rules, choice Stakes, code string) (*Offer, error) {
	return l.openPrivate(p, r, choice, code)
}
