package lobby

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/match"
)

// ErrNames is why a hot seat does not begin.
var ErrNames = i18n.Errorf("two people need two different names of at most 16 characters")

// HotSeat begins a match of two people at one terminal, which is the visitor's.
// The first one defends. The seat is that of the first, and has the other's
// as its Partner. Nobody else gets to see the match while it is on. It is stored
// as a match against a guest, unrated, if one of the two plays under the name of
// the visitor's account. There is no limit to the time for placing, for the
// second cannot begin before the first is done. The turn clock runs only once a
// player has confirmed to sit there, see [live.Seat.Confirm]. The rules must be
// valid.
func (l *Lobby) HotSeat(p Player, names [2]string, r match.Rules) (*Seat, error) {
	if strings.EqualFold(names[0], names[1]) || !fitsName(names[0]) || !fitsName(names[1]) {
		return nil, ErrNames
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p = l.identifyLocked(p)
	players := [2]Player{p, p}
	for side := range players {
		players[side].Name = names[side]
		if !strings.EqualFold(names[side], p.Name) {
			players[side].Account = ""
		}
	}
	g, err := l.beginLocked(r, Casual, CasualHotSeat, players, nil)
	if err != nil {
		return nil, err
	}
	return g.seats[match.First], nil
}

func fitsName(name string) bool {
	return name != "" && len([]rune(name)) <= MaxName
}

// MaxName is the most characters that a name may have.
const MaxName = 16

// hotSeat tells whether two players are two people at one terminal.
func hotSeat(players [2]Player) bool {
	return players[0].Kind == Person && players[0].ID == players[1].ID
}

// asKept makes the seats of a hot seat what the store is to know of them, and
// tells whether it is to know of the match at all.
func asKept(seats *[2]store.Seat, why match.Reason) bool {
	for side := range seats {
		if seats[side].Player == "" { // it must not be taken for somebody who has that name
			seats[side].Name = "guest " + seats[side].Name
		}
	}
	return !why.Void() && seats[0].Player != seats[1].Player
}
