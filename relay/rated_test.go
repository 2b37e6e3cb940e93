package relay_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/memnet"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/relay"
	"broadside/relay/client"
)

// registered returns a store with a program for each name, each with its own owner, and the
// programs' tokens.
func registered(t testing.TB, names ...string) (*store.Store, map[string]string) {
	t.Helper()
	s := storetest.Open(t)
	tokens := map[string]string{}
	for _, name := range names {
		owner, err := s.Accounts.CreatePerson(t.Context(), name+"-owner", store.Key{Fingerprint: "SHA256:" + name})
		if err != nil {
			t.Fatal(err)
		}
		if _, tokens[name], err = s.Programs.Register(t.Context(), owner.ID, name, 1); err != nil {
			t.Fatal(err)
		}
	}
	return s, tokens
}

// last returns the newest match in a store.
func last(t testing.TB, s *store.Store) store.Match {
	t.Helper()
	games, err := s.Matches.List(t.Context(), store.Cursor{}, 1)
	if err != nil || len(games) != 1 {
		t.Fatalf("the newest match: %v, %v", games, err)
	}
	m, err := s.Matches.ByID(t.Context(), games[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// aligned is fleet as arguments of a directive.
var aligned = strings.ReplaceAll(strings.TrimSpace(layoutfile.Format(match.Classic(), fleet)), "\n", ";")

// duel seats two registered programs whose fleets the server holds. squid defends first.
func duel(t *testing.T, s *store.Store, tokens map[string]string, cfg lobby.Config) (squid, whale *testClient) {
	t.Helper()
	cfg.Store = s
	n := memnet.New()
	server, l := serveOn(t, n, relay.Config{HelloDelay: time.Minute}, cfg)
	r := &internalRelay{n, l, server}
	squid, whale = r.dial(t, ""), r.dial(t, "")
	squid.say("% token " + tokens["squid"] + "\n% layout " + aligned + "\n% ready")
	squid.hear("% ok token squid\n% ok layout\n% ok ready\n(3,[]).\n")
	whale.say("% token " + tokens["whale"] + "\n% layout " + aligned + "\n% ready")
	whale.hear("% ok token whale\n% ok layout\n% ok ready\n(4,[]).\n% opponent squid - rated\n(5,[]).\n")
	squid.hear("% opponent whale - rated\n(5,[]).\n")
	return squid, whale
}

// volley fires a shot that the server answers.
func volley(by, at *testClient, cell match.Cell, r match.Result) {
	attack, result := client.Message{Op: client.Attack, Cell: cell}.String(), client.Message{Op: client.Result, Cell: cell, Result: r}.String()
	by.say(attack)
	at.hear(attack + "\n")
	by.hear(result + "\n")
}

// TestRatedLosses ends matches by faults of the attacker. With three shots of each side the loss is
// rated, and with fewer it is not.
func TestRatedLosses(t *testing.T) {
	for _, c := range []struct {
		name   string
		shots  int
		fault  func(c *testClient)
		reason match.Reason
	}{
		{"hang-up", match.CountingShots, func(c *testClient) { c.nc.Close() }, match.Hangup},
		{"malformed", match.CountingShots, func(c *testClient) { c.say("hello") }, match.Malformed},
		{"silence", match.CountingShots, func(*testClient) {}, match.Silent},
		{"early hang-up", match.CountingShots - 1, func(c *testClient) { c.nc.Close() }, match.Hangup},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, tokens := registered(t, "squid", "whale")
				squid, whale := duel(t, s, tokens, lobby.Config{MoveTimeout: time.Minute})
				for n := range c.shots {
					volley(whale, squid, match.At(n, 9), match.Water)
					volley(squid, whale, match.At(n, 9), match.Water)
				}
				c.fault(whale)
				squid.hear("% result ")
				m := last(t, s)
				if m.Winner != match.First || m.Reason != c.reason || m.Rated != (c.shots == match.CountingShots) {
					t.Errorf("rated %v, won by %v: %v", m.Rated, m.Winner, m.Reason)
				}
			})
		})
	}
}

// TestRatedSeries plays a series with fleets that the server draws.
func TestRatedSeries(t *testing.T) {
	s, tokens := registered(t, "squid")
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Store: s})
	series := client.Directives{Token: tokens["squid"], Layout: "uniform", Versus: "bot medium", Games: 4}
	all, err := playSeries(t, address, series, "hard")
	if err != nil {
		t.Error(err)
	}
	wantSwaps(t, all, 4, false)
	games, err := s.Matches.List(t.Context(), store.Cursor{}, 9)
	if err != nil || len(games) != 4 {
		t.Fatalf("%d matches, %v", len(games), err)
	}
	for _, g := range games {
		if !g.Rated || g.Reason != match.FleetSunk {
			t.Errorf("rated %v: %v", g.Rated, g.Reason)
		}
	}
}
