//go:build slow && linux

package e2e

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/servers"
	"broadside/internal/test/sshtest"
	"broadside/internal/test/storetest"
	"broadside/match"
)

var (
	faultTime = flag.Duration("faults", 40*time.Second, "how long TestFaults causes faults")
	faultSeed = flag.Uint64("fault-seed", 0, "the seed of TestFaults; 0 means a random one")
)

// TestFaults checks that no finished match is lost, that all ratings follow from the matches and that nothing stays
// open, after faults: the server is killed, shut down and suspended, its disk fills up, its clock jumps, connections
// are cut and readers stall.
func TestFaults(t *testing.T) {
	t.Parallel()
	seed := cmp.Or(*faultSeed, rand.Uint64())
	t.Logf("the seed is %d", seed)
	d := &faultTest{
		t: t, data: mountSmallDisk(t), program: buildWithClock(t),
		rng: rand.New(rand.NewPCG(seed, 1)), log: &tail{},
	}
	if err := d.startServer(); err != nil {
		t.Fatal(err)
	}
	fresh := d.metric("go_goroutines")
	ctx, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var people []*survivor
	for i := range 8 {
		v := &survivor{d: d, name: fmt.Sprint("sailor", i), key: sshtest.NewSigner(t), rng: rand.New(rand.NewPCG(9, uint64(i)))}
		v.command = []string{"play --vs easy", "play --vs prolog", "play", "play"}[i%4]
		people = append(people, v)
		all.Go(func() { v.playMatches(ctx) })
	}
	var played tally
	for i := range 4 {
		all.Go(func() { d.runPrograms(ctx, uint64(i), &played) })
	}
	for range 3 {
		all.Go(func() { d.stallConnections(ctx) })
	}
	d.causeFaults(*faultTime)
	// No more faults: all matches can end.
	time.Sleep(5 * time.Second)
	for end := time.Now().Add(patience); (d.endings.count() == 0 || played.count() == 0) && time.Now().Before(end); {
		time.Sleep(100 * time.Millisecond)
	}
	leave()
	all.Wait()
	d.checkLeaks(fresh)
	if err := d.server.Stop(); err != nil {
		t.Errorf("the server ends with: %v\n%s", err, d.log)
	}
	d.check(people)
	seen := 0
	for _, v := range people {
		seen += len(v.endings)
	}
	t.Logf("faults: %v; people saw %d matches end, programs %d", d.faults, seen, played.count())
	if seen == 0 || played.count() == 0 {
		t.Errorf("nothing came to its end; the server said\n%s\nand showed\n%s", d.log, people[0].lastScreen)
	}
}

// faultTest is a server that is exposed to faults. Fields that change belong to the test's
// goroutine, except those guarded by mu.
type faultTest struct {
	t       *testing.T
	data    string
	program string
	rng     *rand.Rand
	log     *tail
	// faults counts the faults by name.
	faults map[string]int
	// endings counts the endings of matches that players saw.
	endings tally

	mu sync.Mutex
	// server is guarded by mu, because another one replaces it after a kill.
	server *servers.Server
}

// startServer starts the server, with a clock that jumps.
func (d *faultTest) startServer() error {
	jumps := fmt.Sprintf("BROADSIDE_JUMPS=0:%d,7:%d,15:%d", d.rng.IntN(7200)-3600, d.rng.IntN(7200)-3600, d.rng.IntN(7200)-3600)
	s, err := servers.Start(d.t.Context(), d.program, d.data, d.log, []string{jumps}, "--drain", "2s", "--bot-pace", "1ms", "--log-level", "warn")
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.server = s
	return nil
}

// addresses returns the addresses of the server that is running, or ran last.
func (d *faultTest) addresses() (ssh, relay string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.server.SSH, d.server.Relay
}

// causeFaults causes faults for a while, each kind once in a round.
func (d *faultTest) causeFaults(during time.Duration) {
	d.faults = map[string]int{}
	faults := map[string]func() error{
		"killed": func() error {
			d.server.Kill()
			return d.startServer()
		},
		"asked to end": func() error {
			if err := d.server.Stop(); err != nil {
				return err
			}
			return d.startServer()
		},
		"stood still": func() error {
			err := d.server.Signal(syscall.SIGSTOP)
			time.Sleep(time.Duration(d.rng.IntN(2000)) * time.Millisecond)
			return errors.Join(err, d.server.Signal(syscall.SIGCONT))
		},
		"disk full": d.fillDisk,
	}
	names := slices.Sorted(maps.Keys(faults))
	for end := time.Now().Add(during); time.Now().Before(end); {
		d.rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			time.Sleep(time.Duration(1000+d.rng.IntN(3000)) * time.Millisecond)
			if err := faults[name](); err != nil {
				d.t.Fatalf("%s: %v\n%s", name, err, d.log)
			}
			d.faults[name]++
		}
	}
}

// fillDisk fills the disk for a while, and sometimes kills the server meanwhile.
func (d *faultTest) fillDisk() error {
	file := filepath.Join(d.data, "filler")
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	block := make([]byte, 1<<16)
	for err == nil {
		_, err = f.Write(block)
	}
	f.Close()
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	time.Sleep(time.Duration(500+d.rng.IntN(2000)) * time.Millisecond)
	kill := d.rng.IntN(3) == 0
	if kill {
		d.server.Kill()
	}
	if err := os.Remove(file); err != nil {
		return err
	}
	if kill {
		return d.startServer()
	}
	return nil
}

// checkLeaks waits until the server has no more open files, matches and goroutines than a new
// one.
func (d *faultTest) checkLeaks(fresh float64) {
	const (
		// files allows listeners, the database, the log and the runtime's files.
		files = 40
		// spare allows goroutines of requests for metrics and of database connections.
		spare = 10
		// perMatch allows the goroutines of a match that waits for its players.
		perMatch = 3
	)
	pid := d.server.PID()
	for deadline := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		open, matches, now := servers.MeasureProcess(pid).Files, d.metric("broadside_matches"), d.metric("go_goroutines")
		sessions := d.metric("broadside_ssh_connections") + d.metric("broadside_relay_connections")
		if open <= files && sessions == 0 && now <= fresh+spare+perMatch*matches {
			d.t.Logf("goroutines: %v of a new server, %v at the end with %v matches that wait; %d files", fresh, now, matches, open)
			return
		}
		if time.Now().After(deadline) {
			d.t.Errorf("without clients: %d files are open, %v connections, %v matches, %v goroutines, %v of a new server", open, sessions, matches, now, fresh)
			return
		}
	}
}

// metric returns one of the server's metrics.
func (d *faultTest) metric(name string) float64 {
	n, err := servers.ReadMetric(d.t.Context(), d.server.Metrics, name)
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// check checks the data on the disk.
func (d *faultTest) check(people []*survivor) {
	t, ctx := d.t, context.Background()
	if _, err := os.Stat(filepath.Join(d.data, store.FileName+"-wal")); err == nil {
		t.Error("the database was not closed")
	}
	s, err := store.Open(ctx, store.Config{Folder: d.data})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(d.data, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict, ids string
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity: %q, %v", verdict, err)
	}
	if err := db.QueryRow(`SELECT COALESCE(group_concat(id), '') FROM (SELECT id FROM matches ORDER BY rowid)`).Scan(&ids); err != nil {
		t.Fatal(err)
	}
	all := strings.Split(ids, ",")
	if err := storetest.CheckRatings(ctx, s, all); err != nil {
		t.Error(err)
	}
	running, err := s.Running.List(ctx)
	if err != nil {
		t.Error(err)
	}
	for _, r := range running {
		if slices.Contains(all, r.ID) {
			t.Errorf("the match %s is over and runs", r.ID)
		}
	}
	for _, v := range people {
		if len(v.endings) == 0 {
			continue
		}
		p, err := s.Accounts.FindByName(ctx, v.name)
		if err != nil {
			t.Errorf("no account of %s: %v", v.name, err)
			continue
		}
		var stored []ending
		mark := store.Cursor{}
		for {
			page, err := s.Matches.ListByPlayer(ctx, p.ID, mark, 100)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range page {
				side := match.First
				if m.Seats[match.Second].Player == p.ID {
					side = match.Second
				}
				stored = append(stored, ending{m.Winner == side, m.Seats[side].Shots, m.Seats[side.Other()].Shots})
			}
			if len(page) < 100 {
				break
			}
			mark = page[len(page)-1].Cursor()
		}
		// The clock jumps, so times do not show the order.
		for n, e := range v.endings {
			i := slices.Index(stored, e)
			if i < 0 {
				t.Errorf("%s has seen a match end that is not stored: %+v\n%s", v.name, e, v.screens[n])
				continue
			}
			stored = slices.Delete(stored, i, i+1)
		}
	}
}

// ending is how a match ended for a player.
type ending struct {
	won                   bool
	ownShots, theirsShots int
}

// tail keeps the end of a server's output.
type tail struct {
	mu sync.Mutex
	// end is guarded by mu.
	end []byte
}

func (l *tail) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end = append(l.end, b...)
	l.end = l.end[max(0, len(l.end)-8<<10):]
	return len(b), nil
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.end)
}
