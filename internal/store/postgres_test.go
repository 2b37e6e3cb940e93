package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/match"
)

// skipOnSQLite skips a test of database servers on SQLite.
func skipOnSQLite(t testing.TB) {
	t.Helper()
	if server == nil {
		t.Skip("this is about PostgreSQL")
	}
}

// TestSeveralPrograms checks that several programs can start and write to one database at the same
// time: no rating is lost, and none is counted twice.
func TestSeveralPrograms(t *testing.T) {
	t.Parallel()
	skipOnSQLite(t)
	folder := t.TempDir()
	cfg := storeConfig(t, folder)
	nodes := make([]*store.Store, 3)
	var wg sync.WaitGroup
	for i := range nodes { // they create the schema once
		wg.Go(func() {
			var err error
			if nodes[i], err = store.Open(ctx, cfg); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	var players []store.Player
	for i := range 4 {
		players = append(players, createPerson(t, nodes[0], fmt.Sprint("player", i)))
	}
	again := make([]store.Match, 20) // each program finishes these, too
	rng := newRandom(31)
	for i := range again {
		again[i] = newFinishedMatch(rng, players[0], players[1], match.Side(i%2), start)
	}
	for n, s := range nodes {
		defer s.Close()
		wg.Go(func() {
			rng := newRandom(uint64(40 + n))
			for i := range 60 {
				m := newFinishedMatch(rng, players[i%4], players[(i+1+i/4%3)%4], match.Side(rng.IntN(2)), start)
				if i%3 == 0 {
					m = again[i/3]
				}
				if _, err := s.Matches.Finish(ctx, m); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	checkRatings(t, folder)
	all, err := nodes[1].Matches.List(ctx, store.Cursor{}, 1000)
	if err != nil || len(all) != 20+3*40 {
		t.Errorf("%d matches, %v", len(all), err)
	}
}

func TestServerIsNotThere(t *testing.T) {
	skipOnSQLite(t)
	const secret = "hunter2"
	for _, url := range []string{
		"postgres://ann:" + secret + "@127.0.0.1:1/broadside",
		"postgres://ann:" + secret + "@127.0.0.1:1/broadside?sslmode=nonsense",
		"postgres://ann:" + secret + "@:::/broad side",
	} {
		began := time.Now()
		s, err := store.Open(ctx, store.Config{URL: url})
		if err == nil {
			s.Close()
			t.Fatal("it was opened")
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the error contains the password: %v", err)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("it took %v", took)
		}
		if url == "postgres://ann:"+secret+"@127.0.0.1:1/broadside" && !errors.Is(err, store.ErrUnreachable) {
			t.Errorf("the error is %v", err)
		}
	}
}

// TestOthersDatabases checks that databases of other programs or newer versions are not
// changed.
func TestOthersDatabases(t *testing.T) {
	skipOnSQLite(t)
	for what, c := range map[string]struct {
		first bool
		make  string
		want  error
	}{
		"newer":   {true, newerSchema, store.ErrNewerSchema},
		"another": {false, `CREATE TABLE recipes (cake TEXT)`, store.ErrNotOurs},
	} {
		t.Run(what, func(t *testing.T) {
			folder := t.TempDir()
			if c.first {
				reopenStore(t, folder).Close()
			}
			db := openSQL(t, folder)
			defer db.Close()
			must.Get(db.Exec(c.make))
			before := readTables(t, folder)
			s, err := store.Open(ctx, storeConfig(t, folder))
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, c.want) {
				t.Errorf("opening it: %v, want %v", err, c.want)
			}
			if after := readTables(t, folder); strings.Join(before, "\n") != strings.Join(after, "\n") {
				t.Error("it was changed")
			}
		})
	}
}

func TestCheckServer(t *testing.T) {
	skipOnSQLite(t)
	cfg := storeConfig(t, t.TempDir())
	if _, err := store.CheckPostgres(ctx, cfg.URL); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty database: %v", err)
	}
	s := must.Get(store.Open(ctx, cfg))
	defer s.Close()
	finishMatch(t, s, newFinishedMatch(newRandom(3), createPerson(t, s, "Ann"), createPerson(t, s, "Bob"), match.First, start))
	h, err := store.CheckPostgres(ctx, cfg.URL)
	if err != nil || h.Players != 2 || h.Matches != 1 || h.Schema != h.Newest || h.Schema == 0 || !h.LastMatchEnd.After(start) || h.Bytes == 0 {
		t.Errorf("%+v, %v", h, err)
	}
}
