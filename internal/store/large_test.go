//go:build slow

package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

const (
	manyPlayers = 100_000
	manyMatches = 1_000_000
	busiest     = "p0000000" // plays in one match of twenty
)

// fill makes a database with many players and matches with its own statements, which is
// much faster than the store.
func fill(t testing.TB, folder string) {
	t.Helper()
	reopen(t, folder).Close()
	db := raw(t, folder)
	defer db.Close()
	db.SetMaxOpenConns(1)
	numbers := func(n int) string {
		return fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) `, n-1)
	}
	const (
		name        = `printf('p%07d', `
		seatColumns = `match, side, player, name, kind, ended, shots, hits, before, after, commitment, salt`
	)
	for _, q := range []string{
		`PRAGMA synchronous = OFF`,
		`BEGIN`,
		numbers(manyPlayers) + `INSERT INTO players SELECT ` + name + `i), 'Player' || i, 'player' || i,
			CASE i % 100 WHEN 6 THEN 'program' ELSE 'person' END, NULL, '{}', i FROM n`,
		numbers(manyPlayers) + `INSERT INTO keys SELECT 'SHA256:' || i, ` + name + `i), '', i, i FROM n`,
		// Two of five have played enough for a settled rating.
		numbers(manyPlayers) + `INSERT INTO ratings (player, rules, machine, value, deviation, volatility, settled, games, updated) SELECT ` + name + `i), 'classic', i % 100 = 6, 1500 + (i * 7919 % 100003) / 125.0 - 400,
			CASE WHEN i % 5 < 2 THEN 70 ELSE 200 END, 0.06, i % 5 < 2, 20, i FROM n`,
		numbers(manyPlayers) + `INSERT INTO figures (player, rules, games, won, shots, hits) SELECT ` + name + `i), 'classic', 20, 10, 900, 300 FROM n`,
		numbers(manyPlayers) + `INSERT INTO openings SELECT ` + name + `i), 'classic', char(65 + i % 10) || (1 + i / 10 % 10), 5 FROM n`,
		numbers(manyMatches) + `INSERT INTO matches (id, rules, started, took, ended, winner, reason, rated, details)
			SELECT printf('m%07d', i * 7919 % 1000000), 'classic', i * 1000000, 60000000, (i + 60) * 1000000,
			i % 2, 'sunk', TRUE, '{}' FROM n`,
		`INSERT INTO seats (` + seatColumns + `) SELECT id, 0, CASE WHEN rowid % 20 = 0 THEN '` + busiest + `' ELSE ` + name + `rowid * 31 % 100000) END,
			'x', 'person', ended, 45, 17, 1500, 1510, '', '' FROM matches`,
		`INSERT INTO seats (` + seatColumns + `) SELECT id, 1, ` + name + `(rowid * 37 + 1) % 100000), 'y', 'person', ended, 45, 17, 1500, 1490, '', '' FROM matches`,
		`COMMIT`,
		`PRAGMA wal_checkpoint(TRUNCATE)`,
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%v in %s", err, q)
		}
	}
}

// TestLarge queries a database of 100,000 players and 1,000,000 matches, and logs the
// times. No query may take as long as reading every match would.
func TestLarge(t *testing.T) {
	aboutFiles(t)
	folder := t.TempDir()
	began := time.Now()
	fill(t, folder)
	t.Logf("filled in %v", time.Since(began).Round(time.Second))
	s := openIn(t, folder)
	all := readAll(t, folder)
	t.Logf("reading every match takes %v", all)
	deep := store.Cursor{At: time.Unix(manyMatches/2, 0)}
	rows := func(n, want int, err error) error {
		if err == nil && n != want {
			err = fmt.Errorf("%d rows, want %d", n, want)
		}
		return err
	}
	looks := []struct {
		what string
		look func() error
	}{
		{"leaderboard, everybody, top 20", func() error {
			x, err := s.Ratings.Leaderboard(ctx, store.Everybody, "classic", start, 20)
			return rows(len(x), 20, err)
		}},
		{"leaderboard, people, top 100", func() error {
			x, err := s.Ratings.Leaderboard(ctx, store.People, "classic", start, 100)
			return rows(len(x), 100, err)
		}},
		{"leaderboard, machines, top 100", func() error {
			x, err := s.Ratings.Leaderboard(ctx, store.Machines, "classic", start, 100)
			return rows(len(x), 100, err)
		}},
		{"player by key", func() error {
			_, err := s.Accounts.ByKey(ctx, "SHA256:77777")
			return err
		}},
		{"player by name", func() error {
			_, err := s.Accounts.ByName(ctx, "PLAYER77777")
			return err
		}},
		{"newest matches", func() error {
			x, err := s.Matches.List(ctx, store.Cursor{}, 50)
			return rows(len(x), 50, err)
		}},
		{"older matches", func() error {
			x, err := s.Matches.List(ctx, deep, 50)
			return rows(len(x), 50, err)
		}},
		{"matches of one with 50,000", func() error {
			x, err := s.Matches.Of(ctx, busiest, store.Cursor{}, 50)
			return rows(len(x), 50, err)
		}},
		{"older matches of one with 50,000", func() error {
			x, err := s.Matches.Of(ctx, busiest, deep, 50)
			return rows(len(x), 50, err)
		}},
		{"form of one with 50,000", func() error {
			x, err := s.Statistics.Form(ctx, busiest, 10)
			return rows(len(x), 10, err)
		}},
		{"a profile", func() error {
			if _, err := s.Ratings.Of(ctx, "p0050000"); err != nil {
				return err
			}
			if _, err := s.Statistics.Openings(ctx, "p0050000", "classic"); err != nil {
				return err
			}
			if _, err := s.Statistics.Form(ctx, "p0050000", 10); err != nil {
				return err
			}
			x, err := s.Statistics.Figures(ctx, "p0050000")
			return rows(len(x), 1, err)
		}},
		{"storing a match", func() error {
			a, b := store.Player{ID: "p0000001", Name: "a"}, store.Player{ID: "p0000002", Name: "b"}
			_, err := s.Matches.Finish(ctx, quick(a, b, match.First, time.UnixMicro(2e12)))
			return err
		}},
	}
	for _, l := range looks {
		var took []time.Duration
		for range 50 {
			began := time.Now()
			if err := l.look(); err != nil {
				t.Fatalf("%s: %v", l.what, err)
			}
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		median := took[len(took)/2]
		t.Logf("%-36s median %8v, worst of %d %8v", l.what, median.Round(10*time.Microsecond), len(took), took[len(took)-1].Round(10*time.Microsecond))
		if median > all && l.what != "storing a match" { // that waits for the disk
			t.Errorf("%s takes %v, as long as reading every match", l.what, median)
		}
	}
}

// readAll returns how long it takes to read every match, at best.
func readAll(t *testing.T, folder string) time.Duration {
	t.Helper()
	db := raw(t, folder)
	defer db.Close()
	best := time.Hour
	for range 5 {
		began := time.Now()
		var n int
		if err := db.QueryRow(`SELECT COUNT(*) FROM matches WHERE details <> ''`).Scan(&n); err != nil || n != manyMatches {
			t.Fatal(n, err)
		}
		best = min(best, time.Since(began))
	}
	return best
}

func TestKilledManyTimes(t *testing.T) { crash(t, 40) }
