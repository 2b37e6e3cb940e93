package lobby

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/stakes"
	"broadside/match"
)

// ErrNames is returned for the names of two players that are the same or too long.
var ErrNames = i18n.Errorf("the-two-players-need-different")

// HotSeat begins a match of two people who share p's session, and returns the seat of
// the first one, who defends. Its Partner is the other seat. Nobody else sees the match
// while it runs. It is stored as a casual match against a guest if one of the two plays
// under the name of p's account. Placing has no time limit, and turn clocks run only
// after [live.Seat.Confirm]. The rules must be valid.
func (ms *Matches) HotSeat(p Player, names [2]string, r match.Rules) (*Seat, error) {
	if strings.EqualFold(names[0], names[1]) || !fitsName(names[0]) || !fitsName(names[1]) {
		return nil, ErrNames
	}
	l := ms.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	p = l.members.identifyLocked(p)
	players := [2]Player{p, p}
	for side := range players {
		players[side].Name = names[side]
		if !strings.EqualFold(names[side], p.Name) {
			players[side].Account = ""
		}
	}
	g, err := ms.beginLocked(r, Casual, stakes.CasualHotSeat, players, nil)
	if err != nil {
		return nil, err
	}
	return g.seats[match.First], nil
}

func fitsName(name string) bool { return name != "" && len([]rune(name)) <= account.MaxName }

// isHotSeat reports whether two players are people who share a session.
func isHotSeat(players [2]Player) bool {
	return players[0].Kind == Person && players[0].ID == players[1].ID
}

// hotSeatRecord changes the seats of a hot-seat match to what the store should have. It
// reports whether the store should have the match.
func hotSeatRecord(seats *[2]store.Seat, why match.Reason) bool {
	for side := range seats {
		if seats[side].Player == "" { // an account may have the same name
			seats[side].Name = "guest " + seats[side].Name
		}
	}
	return !why.Void() && seats[0].Player != seats[1].Player
}
