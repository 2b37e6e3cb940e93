package lobby

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/ratingmode"
	"broadside/match"
)

// ErrPlayerNames is returned if the two names for a hot-seat match are equal, empty or too long.
var ErrPlayerNames = i18n.Errorf("the players need two different names of at most 16 characters")

// StartHotSeat starts a match between two players who share p's session, and returns the seat of
// the first player, who defends first. The other seat is its Partner. The match is hidden from
// others while it runs. If one of the two plays under the name of p's account, the match is
// stored as a casual match against a guest. Only the account's owner finds it in lists, and it
// counts in no statistics. Placing has no time limit, and turn clocks start only after
// [live.Seat.ConfirmTurn]. The rules must be valid.
func (ms *Matches) StartHotSeat(p account.Player, names [2]string, r match.Rules) (*Seat, error) {
	if strings.EqualFold(names[0], names[1]) || !isValidPlayerName(names[0]) || !isValidPlayerName(names[1]) {
		return nil, ErrPlayerNames
	}
	l := ms.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	p = l.members.identifyLocked(p)
	players := [2]account.Player{p, p}
	for side := range players {
		players[side].Name = names[side]
		if !strings.EqualFold(names[side], p.Name) {
			players[side].Account = ""
		}
	}
	g, err := ms.startLocked(r, Casual, ratingmode.CasualHotSeat, players, nil, nil)
	if err != nil {
		return nil, err
	}
	return g.seats[match.First], nil
}

func isValidPlayerName(name string) bool { return name != "" && len([]rune(name)) <= account.MaxName }

// markHotSeatRecord makes a hot-seat match's record private, and marks players without an account
// as guests, since an account may have the same name.
func markHotSeatRecord(m *store.Match) {
	for side := range m.Seats {
		seat := &m.Seats[side]
		if seat.Player == "" {
			seat.Name = "guest " + seat.Name
		}
	}
	m.Private = true
}
