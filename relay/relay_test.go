package relay_test

import (
	"math/rand/v2"
	"net"
	"strings"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/relay"
)

func TestWholeGameByBytes(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Millisecond}, lobby.Config{})
	for _, c := range []struct {
		name          string
		first, second string
	}{{"newline", "\n", "\n"}, {"carriage return and newline", "\r\n", "\n"}, {"bare carriage return", "\r", "\r"}, {"mixed", "\r", "\r\n"}} {
		t.Run(c.name, func(t *testing.T) {
			wholeGame(t, address, func(first, second *testClient) { first.eol, second.eol = c.first, c.second })
		})
	}
	t.Run("byte by byte", func(t *testing.T) {
		wholeGame(t, address, func(first, second *testClient) {
			first.nc = slowly{first.nc}
			second.nc = slowly{second.nc}
		})
	})
}

// slowly writes bytes one at a time.
type slowly struct{ net.Conn }

func (s slowly) Write(b []byte) (int, error) {
	for i := range b {
		if _, err := s.Conn.Write(b[i : i+1]); err != nil {
			return i, err
		}
	}
	return len(b), nil
}

// TestRolesFollowTheOrderOfConnecting connects two clients as close together as possible,
// many times.
func TestRolesFollowTheOrderOfConnecting(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, relay.Config{HelloDelay: 5 * time.Millisecond}, lobby.Config{})
	for range 100 {
		first, second := dial(t, address), dial(t, address)
		first.hear("(3,[]).\n(5,[]).\n")
		second.hear("(4,[]).\n(5,[]).\n")
		first.nc.Close()
		second.end()
	}
}

// TestRoom checks that a program can join a private match and plays by its rules.
func TestRoom(t *testing.T) {
	address, l := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	room, err := l.Offers.OpenPrivateMatch(account.Player{ID: "key-ann", Name: "ann"}, match.Hasbro(), lobby.Rated)
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, address)
	c.say("% layout uniform\n% vs room " + strings.ToLower(room.Terms.Code))
	c.hear("% ok layout\n% ok vs room " + room.Terms.Code + " rules=hasbro casual\n(4,[]).\n% opponent ann - casual\n")
	s := <-room.Seat()
	if s.Opponent.Kind != account.Program || s.Rules().Name != "hasbro" {
		t.Errorf("ann plays %s against %v", s.Rules().Name, s.Opponent)
	}
	s.Seat.Place(s.Rules().RandomLayout(rand.New(rand.NewPCG(1, 1))))
	c.hear("(5,[]).\n")
	s.Seat.Resign()
	c.hear("% result won resigned shots=0\n% end\n")
}
