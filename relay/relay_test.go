package relay_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/bots"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/relay"
	"broadside/relay/client"
	"broadside/relay/program"
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

func TestSpacesBetweenTokens(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Millisecond}, lobby.Config{})
	first, second := pair(t, address)
	second.say("\n\n  ( 1 ,\t[ 3 , 4 ] ) . ")
	first.hear("(1,[3,4]).\n")
	first.say(" (2,[3,4 ,1] ).\r\n\r\n")
	second.hear("(2,[3,4,1]).\n")
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

func TestFirstIsToldToDefendBeforeTheSecondIsThere(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, relay.Config{}, lobby.Config{})
	first := dial(t, address)
	first.hear("(3,[]).\n")
	second := dial(t, address)
	second.hear("(4,[]).\n(5,[]).\n")
	first.hear("(5,[]).\n")
}

func TestRepeatedShotsArePassedOn(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Millisecond}, lobby.Config{})
	first, second := pair(t, address)
	for range 50 {
		second.say("(1,[0,0]).")
		first.hear("(1,[0,0]).\n")
		first.say("(2,[0,0,2]).")
		second.hear("(2,[0,0,2]).\n")
		first.say("(1,[9,9]).")
		second.hear("(1,[9,9]).\n")
		second.say("(2,[9,9,1]).")
		first.hear("(2,[9,9,1]).\n")
	}
}

func TestDirectives(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	c := dial(t, address)
	for _, d := range []struct{ say, hear string }{
		{"% hello broadside/1 name=kraken version=2.1", "% ok hello\n"},
		{"%hello broadside/1 name=kraken", "% ok hello\n"},
		{"% hello", "% error hello say hello broadside/1 name=NAME\n"},
		{"% hello broadside/1 name=\x1b[31mred", "% error hello a name has 1 to 16 letters, digits, - or _\n"},
		{"% rules classic", "% ok rules\n"},
		{"% layout uniform", "% ok layout\n"},
		{"% layout", "% error layout say layout uniform, or layout and the ships with ; between them\n"},
		{"% games", "% error games say how many games the series has, from 1 to 1000000\n"},
		{"% games 0", "% error games say how many games the series has, from 1 to 1000000\n"},
		{"% games 1", "% ok games 1\n"},
		{"% dance", "% " + program.UnknownDirective + "\n"},
		{"%", "% " + program.UnknownDirective + "\n"},
		{"% vs bot easy", "% ok vs bot easy\n(4,[]).\n% opponent easy - casual\n(5,[]).\n"},
		{"% rules hasbro", "% error late rules has to come before your first role: reconnect\n"},
	} {
		c.say(d.say)
		c.hear(d.hear)
	}
	// The server answers for the client's fleet: the bot's shot arrives, and
	// it is the client's turn again without an answer.
	c.say("(1,[0,0]).")
	for range 3 {
		for {
			l, err := c.line()
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(l, "(1,") {
				break
			}
		}
		c.say("(1,[0,0]).")
	}
	c.say("nonsense")
	rest, _ := io.ReadAll(c.nc)
	if s := string(rest); !strings.Contains(s, "% result lost malformed shots=") || !strings.Contains(s, "% error malformed") {
		t.Errorf("the last lines are %q", s)
	}
}

// TestRefusedDirectiveEndsConnection checks that a client whose rules or opponent were refused plays
// nothing else, whatever it has sent before or after.
func TestRefusedDirectiveEndsConnection(t *testing.T) {
	_, nobody := bots.New("nobody", bots.Config{Rules: match.Classic()})
	for _, c := range []struct{ accepted, refused, text string }{
		{"", "rules chess", "rules there are no rules called \"chess\": choose " + strings.Join(match.Presets(), ", ")},
		{"rules hasbro", "rules chess", "rules there are no rules called \"chess\": choose " + strings.Join(match.Presets(), ", ")},
		{"", "vs bot nobody", "vs " + nobody.Error()},
		{"", "vs player easy", "vs easy is a built-in bot: send vs bot easy"},
		{"vs any", "vs room", "vs say vs any, vs bot NAME, vs player NAME, vs room CODE or vs cup CODE"},
		{"", "vs room K3F9", "vs " + lobby.ErrCode.Error()},
		{"", "vs room K3F-97W-QXM", "vs " + lobby.ErrNoPrivate.Error()},
		{"", "ladder now", "ladder takes nothing"},
		{"", "resume K3F-97W-QXM", "resume say resume, or resume, the code of your seat and how many lines you have received since your role"},
	} {
		t.Run(c.refused, func(t *testing.T) {
			bubble(t, relay.Config{}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
				out := r.dial(t, "")
				if c.accepted != "" {
					out.say("% " + c.accepted + "\n% " + c.refused + "\n% ready\n% vs any")
					out.hear("% ok " + strings.TrimSuffix(c.accepted, " hasbro") + "\n")
				} else {
					out.say("% " + c.refused + "\n% ready\n% vs any")
				}
				out.hear("% error " + c.text + "\n% end\n")
				out.end()
				waiting(t, r.lobby, 0)
			})
		})
	}
}

// TestRoom checks that a program can join a private match and plays by its rules.
func TestRoom(t *testing.T) {
	address, l := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	room, err := l.Offers.OpenPrivate(account.Player{ID: "key-ann", Name: "ann"}, match.Hasbro(), lobby.Rated)
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, address)
	c.say("% layout uniform\n% vs room " + strings.ToLower(room.Code()))
	c.hear("% ok layout\n% ok vs room " + room.Code() + " rules=hasbro casual\n(4,[]).\n% opponent ann - casual\n")
	s := <-room.Seated()
	if s.Opponent.Kind != account.Program || s.Rules().Name != "hasbro" {
		t.Errorf("ann plays %s against %v", s.Rules().Name, s.Opponent)
	}
	s.Seat.Place(s.Rules().RandomLayout(rand.New(rand.NewPCG(1, 1))))
	c.hear("(5,[]).\n")
	s.Seat.Resign()
	c.hear("% result won resigned shots=0\n% end\n")
}

func TestOpponentLearnsTheResult(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	first, second := dial(t, address), dial(t, address)
	pairUnder(t, first, second, "classic")
	first.nc.Close()
	second.hear("% result won hangup shots=0\n% end\n")
	second.end()
}

func TestClientsAgainstABot(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	c := dial(t, address)
	c.say("% vs bot hard")
	c.hear("% ok vs bot hard\n(4,[]).\n% opponent hard - casual\n(5,[]).\n")
	truth := match.NewFleet(fleet)
	shot := 0
	c.say("(1,[0,0]).")
	for {
		l, err := c.line()
		if err != nil {
			t.Fatal(err)
		}
		m, err := client.Parse([]byte(l))
		if err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		if m.Op != client.Attack {
			if m.Result == match.LastSunk {
				t.Fatal("the client has sunk the fleet of the bot first")
			}
			continue
		}
		r := truth.Shoot(m.Cell)
		c.say(client.Message{Op: client.Result, Cell: m.Cell, Result: r}.String())
		if r == match.LastSunk {
			c.hear("% result lost sunk shots=" + fmt.Sprint(shot+1) + "\n% end\n")
			c.end()
			return
		}
		shot++
		c.say(fmt.Sprintf("(1,[%d,%d]).", shot%10, shot/10))
	}
}

// longRun is the number of games of TestLongRun: with the tag slow, a thousand.
var longRun = 100

// TestLongRun is the documented endurance test: many games of the open-list player against
// itself, all of which must succeed.
func TestLongRun(t *testing.T) {
	t.Parallel()
	games := longRun
	address, _ := serve(t, relay.Config{HelloDelay: time.Millisecond, Limits: relay.Limits{WaitingPerAddr: 200}}, lobby.Config{})
	ctx := t.Context()
	// One seed for each player and game: their number is even, so every player has an opponent.
	seeds := make(chan uint64, 2*games)
	for seed := range uint64(2 * games) {
		seeds <- seed
	}
	close(seeds)
	var wg sync.WaitGroup
	var mu sync.Mutex
	won, lost := 0, 0
	for range 16 {
		wg.Go(func() {
			for seed := range seeds {
				out, err := client.Play(ctx, address, match.Classic(), bot(t, "prolog", seed+1))
				if err != nil {
					t.Errorf("game %d: %v", seed, err)
					return
				}
				mu.Lock()
				if out.Won {
					won++
				} else {
					lost++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if won != games || lost != games {
		t.Errorf("%d won, %d lost, of %d games", won, lost, games)
	}
}
