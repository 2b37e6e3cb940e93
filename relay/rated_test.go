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

// openStoreWithPrograms opens a store with a program for each name, each with its own owner. It returns
// the programs' tokens by name.
func openStoreWithPrograms(t testing.TB, names ...string) (*store.Store, map[string]string) {
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

func newestMatch(t testing.TB, s *store.Store) store.Match {
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

// fleetText is fleet as the argument of a layout directive.
var fleetText = strings.ReplaceAll(strings.TrimSpace(layoutfile.Format(match.Classic(), fleet)), "\n", ";")

// TestSeriesWithHeldFleetIsRated checks that matches are rated if the server draws the fleets.
func TestSeriesWithHeldFleetIsRated(t *testing.T) {
	s, tokens := openStoreWithPrograms(t, "squid")
	address, _ := startRelay(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Store: s})
	series := client.Directives{Token: tokens["squid"], Layout: "uniform", Versus: "bot medium", Games: 4}
	all, err := playSeries(t, address, series, "hard")
	if err != nil {
		t.Error(err)
	}
	checkSwaps(t, all, 4, false)
	games, err := s.Matches.List(t.Context(), store.Cursor{}, 9)
	if err != nil || len(games) != 4 {
		t.Fatalf("got %d matches, %v, want 4", len(games), err)
	}
	for _, g := range games {
		if !g.Rated || g.Reason != match.FleetSunk {
			t.Errorf("got rated=%v and reason %v, want a rated match with a sunk fleet", g.Rated, g.Reason)
		}
	}
}
