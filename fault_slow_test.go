//go:build slow && linux

package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"broadside/bots"
	"broadside/internal/crowd"
	"broadside/internal/sshtest"
	"broadside/lobby/store"
	"broadside/lobby/store/storetest"
	"broadside/match"
	"broadside/relay"
)

var faultTime = flag.Duration("faults", 40*time.Second, "how long TestFaults makes trouble")

// TestFaults lets people, bots and programs play while everything goes wrong:
// the server is killed, asked to end, and made to stand still; its disk is full
// for a while; its clock jumps; connections are cut and readers stall. After
// that no match whose end somebody has seen is missing, every rating is exactly
// what the matches make of it, and nothing is left open.
func TestFaults(t *testing.T) {
	d := &disaster{
		t: t, data: dataFolder(t), program: buildWithClock(t),
		rng: rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1)), log: &tail{},
	}
	if err := d.up(); err != nil {
		t.Fatal(err)
	}
	fresh := d.number("go_goroutines")
	ctx, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var people []*victim
	for i := range 8 {
		v := &victim{d: d, name: fmt.Sprint("sailor", i), key: sshtest.NewSigner(t), rng: rand.New(rand.NewPCG(9, uint64(i)))}
		v.vs = []string{"play --vs easy", "play --vs prolog", "play", "play"}[i%4]
		people = append(people, v)
		all.Go(func() { v.live(ctx) })
	}
	var played tally
	for i := range 4 {
		all.Go(func() { d.programs(ctx, uint64(i), &played) })
	}
	for range 3 {
		all.Go(func() { d.stall(ctx) })
	}
	d.trouble(*faultTime)
	// All goes well again: whatever was in the middle can come to its end.
	time.Sleep(5 * time.Second)
	leave()
	all.Wait()
	d.quiet(fresh)
	if err := d.server.Stop(); err != nil {
		t.Errorf("the server ends with: %v\n%s", err, d.log)
	}
	d.check(people)
	seen := 0
	for _, v := range people {
		seen += len(v.seen)
	}
	t.Logf("troubles: %v; people saw %d matches end, programs %d", d.done, seen, played.count())
	if seen == 0 || played.count() == 0 {
		t.Errorf("nothing came to its end; the server said\n%s\nand showed\n%s", d.log, people[0].last)
	}
}

// disaster is a server that much happens to. What changes belongs to the
// goroutine of the test, but for what mu guards.
type disaster struct {
	t       *testing.T
	data    string
	program string
	rng     *rand.Rand
	log     *tail
	done    map[string]int // troubles made, by name

	mu     sync.Mutex
	server *crowd.Server // guarded by mu: replaced when it was killed
}

// up starts the server, with a clock that jumps.
func (d *disaster) up() error {
	jumps := fmt.Sprintf("BROADSIDE_JUMPS=0:%d,7:%d,15:%d", d.rng.IntN(7200)-3600, d.rng.IntN(7200)-3600, d.rng.IntN(7200)-3600)
	s, err := crowd.Start(d.t.Context(), d.program, d.data, d.log, []string{jumps}, "--drain", "2s", "--bot-pace", "1ms", "--log-level", "warn")
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.server = s
	return nil
}

// addresses are those of the server that runs, or ran last.
func (d *disaster) addresses() (ssh, relay string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.server.SSH, d.server.Relay
}

// trouble makes trouble for a while.
func (d *disaster) trouble(during time.Duration) {
	d.done = map[string]int{}
	troubles := map[string]func() error{
		"killed": func() error {
			d.server.Kill()
			return d.up()
		},
		"asked to end": func() error {
			if err := d.server.Stop(); err != nil {
				return err
			}
			return d.up()
		},
		"stood still": func() error {
			err := d.server.Signal(syscall.SIGSTOP)
			time.Sleep(time.Duration(d.rng.IntN(2000)) * time.Millisecond)
			return errors.Join(err, d.server.Signal(syscall.SIGCONT))
		},
	}
	if onSmallDisk(d.data) {
		troubles["disk full"] = d.fill
	}
	names := make([]string, 0, len(troubles))
	for name := range troubles {
		names = append(names, name)
	}
	slices.Sort(names)
	for end := time.Now().Add(during); time.Now().Before(end); {
		time.Sleep(time.Duration(1000+d.rng.IntN(3000)) * time.Millisecond)
		name := names[d.rng.IntN(len(names))]
		if err := troubles[name](); err != nil {
			d.t.Fatalf("%s: %v\n%s", name, err, d.log)
		}
		d.done[name]++
	}
}

// fill fills the disk for a while; sometimes the server is killed meanwhile.
func (d *disaster) fill() error {
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
		return d.up()
	}
	return nil
}

// quiet waits until the server holds no more files open, and does no more at a
// time, than a new one does.
func (d *disaster) quiet(fresh float64) {
	const (
		files    = 40 // listeners, database, log, and what the runtime has
		spare    = 10 // goroutines of who asks for numbers, and of the database's connections
		perMatch = 3  // goroutines of a match that waits for its people
	)
	pid := d.server.PID()
	for deadline := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		open, matches, now := crowd.Measure(pid).Files, d.number("broadside_matches"), d.number("go_goroutines")
		sessions := d.number("broadside_ssh_connections") + d.number("broadside_relay_connections")
		if open <= files && sessions == 0 && now <= fresh+spare+perMatch*matches {
			d.t.Logf("goroutines: %v of a new server, %v at the end with %v matches that wait; %d files", fresh, now, matches, open)
			return
		}
		if time.Now().After(deadline) {
			d.t.Errorf("when nobody is there: %d files are open, %v connections, %v matches, %v goroutines, %v of a new server", open, sessions, matches, now, fresh)
			return
		}
	}
}

// number is one of the server's metrics.
func (d *disaster) number(name string) float64 {
	n, err := crowd.Number(d.t.Context(), d.server.Metrics, name)
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// check looks at what is left on the disk.
func (d *disaster) check(people []*victim) {
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
	running, err := s.Running(ctx)
	if err != nil {
		t.Error(err)
	}
	for _, r := range running {
		if slices.Contains(all, r.ID) {
			t.Errorf("the match %s is over and runs", r.ID)
		}
	}
	for _, v := range people {
		if len(v.seen) == 0 {
			continue
		}
		p, err := s.PlayerByName(ctx, v.name)
		if err != nil {
			t.Errorf("%s: %v", v.name, err)
			continue
		}
		var stored []ending
		mark := store.Mark{}
		for {
			page, err := s.MatchesOf(ctx, p.ID, mark, 100)
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
			mark = page[len(page)-1].Mark()
		}
		// The clock jumps, so the order says nothing.
		for n, e := range v.seen {
			i := slices.Index(stored, e)
			if i < 0 {
				t.Errorf("%s has seen a match end that is not stored: %+v\n%s", v.name, e, v.screens[n])
				continue
			}
			stored = slices.Delete(stored, i, i+1)
		}
	}
}

// ending is what somebody saw of the end of a match.
type ending struct {
	won          bool
	mine, theirs int // shots
}

// victim is a person who plays one match after the other, come what may.
type victim struct {
	d    *disaster
	name string
	key  ssh.Signer
	vs   string // the command
	rng  *rand.Rand
	// What follows belongs to its own goroutine, and is read after that.
	seen    []ending
	screens []string // with those ends
	last    string   // screen
}

func (v *victim) live(ctx context.Context) {
	for ctx.Err() == nil {
		address, _ := v.d.addresses()
		s, err := crowd.Dial(ctx, crowd.Options{Address: address, User: v.name, Signer: v.key, Command: v.vs, Looks: true})
		if err != nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		v.play(ctx, s)
		s.Close()
	}
}

var shotsFired = regexp.MustCompile(`You fired (\d+) shots?, \S+ fired (\d+)\.`)

// play does what the screen asks for, until the match is over or the session
// is.
func (v *victim) play(ctx context.Context, s *crowd.Session) {
	cells := v.rng.Perm(100)
	for step := 0; ctx.Err() == nil && !s.Over(); step++ {
		screen := s.Text()
		switch {
		case strings.Contains(screen, "What shall we call you?"):
			s.Press(ctx, "\r")
		case strings.Contains(screen, "All ships are placed."):
			s.Press(ctx, "\r")
		case strings.Contains(screen, "Place your fleet"):
			s.Press(ctx, "x")
		case strings.Contains(screen, "INTERRUPTED."), strings.Contains(screen, "NOBODY WON."):
			return // it goes on later, or the server has ended it
		case strings.Contains(screen, "could not store this match yet"):
			return // whoever is told so is not surprised
		case shotsFired.MatchString(screen):
			m := shotsFired.FindStringSubmatch(screen)
			mine, _ := strconv.Atoi(m[1])
			theirs, _ := strconv.Atoi(m[2])
			v.seen = append(v.seen, ending{strings.Contains(screen, "YOU HAVE WON."), mine, theirs})
			v.screens = append(v.screens, screen)
			return
		case strings.Contains(screen, "Your turn.") && len(cells) > 0:
			c := cells[0]
			cells = append(cells[1:], c) // it may be refused, or known from before
			s.Press(ctx, fmt.Sprintf("%c%d\r", 'a'+c/10, c%10+1))
		case strings.Contains(screen, "to claim the win"):
			s.Press(ctx, "!")
		default:
			time.Sleep(20 * time.Millisecond)
		}
		if v.rng.IntN(2000) == 0 {
			return // the connection is lost
		}
	}
	if ctx.Err() != nil {
		v.last = s.Text()
	}
}

// tally counts. Its methods may be called from any goroutine.
type tally struct {
	mu sync.Mutex
	n  int
}

func (c *tally) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *tally) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// programs plays as a program on the relay, one game after the other.
func (d *disaster) programs(ctx context.Context, seed uint64, ended *tally) {
	rng := rand.New(rand.NewPCG(seed, 5))
	for ctx.Err() == nil {
		b, err := bots.New("easy", bots.Config{Rules: match.Classic(), Rand: rng})
		if err != nil {
			d.t.Error(err)
			return
		}
		_, address := d.addresses()
		if _, err := relay.Play(ctx, address, match.Classic(), b); err == nil {
			ended.add()
		} else {
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// stall comes, types and never reads, again and again.
func (d *disaster) stall(ctx context.Context) {
	for ctx.Err() == nil {
		address, _ := d.addresses()
		s, err := crowd.Dial(ctx, crowd.Options{Address: address, Command: "play --vs easy"})
		if err != nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		s.Stall()
		for range 50 {
			if s.Type("x\rb5\rc7\r\x0c") != nil || ctx.Err() != nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		s.Close()
	}
}

// dataFolder is a folder for the data: on a small disk of its own, if this
// process may make one, so that it can be full.
func dataFolder(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("broadside", folder, "tmpfs", 0, "size=16m,mode=0700"); err != nil {
		t.Logf("the disk will not be full: no small one can be made: %v", err)
		return folder
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func onSmallDisk(folder string) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(folder, &s) == nil && int64(s.Blocks)*s.Bsize < 64<<20
}

// buildWithClock builds the program with a clock on the wall that jumps: after
// so many seconds by so many, as BROADSIDE_JUMPS says. The time that only ever
// goes on is left alone, as it is when somebody sets a machine's clock.
func buildWithClock(t *testing.T) string {
	t.Helper()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	now, err := os.ReadFile(filepath.Join(source, "time.go"))
	if err != nil {
		t.Fatal(err)
	}
	const look = "	sec, nsec, mono := runtimeNow()\n	if mono == 0 {\n"
	if !bytes.Contains(now, []byte(look)) {
		t.Skip("this Go reads the clock in another way")
	}
	now = bytes.Replace(now, []byte(look), []byte("	sec, nsec, mono := runtimeNow()\n	sec += jumped(mono - startNano)\n	if mono == 0 {\n"), 1)
	folder := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, text := range map[string][]byte{"time.go": now, "jumped.go": []byte(jumped)} {
		mine := filepath.Join(folder, name)
		if err := os.WriteFile(mine, text, 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(source, name)] = mine
	}
	b, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file, binary := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "broadside")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", file, "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	return binary
}

const jumped = `package time

import "syscall"

type jump struct{ after, by int64 } // seconds

var jumps = readJumps()

func readJumps() (all []jump) {
	text, _ := syscall.Getenv("BROADSIDE_JUMPS")
	var j jump
	n, sign, second := int64(0), int64(1), false
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || text[i] == ',':
			if j.by = n * sign; second {
				all = append(all, j)
			}
			n, sign, second = 0, 1, false
		case text[i] == ':':
			j.after, n, second = n, 0, true
		case text[i] == '-':
			sign = -1
		default:
			n = n*10 + int64(text[i]-'0')
		}
	}
	return all
}

func jumped(mono int64) (by int64) {
	for _, j := range jumps {
		if mono >= j.after*1e9 {
			by = j.by
		}
	}
	return by
}
`

// tail keeps the end of what a server says.
type tail struct {
	mu  sync.Mutex
	end []byte // guarded by mu
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
