package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/leaks"
	"broadside/internal/test/must"
	"broadside/internal/test/need"
	"broadside/internal/test/parallel"
	"broadside/internal/test/pgtest"
	"broadside/internal/test/storetest"
	"broadside/match"
	"broadside/match/audit"
)

// server is the PostgreSQL server that the tests use, or nil while they use SQLite.
var server *pgtest.Server

// TestMain runs all tests on SQLite and on PostgreSQL. If PostgreSQL is not installed, it prints
// that, or fails if it is required.
func TestMain(m *testing.M) {
	if folder := os.Getenv(crashFolder); folder != "" {
		url := os.Getenv(crashURL)
		writeUntilKilled(store.Config{Folder: folder, URL: url, Exclusive: url == ""}) // PostgreSQL needs a moment to notice that a client has ended
	}
	parallel.AllowWaitingTests()
	code := m.Run()
	if code == 0 && flag.Lookup("test.list").Value.String() == "" {
		code = runOnPostgres(m.Run)
	}
	if err := leaks.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func runOnPostgres(run func() int) int {
	var err error
	server, err = pgtest.Start()
	if errors.Is(err, pgtest.ErrNotInstalled) && !need.IsStrict() {
		fmt.Fprintln(os.Stderr, "only on SQLite:", err)
		return 0
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := run()
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// storeConfig returns the configuration of a test's store, in the test's own folder.
func storeConfig(t testing.TB, folder string) store.Config {
	t.Helper()
	if server == nil {
		return store.Config{Folder: folder}
	}
	url := must.Get(server.CreateDatabase(ctx, folder))
	return store.Config{URL: url}
}

// skipOnPostgres skips a test of SQLite's files on PostgreSQL.
func skipOnPostgres(t testing.TB) {
	t.Helper()
	if server != nil {
		t.Skip("this is about SQLite's files")
	}
}

// ctx is for calls that are not canceled.
var ctx = context.Background()

// openStore opens a store in its own folder until the test ends.
func openStore(t testing.TB) *store.Store {
	t.Helper()
	folder := t.TempDir()
	if server == nil {
		folder = storetest.NewFolder(t) // faster
	}
	return openStoreIn(t, folder)
}

func openStoreIn(t testing.TB, folder string) *store.Store {
	t.Helper()
	s := reopenStore(t, folder)
	t.Cleanup(func() {
		must.Do(s.Close())
	})
	return s
}

// createPerson creates an account with its own key.
func createPerson(t testing.TB, s *store.Store, name string) store.Player {
	t.Helper()
	return must.Get(s.Accounts.CreatePerson(ctx, name, store.Key{Fingerprint: "SHA256:" + name}))
}

// start is when the first match of a test starts.
var start = time.Date(2026, 11, 21, 20, 15, 0, 0, time.UTC)

// playMatch plays a random match between players who know each other's fleets, so that it is
// as short as a real one.
func playMatch(rng *rand.Rand, winner match.Side) (match.Rules, []match.Event) {
	rules := match.Classic()
	g := match.NewGame(rules, audit.Flag)
	apply := func(c match.Command) {
		c.At = time.Duration(len(g.Events())) * time.Second
		if _, err := g.Apply(c); err != nil {
			panic(err)
		}
	}
	var targets [2][]match.Cell
	for side := match.First; side <= match.Second; side++ {
		layout := rules.RandomLayout(rng)
		apply(match.PlaceCommand(side, layout))
		var hulls match.Set
		for _, ship := range layout {
			hulls = hulls.Union(ship.Cells())
		}
		shooter := side.Other()
		for cell := range hulls.All() {
			targets[shooter] = append(targets[shooter], cell)
		}
		rng.Shuffle(len(targets[shooter]), func(i, j int) {
			targets[shooter][i], targets[shooter][j] = targets[shooter][j], targets[shooter][i]
		})
	}
	for n := [2]int{}; g.Phase() != match.Over; {
		side := g.ActingSide()
		if side == winner && rng.IntN(3) > 0 || side != winner && n[side] < len(targets[side])-1 && rng.IntN(3) == 0 {
			apply(match.FireCommand(side, targets[side][n[side]]))
			n[side]++
		} else {
			apply(match.FireCommand(side, match.NewCell(rng.IntN(10), rng.IntN(10))))
		}
	}
	return rules, g.Events()
}

// newFinishedMatch returns a match between two players, which is rated if both have accounts.
func newFinishedMatch(rng *rand.Rand, first, second store.Player, winner match.Side, started time.Time) store.Match {
	rules, events := playMatch(rng, winner)
	end := events[len(events)-1]
	return store.Match{
		Summary: store.Summary{
			ID: store.NewID(), Started: started, Took: end.At, Winner: end.Side, Reason: end.Reason,
			Rated: first.ID != "" && second.ID != "",
			Seats: [2]store.Seat{
				{Player: first.ID, Name: first.Name, Kind: first.Kind},
				{Player: second.ID, Name: second.Name, Kind: second.Kind},
			},
		},
		Rules: rules, Events: events, Details: json.RawMessage(`{"door":"ssh"}`),
	}
}

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

// finishMatch stores a match.
func finishMatch(t testing.TB, s *store.Store, m store.Match) store.Summary {
	t.Helper()
	return must.Get(s.Matches.Finish(ctx, m))
}
