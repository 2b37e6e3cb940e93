package relay_test

import (
	"strings"
	"testing"
	"time"

	"broadside/internal/store"
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
	m, err := s.Matches.FindByID(t.Context(), games[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// aligned is fleet as arguments of a directive.
var aligned = strings.ReplaceAll(strings.TrimSpace(layoutfile.Format(match.Classic(), fleet)), "\n", ";")

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
