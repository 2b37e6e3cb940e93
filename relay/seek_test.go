package relay_test

import (
	"fmt"
	"testing"
	"time"

	"broadside/internal/ratelimit"
	"broadside/lobby"
	"broadside/match"
	"broadside/relay"
)

// TestGuessingRooms checks that guesses count against the address of a program, across all
// its connections.
func TestGuessingRooms(t *testing.T) {
	t.Parallel()
	address, l := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	room, err := l.Offers.OpenPrivate(l.Enter(lobby.Player{Name: "ann"}).Player(), match.Classic(), lobby.Rated)
	if err != nil {
		t.Fatal(err)
	}
	for i := range ratelimit.GuessBurst {
		c := dial(t, address)
		c.say(fmt.Sprintf("%% vs room AAA-AAA-AA%d", i))
		c.hear("% error vs " + lobby.ErrNoPrivate.Error() + "\n")
		c.nc.Close()
	}
	c := dial(t, address)
	c.say("% vs room " + room.Code())
	c.hear("% error vs " + ratelimit.ErrGuesses.Error() + "\n")
}
