package relay_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/relay"
)

// TestGuessingRooms checks that wrong codes slow down the connection that sends them, and none of
// its neighbours, even if it leaves before the answer.
func TestGuessingRooms(t *testing.T) {
	bubble(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
		room, err := r.lobby.Offers.OpenPrivate(r.lobby.Enter(account.Player{Name: "ann"}).Player(), match.Classic(), lobby.Rated)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			guesser := r.dial(t, "")
			began := time.Now()
			guesser.say(fmt.Sprintf("%% vs room AAA-AAA-AA%d", i))
			guesser.hear("% error vs " + lobby.ErrNoPrivate.Error() + "\n% end\n")
			guesser.end()
			guesser.nc.Close()
			if took := time.Since(began); took != session.MinCodePause {
				t.Errorf("wrong code %d took %v, want %v", i+1, took, session.MinCodePause)
			}
		}
		guesser := r.dial(t, "")
		guesser.say("% vs room AAA-AAA-AAA")
		synctest.Wait()
		guesser.nc.Close()

		began := time.Now()
		c := r.dial(t, "")
		c.say("% vs room " + room.Code())
		c.hear("% ok vs room " + room.Code() + " rules=classic casual\n")
		if took := time.Since(began); took > 0 {
			t.Errorf("a right code took %v", took)
		}
		if n, _, _ := r.server.Traffic(); n != 2 {
			t.Errorf("%d connections count, want 2: one has left before the answer to its code", n)
		}
	})
}

// TestSilentClientsWaitBehind checks that clients that have sent nothing get their role without a
// delay, and that the others are offered before them.
func TestSilentClientsWaitBehind(t *testing.T) {
	bubble(t, relay.Config{HelloDelay: time.Second}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
		began := time.Now()
		silent := r.dial(t, "192.0.2.1")
		silent.hear("(3,[]).\n")
		if took := time.Since(began); took != time.Second {
			t.Errorf("the role came after %v", took)
		}
		for i, rules := range []string{"hasbro", "salvo"} {
			c := r.dial(t, fmt.Sprint("192.0.2.", i+2))
			c.say("% rules " + rules + "\n% ready")
			c.hear("% ok rules\n% ok ready\n(3,[]).\n")
		}
		var offered []string
		for _, w := range (<-r.lobby.Enter(account.Player{Name: "ann"}).Snapshots()).Waiting {
			offered = append(offered, w.Rules.Name)
		}
		if !slices.Equal(offered, []string{"hasbro", "salvo", "classic"}) {
			t.Errorf("the offers are %v", offered)
		}
		opponent := r.dial(t, "192.0.2.4")
		opponent.say("% ready")
		opponent.hear("% ok ready\n(4,[]).\n% opponent ")
		silent.hear("(5,[]).\n")
	})
}
