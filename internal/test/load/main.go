// Command load simulates many users of a server. It measures the time to connect,
// the time until a key changes the screen, and the memory, CPU time and bytes of a
// session.
//
//	go run ./internal/test/load --sessions 2000 --playing 500 --for 1m
//
// builds, starts and stops a server on this machine. With --server, it uses a
// running server, and measures the server's costs only with --pid. With --growth, it
// measures 100 to 5,000 sessions, a quarter of them in matches, one after another.
//
// Each user is an SSH session with a terminal of 100×30. Users in the lobby connect
// first and use its menu now and then. The others connect after that, so that their
// memory can be measured separately: some play against bots, some against each
// other, some watch. A player places a fleet, thinks, moves the cursor, enters a
// cell and fires until the match is over, and then reconnects. The command contacts
// only the given addresses and ends by itself.
//
// Memory is measured in two ways: the PSS of the process, and the memory in use
// after a garbage collection. The second needs a server with metrics and profiles;
// for a server not started by this command, set --metrics.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"broadside/internal/test/servers"
	"broadside/internal/test/users"
)

// plan configures a run.
type plan struct {
	server   string        // address; empty: start a server
	pid      int           // process ID of the server; 0: unknown
	metrics  string        // the server's address for metrics and profiles; empty: none
	sessions int           // total
	playing  int           // sessions that play, half of them against bots
	watching int           // sessions that watch a match
	bot      string        // bot to play against
	think    time.Duration // mean time between two keys of a player
	stroll   time.Duration // mean time between two keys that a person in the lobby presses
	during   time.Duration // duration of the measurement, after all have connected
	ramp     int           // simultaneous connection attempts
	seed     uint64
	asJSON   bool
	growth   bool     // measure the numbers of sessions in growthSessions
	profile  string   // file for the server's profile; empty: none
	args     []string // additional arguments for the server
}

func parse(args []string) (plan, error) {
	var p plan
	f := flag.NewFlagSet("load", flag.ContinueOnError)
	f.StringVar(&p.server, "server", "", "`address` of a server that runs; empty: start one")
	f.IntVar(&p.pid, "pid", 0, "process ID of that server, to measure its memory and CPU time")
	f.StringVar(&p.metrics, "metrics", "", "that server's `address` for metrics and profiles, to measure memory in use and goroutines")
	f.IntVar(&p.sessions, "sessions", 200, "number of people")
	f.IntVar(&p.playing, "playing", 50, "number of these who play, half of them against a bot")
	f.IntVar(&p.watching, "watching", 10, "number of these who watch a match")
	f.StringVar(&p.bot, "bot", "hard", "bot to play against")
	f.DurationVar(&p.think, "think", time.Second, "mean time between two keys of a player")
	f.DurationVar(&p.stroll, "stroll", 10*time.Second, "mean time between two keys of a person in the lobby, which open or close the help")
	f.DurationVar(&p.during, "for", 30*time.Second, "duration of the measurement, after everyone has connected")
	f.IntVar(&p.ramp, "ramp", 8, "number of connections opened at a time")
	f.Uint64Var(&p.seed, "seed", 1, "seed for what people do")
	f.BoolVar(&p.growth, "growth", false, "measure 100 to 5000 sessions, a quarter of them in matches, instead of --sessions and --playing")
	f.BoolVar(&p.asJSON, "json", false, "write the figures as JSON")
	f.StringVar(&p.profile, "profile", "", "`file` for a CPU profile of the server, for go tool pprof")
	if err := f.Parse(args); err != nil {
		return plan{}, err
	}
	p.args = f.Args()
	switch {
	case p.sessions < 1 || p.sessions > 20_000:
		return plan{}, errors.New("--sessions is from 1 to 20000")
	case p.playing < 0 || p.watching < 0 || p.playing+p.watching > p.sessions:
		return plan{}, errors.New("--playing and --watching together are at most --sessions")
	case p.ramp < 1:
		return plan{}, errors.New("--ramp is at least 1")
	case p.growth && (p.server != "" || p.asJSON || p.profile != ""):
		return plan{}, errors.New("--growth starts its own servers and prints a table")
	case p.think <= 0 || p.stroll <= 0 || p.during <= 0:
		return plan{}, errors.New("--think, --stroll and --for must be more than 0")
	case p.profile != "" && (p.during < time.Second || p.server != "" && p.metrics == ""):
		return plan{}, errors.New("--profile needs --for of at least a second, and --metrics of a server that runs")
	case p.server != "" && len(p.args) > 0:
		return plan{}, errors.New("arguments after the flags are for a new server: remove --server")
	}
	return p, nil
}

func main() {
	// During a garbage collection, none of the thousands of sessions reads, which would
	// be measured as a delay of the server.
	debug.SetGCPercent(800)
	p, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch {
	case err != nil:
	case p.growth:
		err = grow(ctx, p, os.Stdout, os.Stderr)
	default:
		var r report
		if r, err = run(ctx, p, os.Stderr); err == nil {
			err = p.print(os.Stdout, r)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// growthSessions lists the numbers of sessions that --growth measures.
var growthSessions = []int{100, 300, 1000, 2000, 5000}

// grow measures growing numbers of sessions, each with a new server.
func grow(ctx context.Context, p plan, out, errs io.Writer) error {
	for i, n := range growthSessions {
		p.sessions, p.playing, p.watching = n, n/4, 10
		r, err := run(ctx, p, errs)
		if err != nil {
			return err
		}
		if i == 0 {
			fmt.Fprintln(out, "sessions  in use KiB  PSS KiB  CPU ms/s  goroutines  (of each session)")
		}
		fmt.Fprintf(out, "%8d  %10.0f  %7.0f  %8.2f  %10.1f\n", n, r.AllUsedKiB, r.AllKiB, r.SessionMillis, r.Goroutines)
		if err := r.verdict(); err != nil {
			return err
		}
	}
	return nil
}

// run carries out a plan, reports progress on errs, and returns the figures.
func run(ctx context.Context, p plan, errs io.Writer) (report, error) {
	if p.server == "" {
		s, remove, err := serve(ctx, p.args)
		if err != nil {
			return report{}, err
		}
		defer remove()
		p.server, p.pid, p.metrics = s.SSH, s.PID(), s.Metrics
	}
	all, leave := context.WithCancel(ctx)
	f := &figures{plan: p, failures: map[string]int{}, failure: map[string]error{}}
	var people sync.WaitGroup
	defer func() {
		leave()
		people.Wait()
	}()

	if err := p.warm(ctx); err != nil {
		return report{}, err
	}
	empty, err := p.serverState(ctx)
	if err != nil {
		return report{}, err
	}
	connecting := make(chan struct{}, p.ramp) // holds one token for each connection attempt
	come := func(first, last int, what string) (state, error) {
		fmt.Fprintf(errs, "%d people connect %s, %d at a time\n", last-first, what, p.ramp)
		var came sync.WaitGroup
		for i := first; i < last; i++ {
			came.Add(1)
			people.Go(func() {
				(&person{number: i, plan: &p, figures: f, connecting: connecting}).live(all, came.Done)
			})
		}
		came.Wait()
		return p.serverState(ctx)
	}
	busy := p.playing + p.watching
	lobby, err := come(busy, p.sessions, "to the lobby")
	if err != nil {
		return report{}, err
	}
	full, err := come(0, busy, "to play and to watch")
	if err != nil {
		return report{}, err
	}
	f.grown(empty, lobby, full)
	fmt.Fprintf(errs, "everyone has connected; measuring for %v\n", p.during)
	if err := p.measureCosts(ctx, f); err != nil {
		return report{}, err
	}
	if full, err = p.serverState(ctx); err != nil { // all matches are running now
		return report{}, err
	}
	f.grown(empty, lobby, full)
	leave()
	people.Wait()
	if err := p.emptied(ctx, empty, f); err != nil {
		return report{}, err
	}
	return f.report(), nil
}

// measureCosts runs the measurement and records its figures and the server's CPU time.
func (p *plan) measureCosts(ctx context.Context, f *figures) error {
	began, start := time.Now(), servers.Measure(p.pid)
	f.measure(true)
	if err := p.measure(ctx); err != nil {
		return err
	}
	f.measure(false)
	f.busy(servers.Measure(p.pid), start, time.Since(began))
	return nil
}

// print writes the report and returns its verdict.
func (p *plan) print(out io.Writer, r report) error {
	if p.asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return cmp.Or(e.Encode(r), r.verdict())
	}
	return cmp.Or(r.write(out), r.verdict())
}

// measure waits while keys are measured.
func (p *plan) measure(ctx context.Context) error {
	over := time.After(p.during)
	if p.profile != "" {
		b, err := servers.Profile(ctx, p.metrics, p.during)
		if err == nil {
			err = os.WriteFile(p.profile, b, 0o666)
		}
		if err != nil {
			return fmt.Errorf("the server's profile: %w", err)
		}
	}
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// state is the server's memory use and goroutines at one time.
type state struct {
	memory     int64 // PSS, in bytes
	used       int64 // memory of live objects and stacks, in bytes
	goroutines int
}

// warm opens and closes a session, so that everything allocated once for all sessions
// exists.
func (p *plan) warm(ctx context.Context) error {
	s, err := users.Dial(ctx, users.Options{Address: p.server})
	if err != nil {
		return err
	}
	s.Close()
	return p.waitUntilEmpty(ctx)
}

// since returns the growth per session since an earlier state.
func (s state) since(before state, sessions int) state {
	if sessions <= 0 || before.memory == 0 {
		return state{}
	}
	n := int64(sessions)
	return state{memory: (s.memory - before.memory) / n, used: (s.used - before.used) / n}
}

// serverState runs a garbage collection on the server and returns its state. Unknown values are
// zero.
func (p *plan) serverState(ctx context.Context) (s state, err error) {
	if p.metrics != "" {
		n, err := servers.Number(ctx, p.metrics, "go_goroutines")
		if err != nil {
			return s, err
		}
		s.goroutines = int(n)
		for range 2 { // the second collection frees what pools kept in the first
			if err := servers.Collect(ctx, p.metrics); err != nil {
				return s, err
			}
		}
		for _, name := range []string{"go_memstats_heap_alloc_bytes", "go_memstats_stack_inuse_bytes"} {
			if n, err = servers.Number(ctx, p.metrics, name); err != nil {
				return s, err
			}
			s.used += int64(n)
		}
	}
	s.memory = servers.Measure(p.pid).Memory
	return s, ctx.Err()
}

// leaveTime is how long the server may take to notice that all have disconnected.
const leaveTime = 10 * time.Second

// waitUntilEmpty waits until the server has noticed that all have disconnected, for at most
// leaveTime.
func (p *plan) waitUntilEmpty(ctx context.Context) error {
	for began := time.Now(); p.metrics != "" && time.Since(began) < leaveTime; time.Sleep(100 * time.Millisecond) {
		n, err := servers.Number(ctx, p.metrics, "broadside_ssh_connections")
		if err != nil {
			return err
		}
		if n == 0 {
			return nil
		}
	}
	return nil
}

// emptied waits until all have disconnected and records the remaining goroutines and
// matches.
func (p *plan) emptied(ctx context.Context, empty state, f *figures) error {
	if err := p.waitUntilEmpty(ctx); p.metrics == "" || err != nil {
		return err
	}
	left, err := p.serverState(ctx)
	if err != nil {
		return err
	}
	waiting, err := servers.Number(ctx, p.metrics, "broadside_matches")
	f.left = [2]int{left.goroutines - empty.goroutines, int(waiting)}
	return err
}

// serve starts a server in an empty folder. The returned function stops it and removes
// the folder.
func serve(ctx context.Context, args []string) (*servers.Server, func(), error) {
	folder, err := os.MkdirTemp("", "broadside-load")
	if err != nil {
		return nil, nil, err
	}
	var log bytes.Buffer
	program, err := servers.Build(ctx, ".", folder)
	if err == nil {
		var s *servers.Server
		s, err = servers.Start(ctx, program, filepath.Join(folder, "data"), &log, nil, append([]string{"--log-level", "error"}, args...)...)
		if err == nil {
			return s, func() {
				s.Kill()
				os.RemoveAll(folder)
			}, nil
		}
	}
	os.RemoveAll(folder)
	return nil, nil, fmt.Errorf("%w: %s", err, log.String())
}
