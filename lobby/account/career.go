package account

import (
	"cmp"
	"slices"

	"broadside/internal/store"
	"broadside/lobby/ladder"
	"broadside/match"
)

// CareerMatches is how many of a player's last matches a [Career] is about.
const CareerMatches = 300

// maxOpponents limits a [Career]'s opponents.
const maxOpponents = 20

// Career is what a player's last matches tell.
type Career struct {
	// Ratings has the ratings after each rated match by rule set, oldest first.
	Ratings map[string][]float64
	// Opponents are the accounts that the player played most often, in order.
	Opponents []ladder.Opponent
	// Streak is the number of last matches that all ended in the same way, StreakOutcome.
	Streak        int
	StreakOutcome store.Outcome
}

// NewCareer returns a player's career from matches, newest first.
func NewCareer(player string, matches []store.Summary) Career {
	c := Career{Ratings: map[string][]float64{}}
	opponents := map[string]*ladder.Opponent{}
	ended := false
	for _, m := range matches {
		if m.Reason.IsVoid() || m.Casual == store.HotSeat {
			continue
		}
		side := match.First
		if m.Seats[match.Second].Player == player {
			side = match.Second
		}
		outcome := m.OutcomeFor(side)
		if m.Rated {
			c.Ratings[m.RuleSet] = append(c.Ratings[m.RuleSet], m.Seats[side].After)
		}
		if c.Streak == 0 {
			c.StreakOutcome = outcome
		}
		ended = ended || outcome != c.StreakOutcome
		if !ended {
			c.Streak++
		}
		addOpponent(opponents, m.Seats[side.Other()], outcome)
	}
	for _, all := range c.Ratings {
		slices.Reverse(all)
	}
	for _, o := range opponents {
		c.Opponents = append(c.Opponents, *o)
	}
	slices.SortFunc(c.Opponents, func(a, b ladder.Opponent) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), cmp.Compare(a.Name, b.Name))
	})
	c.Opponents = c.Opponents[:min(len(c.Opponents), maxOpponents)]
	return c
}

// addOpponent counts a match against an opponent, unless that is a guest.
func addOpponent(all map[string]*ladder.Opponent, seat store.Seat, outcome store.Outcome) {
	if seat.Player == "" {
		return
	}
	o := all[seat.Player]
	if o == nil {
		// The newest match comes first and has the newest name.
		o = &ladder.Opponent{Name: seat.Name}
		all[seat.Player] = o
	}
	o.Games++
	switch outcome {
	case store.Won:
		o.Won++
	case store.Lost:
		o.Lost++
	}
}
