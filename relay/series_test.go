package relay_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
	"broadside/relay"
	"broadside/relay/client"
)

// playSeries plays a series with a built-in bot as the client's strategy.
func playSeries(t *testing.T, address string, series client.Directives, strategy string) (all []client.Outcome, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	player := func() (client.Player, error) { return newBot(t, strategy, uint64(len(all)+1)), nil }
	err = client.PlaySeries(ctx, address, match.Classic(), series, player,
		func(o client.Outcome) { all = append(all, o) })
	return all, err
}

// checkSwaps fails the test unless the sides were swapped after each game, and first is the first side.
func checkSwaps(t *testing.T, all []client.Outcome, games int, first bool) {
	t.Helper()
	if len(all) != games {
		t.Fatalf("%d games were played, want %d", len(all), games)
	}
	for i, o := range all {
		if o.First != (first == (i%2 == 0)) || o.Reason != "sunk" || o.Shots < 17 {
			t.Errorf("outcome of game %d = %+v, want a sunk fleet with sides swapped", i+1, o)
		}
	}
}

// TestLongerSeriesFindsNextOpponent checks that a program waits for a new opponent when its opponent's
// shorter series ends.
func TestLongerSeriesFindsNextOpponent(t *testing.T) {
	t.Parallel()
	address, l := startRelay(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	var wg sync.WaitGroup
	var long []client.Outcome
	wg.Go(func() {
		var err error
		if long, err = playSeries(t, address, client.Directives{Games: 8}, "medium"); err != nil {
			t.Error(err)
		}
	})
	awaitWaiting(t, l, 1)
	short, err := playSeries(t, address, client.Directives{Games: 5}, "medium")
	if err != nil {
		t.Error(err)
	}
	checkSwaps(t, short, 5, false)
	awaitWaiting(t, l, 1)
	short, err = playSeries(t, address, client.Directives{Games: 3}, "medium")
	if err != nil {
		t.Error(err)
	}
	checkSwaps(t, short, 3, false)
	wg.Wait()
	checkSwaps(t, long[:5], 5, true)
	checkSwaps(t, long[5:], 3, true)
}

// TestSeriesMeetsPlainClients checks that clients of the base protocol can play against a series.
func TestSeriesMeetsPlainClients(t *testing.T) {
	t.Parallel()
	// The two relays differ in their hello delays and share one lobby.
	address, l := startRelay(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	_, plain, _ := startServer(t, relay.Config{HelloDelay: time.Millisecond, Host: &session.Host{Lobby: l}}, lobby.Config{})
	var all []client.Outcome
	var wg sync.WaitGroup
	wg.Go(func() {
		var err error
		if all, err = playSeries(t, address, client.Directives{Games: 3}, "medium"); err != nil {
			t.Error(err)
		}
	})
	for range 3 {
		awaitWaiting(t, l, 1)
		out, err := client.Play(t.Context(), plain, match.Classic(), newBot(t, "hard", 1))
		if err != nil || out.First {
			t.Errorf("the plain client: %+v, %v", out, err)
		}
	}
	wg.Wait()
	if len(all) != 3 || !all[0].First || !all[1].First || !all[2].First {
		t.Errorf("the series: %+v", all)
	}
}

// TestLateDirectivesEndSeries checks that a client whose directives come too late ends the series,
// because its terms would change.
func TestLateDirectivesEndSeries(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var work sync.WaitGroup
	// Act like a relay that has not waited for the directives.
	work.Go(func() {
		nc, err := l.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		defer nc.Close()
		io.WriteString(nc, "(3,[]).\n% error late rules has to come before your first role: reconnect\n")
		io.Copy(io.Discard, nc)
	})
	_, err = playSeries(t, l.Addr().String(), client.Directives{Games: 3}, "hard")
	if err == nil || !strings.Contains(err.Error(), "late rules has to come before") {
		t.Errorf("PlaySeries = %v, want an error about the late directive", err)
	}
	work.Wait()
}

// TestProgramChallengesPerson checks that a program can challenge a player, who answers in time or not.
func TestProgramChallengesPerson(t *testing.T) {
	runInBubble(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{AnswerTime: 10 * time.Second}, func(t *testing.T, r *internalRelay) {
		ann := r.lobby.Enter(account.Player{ID: "key-ann", Name: "ann"})
		defer ann.Leave()
		ask := func(name string) *testClient {
			c := r.dial(t, "")
			c.send("% hello broadside/1 name=" + name + "\n% vs player Ann")
			c.expect("% ok hello\n% ok vs player Ann\n(3,[]).\n")
			return c
		}
		asks := ask("asks")
		asks.expect("% error refused no answer from ann in time\n% end\n")
		asks.expectClosed()
		asks = ask("again")
		for c := range ann.Challenges() {
			if c != nil && c.From.Name == "again" {
				s, err := r.lobby.Offers.Accept(ann.Player(), c.Offer)
				if err != nil {
					t.Fatal(err)
				}
				asks.expect("% opponent ann - casual\n")
				s.Seat.Resign()
				break
			}
		}
		asks.expect("% result won resigned shots=0\n% end\n")
	})
}

// TestPersonContinuesOrLeavesSeries checks that a player can continue or leave after each game.
func TestPersonContinuesOrLeavesSeries(t *testing.T) {
	t.Parallel()
	address, l := startRelay(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	c := dial(t, address)
	c.send("% layout uniform\n% games 5\n% ready")
	c.expect("% ok layout\n% ok games 5\n% ok ready\n(3,[]).\n")
	offer, err := l.Offers.FindOpponent(account.Player{ID: "key-ann", Name: "ann"}, match.Classic(), lobby.Rated)
	if err != nil {
		t.Fatal(err)
	}
	s := <-offer.Seat()
	for game := range 3 {
		c.expect("% opponent ann - casual\n")
		s.Seat.Place(s.Rules().RandomLayout(rand.New(rand.NewPCG(1, 1))))
		c.expect("(5,[]).\n")
		s.Seat.Resign()
		c.expect("% result won resigned shots=0\n")
		if game == 2 {
			break
		}
		wake := live.NewSignal()
		for s.Attach(wake); !s.State().RematchOffered; {
			<-wake
		}
		if offer, err = s.OfferRematch(); err != nil {
			t.Fatal(err)
		}
		s = <-offer.Seat()
		c.expect(fmt.Sprintf("(%d,[]).\n", 4-game%2))
	}
	s.Leave()
	// The client waits for another opponent.
	c.expect("(3,[]).\n")
}

// TestStreamClientSendsDirectivesLate checks that a stream client that has promised ready gets its role
// only after it.
func TestStreamClientSendsDirectivesLate(t *testing.T) {
	l := lobbytest.Open(lobby.Config{BotPace: -1})
	defer l.Close()
	s := relay.New(relay.Config{Host: &session.Host{Lobby: l}, HelloDelay: -1})
	c, done := serveStream(s, relay.StreamClient{Player: account.Player{ID: "x", Name: "squid", Kind: account.Program}, Ready: true})
	c.t = t
	c.send("% layout uniform")
	c.expect("% ok layout\n")
	c.send("% vs bot easy\n% ready")
	c.expect("% ok vs bot easy\n% ok ready\n(4,[]).\n")
	c.nc.Close()
	<-done
}

// serveStream serves a stream client as an SSH session does. It returns the client's end.
func serveStream(s *relay.Server, who relay.StreamClient) (end *testClient, done chan error) {
	near, far := net.Pipe()
	who.In, who.Out = far, far
	done = make(chan error, 1)
	go func() {
		_, err := s.ServeStream(context.Background(), who)
		far.Close()
		done <- err
	}()
	return &testClient{nc: near, eol: "\n"}, done
}

func TestServeStream(t *testing.T) {
	l := lobbytest.Open(lobby.Config{BotPace: -1})
	defer l.Close()
	s := relay.New(relay.Config{Host: &session.Host{Lobby: l}, HelloDelay: time.Minute})
	who := account.Player{ID: "x", Name: "squid", Kind: account.Program}

	c, done := serveStream(s, relay.StreamClient{Player: who, Directives: []string{"games 2", "layout uniform", "vs bot easy"}})
	c.t = t
	// A client that has sent no directive gets none.
	c.expect("(4,[]).\n(5,[]).\n")
	c.send("(1,[0,0]).")
	if s, _ := c.readLine(); !strings.HasPrefix(s, "(2,[0,0,") {
		t.Errorf("received %q, want a result", s)
	}
	if len(s.Clients()) != 0 {
		t.Error("a stream client is listed among the TCP clients")
	}
	c.nc.Close()
	if err := <-done; err == nil || err.Error() != "the series ends with game 1: the program left" {
		t.Errorf("the error after leaving: %v", err)
	}

	c, done = serveStream(s, relay.StreamClient{Player: who})
	c.nc.Close()
	if err := <-done; err == nil || err.Error() != "the program left before its first game" {
		t.Errorf("the error without a game: %v", err)
	}

	_, done = serveStream(s, relay.StreamClient{Player: who, Directives: []string{"rules chess"}})
	if err := <-done; err == nil || !strings.Contains(err.Error(), `there are no rules called "chess"`) {
		t.Errorf("the error for unknown rules: %v", err)
	}
	c, done = serveStream(s, relay.StreamClient{Player: who, Directives: []string{"vs bot easy"}})
	c.t = t
	c.expect("(4,[]).\n(5,[]).\n")
	c.send("nonsense")
	if rest, _ := io.ReadAll(c.nc); len(rest) > 0 {
		t.Errorf("after nonsense: %q", rest)
	}
	if err := <-done; err == nil || !strings.Contains(err.Error(), "not a command") {
		t.Errorf("the error for nonsense: %v", err)
	}

	c, done = serveStream(s, relay.StreamClient{Player: who})
	c.t = t
	c.send("% vs bot easy")
	c.expect("% ok vs bot easy\n(4,[]).\n% opponent easy - casual\n(5,[]).\n")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	go io.Copy(io.Discard, c.nc)
	if err := s.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if err := <-done; err == nil {
		t.Error("no error when the server ends the session")
	}
}
