package store_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/match"
	"broadside/match/audit"
)

// crashFolder is the environment variable that makes the test program store matches in a
// folder until it is killed.
const crashFolder = "STORE_CRASH_FOLDER"

// crashURL is the environment variable for the URL of the database, if it is not in that
// folder.
const crashURL = "STORE_CRASH_URL"

// writeUntilKilled stores matches between a few players from several goroutines, and
// prints which have been stored.
func writeUntilKilled(cfg store.Config) {
	die := func(err error) {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("opening")
	s, err := store.Open(ctx, cfg)
	if err != nil {
		die(err)
	}
	fmt.Println("open")
	var players []store.Player
	for i := range 4 {
		p, err := s.Accounts.EnsureBot(ctx, fmt.Sprint("bot", i))
		if err != nil {
			die(err)
		}
		players = append(players, p)
	}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			rng := newRandom(uint64(time.Now().UnixNano()) + uint64(w))
			for {
				a := rng.IntN(len(players))
				b := (a + 1 + rng.IntN(len(players)-1)) % len(players)
				m := newFinishedMatch(rng, players[a], players[b], match.Side(rng.IntN(2)), start)
				if err := s.Running.Add(ctx, store.RunningMatch{ID: m.ID, Rules: m.Rules, Started: m.Started, Seats: m.Seats, Events: m.Events[:1]}); err != nil {
					die(err)
				}
				for _, part := range [][2]int{{1, 3}, {3, 5}, {5, 15}} { // a fleet and the beginning, shots and their answers
					if err := s.Running.AppendEvents(ctx, m.ID, part[0], m.Events[part[0]:part[1]]); err != nil {
						die(err)
					}
					os.Stdout.WriteString("events " + m.ID + " " + strconv.Itoa(part[1]) + "\n")
				}
				if _, err := s.Matches.Finish(ctx, m); err != nil {
					die(err)
				}
				os.Stdout.WriteString("stored " + m.ID + "\n") // one write: stored completely or not at all
			}
		})
	}
	wg.Wait()
}

// TestKilled kills a server repeatedly at random moments. Nothing that was reported as
// stored may be missing, nothing may be counted twice, and the database must open.
func TestKilled(t *testing.T) {
	t.Parallel()
	crashRepeatedly(t, 5)
}

func crashRepeatedly(t *testing.T, rounds int) {
	folder := t.TempDir()
	rng := newRandom(7)
	var reported []string
	for round := 0; round < rounds || len(reported) == 0 && round < 10*rounds; round++ { // a busy machine may not store anything at first
		ids, events := runUntilKilled(t, folder, time.Duration(rng.IntN(300))*time.Millisecond, true)
		reported = append(reported, ids...)
		checkMatches(t, folder, ids)
		checkRunning(t, folder, events)
		if t.Failed() {
			t.Fatalf("after round %d", round+1)
		}
	}
	if len(reported) == 0 {
		t.Fatal("no match was stored at all")
	}
	checkMatches(t, folder, reported)
	checkRatings(t, folder)
	t.Logf("%d matches stored, at least %d kills", len(reported), rounds)
}

// TestKilledAtTheBeginning kills a server while it creates its database, which must open
// later.
func TestKilledAtTheBeginning(t *testing.T) {
	t.Parallel()
	rng := newRandom(8)
	folder := t.TempDir()
	for range 6 {
		runUntilKilled(t, folder, time.Duration(rng.IntN(80))*time.Millisecond, false)
		checkMatches(t, folder, nil)
		if rng.IntN(2) == 0 {
			folder = t.TempDir()
		}
	}
}

// runUntilKilled runs the program that stores matches, and kills it some time after it has
// begun to open the database, or has opened it. It returns the data that the program has
// reported as stored: finished matches, and the number of events of running ones.
func runUntilKilled(t *testing.T, folder string, after time.Duration, opened bool) (ids []string, events map[string]int) {
	t.Helper()
	events = map[string]int{}
	child, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(child, os.Args[0])
	cmd.Env = append(os.Environ(), crashFolder+"="+folder, crashURL+"="+storeConfig(t, folder).URL)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out := must.Get(cmd.StdoutPipe())
	must.Do(cmd.Start())
	var timer *time.Timer
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch word, rest, _ := strings.Cut(lines.Text(), " "); word {
		case "opening", "open":
			if opened == (word == "open") {
				timer = time.AfterFunc(after, func() { cmd.Process.Kill() })
			}
		case "stored":
			ids = append(ids, rest)
			delete(events, rest)
		case "events":
			id, n, _ := strings.Cut(rest, " ")
			number, err := strconv.Atoi(n)
			must.Do(err)
			events[id] = number
		default:
			t.Errorf("the program says %q", lines.Text())
		}
	}
	cmd.Wait() // it was killed
	if timer == nil {
		t.Fatalf("the program did not come up: %s", stderr.String())
	}
	timer.Stop()
	return ids, events
}

// checkRunning checks that the events of running matches are stored, and that no match is
// both running and finished.
func checkRunning(t *testing.T, folder string, events map[string]int) {
	t.Helper()
	s := reopenStore(t, folder)
	defer s.Close()
	running := must.Get(s.Running.List(ctx))
	there := map[string]bool{}
	for _, r := range running {
		there[r.ID] = true
		if _, err := s.Matches.FindByID(ctx, r.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the match %s is running and over: %v", r.ID, err)
		}
		if _, err := match.Replay(r.Rules, audit.Flag, r.Events); err != nil {
			t.Errorf("the running match %s cannot go on: %v", r.ID, err)
		}
		if len(r.Events) < events[r.ID] {
			t.Errorf("the running match %s has %d events, %d were stored", r.ID, len(r.Events), events[r.ID])
		}
	}
	for id := range events {
		// It may have been killed before it printed the match.
		if _, err := s.Matches.FindByID(ctx, id); err != nil && !there[id] {
			t.Errorf("the running match %s is lost", id)
		}
	}
}

// checkMatches checks that the matches are stored, and that SQLite finds no damage.
func checkMatches(t *testing.T, folder string, ids []string) {
	t.Helper()
	s := reopenStore(t, folder)
	defer s.Close()
	for _, id := range ids {
		m, err := s.Matches.FindByID(ctx, id)
		if err != nil {
			t.Errorf("a stored match is lost: %v", err)
			continue
		}
		if _, err := match.Replay(m.Rules, audit.Flag, m.Events); err != nil {
			t.Errorf("the match %s: %v", id, err)
		}
	}
	if server != nil {
		return // PostgreSQL checks its files itself
	}
	db := openSQL(t, folder)
	defer db.Close()
	var verdict string
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity check: %q, %v", verdict, err)
	}
	var broken int
	if err := db.QueryRow(`SELECT COUNT(*) FROM pragma_foreign_key_check`).Scan(&broken); err != nil || broken > 0 {
		t.Errorf("%d rows refer to rows that are not there: %v", broken, err)
	}
}

// upgrading is held while a database's schema may be upgraded, because a program that meets
// another one's upgrade on the same server tries again only after a second.
var upgrading sync.Mutex

func reopenStore(t testing.TB, folder string) *store.Store {
	t.Helper()
	upgrading.Lock()
	defer upgrading.Unlock()
	return must.Get(store.Open(ctx, storeConfig(t, folder)))
}

// openSQL opens the database without the store.
func openSQL(t testing.TB, folder string) *sql.DB {
	t.Helper()
	driver, source := "sqlite", "file:"+filepath.Join(folder, store.FileName)
	if server != nil {
		driver, source = "pgx", storeConfig(t, folder).URL
	}
	return must.Get(sql.Open(driver, source))
}

// checkRatings checks that the ratings follow from the stored matches in the order in
// which they were stored.
func checkRatings(t *testing.T, folder string) {
	t.Helper()
	s := reopenStore(t, folder)
	defer s.Close()
	db := openSQL(t, folder)
	defer db.Close()
	order := "rowid" // in which they were written
	if server != nil {
		order = "xmin::text::bigint" // by the number of the transaction within that of the batch
	}
	rows := must.Get(db.Query(`SELECT matches.id FROM matches ORDER BY matches.` + order))
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		must.Do(rows.Scan(&id))
		ids = append(ids, id)
	}
	must.Do(storetest.CheckRatings(ctx, s, ids))
}
