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

func TestGameWithAnyLineEndings(t *testing.T) {
	address, _ := startRelay(t, relay.Config{HelloDelay: time.Millisecond}, lobby.Config{})
	for _, c := range []struct {
		name          string
		first, second string
	}{{"newline", "\n", "\n"}, {"carriage return and newline", "\r\n", "\n"}, {"bare carriage return", "\r", "\r"}, {"mixed", "\r", "\r\n"}} {
		t.Run(c.name, func(t *testing.T) {
			playWholeGame(t, address, func(first, second *testClient) { first.eol, second.eol = c.first, c.second })
		})
	}
	t.Run("byte by byte", func(t *testing.T) {
		playWholeGame(t, address, func(first, second *testClient) {
			first.nc = slowConn{first.nc}
			second.nc = slowConn{second.nc}
		})
	})
}

// slowConn writes one byte at a time.
type slowConn struct{ net.Conn }

func (s slowConn) Write(b []byte) (int, error) {
	for i := range b {
		if _, err := s.Conn.Write(b[i : i+1]); err != nil {
			return i, err
		}
	}
	return len(b), nil
}

// TestRolesFollowOrderOfConnecting checks the roles of two clients that connect as close together as
// possible, many times.
func TestRolesFollowOrderOfConnecting(t *testing.T) {
	t.Parallel()
	address, _ := startRelay(t, relay.Config{HelloDelay: 5 * time.Millisecond}, lobby.Config{})
	for range 100 {
		first, second := dial(t, address), dial(t, address)
		first.expect("(3,[]).\n(5,[]).\n")
		second.expect("(4,[]).\n(5,[]).\n")
		first.nc.Close()
		second.expectClosed()
	}
}

// TestProgramJoinsPrivateMatch checks that a program can join a private match and plays by the rules of
// its owner.
func TestProgramJoinsPrivateMatch(t *testing.T) {
	address, l := startRelay(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	room, err := l.Offers.OpenPrivateMatch(account.Player{ID: "key-ann", Name: "ann"}, match.Hasbro(), lobby.Rated)
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, address)
	c.send("% layout uniform\n% vs room " + strings.ToLower(room.Terms.Code))
	c.expect("% ok layout\n% ok vs room " + room.Terms.Code + " rules=hasbro casual\n(4,[]).\n% opponent ann - casual\n")
	s := <-room.Seat()
	if s.Opponent.Kind != account.Program || s.Rules().Name != "hasbro" {
		t.Errorf("ann plays %s against %v", s.Rules().Name, s.Opponent)
	}
	s.Seat.Place(s.Rules().RandomLayout(rand.New(rand.NewPCG(1, 1))))
	c.expect("(5,[]).\n")
	s.Seat.Resign()
	c.expect("% result won resigned shots=0\n% end\n")
}
