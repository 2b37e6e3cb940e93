package account_test

import (
	"slices"
	"testing"

	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/ladder"
	"broadside/match"
)

// TestCareer checks what a career says of matches, newest first: two wins, a void match, a loss, a match at one
// terminal, and a draw against a guest.
func TestCareer(t *testing.T) {
	newMatch := func(opponent string, winner match.Side, after float64) store.Summary {
		return store.Summary{
			RuleSet: "classic", Winner: winner, Reason: match.FleetSunk, Rated: after > 0,
			Seats: [2]store.Seat{{Player: opponent, Name: opponent}, {Player: "ann", Name: "Ann", After: after}},
		}
	}
	void, hotSeat := newMatch("eve", match.First, 0), newMatch("eve", match.First, 0)
	void.Reason, hotSeat.Casual = match.Aborted, store.HotSeat
	c := account.NewCareer("ann", []store.Summary{
		newMatch("bob", match.Second, 1520), newMatch("carl", match.Second, 1510), void,
		newMatch("bob", match.First, 1490), hotSeat, newMatch("", match.Nobody, 0),
	})
	if c.Streak != 2 || c.StreakOutcome != store.Won {
		t.Errorf("the streak is %d of %v", c.Streak, c.StreakOutcome)
	}
	if got, want := c.Ratings["classic"], []float64{1490, 1510, 1520}; !slices.Equal(got, want) {
		t.Errorf("got ratings %v, want %v", got, want)
	}
	want := []ladder.Opponent{{Name: "bob", Games: 2, Won: 1, Lost: 1}, {Name: "carl", Games: 1, Won: 1}}
	if !slices.Equal(c.Opponents, want) {
		t.Errorf("got opponents %+v, want %+v", c.Opponents, want)
	}
}
