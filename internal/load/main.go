// Command load puts a server under the load of many people and measures what
// they notice: how long it takes to get in, how soon a key shows, and what a
// session costs the server in memory, time and bytes.
//
//	go run ./internal/load --sessions 2000 --playing 500 --for 1m
//
// builds and starts a server of its own on this machine and ends it again.
// With --server it puts one that runs under load; what that costs the server
// is not measured then, unless --pid says which process it is.
//
// The people are real sessions over SSH, each with a terminal of 100×30. Some
// sit in the lobby, some play against bots, some against each other, some
// watch. Who plays thinks for a while, moves the cursor, names a cell and
// fires, until the match is over, and comes again with a new connection.
// Everything stays on the addresses given, and ends by itself.
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
	"sync"
	"syscall"
	"time"

	"broadside/internal/crowd"
)

// plan is what is to be done.
type plan struct {
	server   string        // address; empty: a server of its own
	pid      int           // of the server; 0: unknown
	sessions int           // in all
	playing  int           // of these, in matches; half of them against bots
	watching int           // of these, watching a match
	bot      string        // whom to play
	think    time.Duration // mean time between two keys of somebody who plays
	during   time.Duration // of the measurement, once all have come
	ramp     int           // how many connect at a time
	seed     uint64
	asJSON   bool
	args     []string // more for the server
}

func parse(args []string) (plan, error) {
	var p plan
	f := flag.NewFlagSet("load", flag.ContinueOnError)
	f.StringVar(&p.server, "server", "", "`address` of a server that runs; empty: start one")
	f.IntVar(&p.pid, "pid", 0, "process of that server, to measure its memory and time")
	f.IntVar(&p.sessions, "sessions", 200, "people in all")
	f.IntVar(&p.playing, "playing", 50, "of these, how many play: half of them against a bot")
	f.IntVar(&p.watching, "watching", 10, "of these, how many watch a match")
	f.StringVar(&p.bot, "bot", "hard", "the bot that is played against")
	f.DurationVar(&p.think, "think", time.Second, "mean time between two keys of who plays")
	f.DurationVar(&p.during, "for", 30*time.Second, "time to measure, once all have come")
	f.IntVar(&p.ramp, "ramp", 8, "how many connect at a time")
	f.Uint64Var(&p.seed, "seed", 1, "of what people do")
	f.BoolVar(&p.asJSON, "json", false, "write the figures as JSON")
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
	case p.think <= 0 || p.during <= 0:
		return plan{}, errors.New("--think and --for are more than nothing")
	case p.server != "" && len(p.args) > 0:
		return plan{}, errors.New("what follows the flags is for a server of its own: leave --server out")
	}
	return p, nil
}

func main() {
	p, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err == nil {
		err = run(ctx, p, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// run carries out a plan, tells how far it is on errs, and writes the figures
// to out.
func run(ctx context.Context, p plan, out, errs io.Writer) error {
	if p.server == "" {
		s, remove, err := serve(ctx, p.args)
		if err != nil {
			return err
		}
		defer remove()
		p.server, p.pid = s.SSH, s.PID()
	}
	all, leave := context.WithCancel(ctx)
	f := newFigures(p)
	var people sync.WaitGroup
	defer func() {
		leave()
		people.Wait()
	}()

	before := crowd.Measure(p.pid)
	fmt.Fprintf(errs, "%d people come, %d at a time\n", p.sessions, p.ramp)
	gate := make(chan struct{}, p.ramp) // holds one token for each who connects
	var came sync.WaitGroup
	for i := range p.sessions {
		came.Add(1)
		people.Go(func() {
			(&person{number: i, plan: &p, figures: f, gate: gate}).live(all, came.Done)
		})
	}
	came.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	f.settled(crowd.Measure(p.pid), before)
	fmt.Fprintf(errs, "all are in; measuring for %v\n", p.during)
	began, start := time.Now(), crowd.Measure(p.pid)
	f.begin()
	select {
	case <-time.After(p.during):
	case <-ctx.Done():
		return ctx.Err()
	}
	f.end()
	f.busy(crowd.Measure(p.pid), start, time.Since(began))
	leave()
	people.Wait()

	r := f.report()
	if p.asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return cmp.Or(e.Encode(r), r.verdict())
	}
	return cmp.Or(r.write(out), r.verdict())
}

// serve starts a server of our own, in an empty folder. The returned function
// ends it and removes the folder.
func serve(ctx context.Context, args []string) (*crowd.Server, func(), error) {
	folder, err := os.MkdirTemp("", "broadside-load")
	if err != nil {
		return nil, nil, err
	}
	var log bytes.Buffer
	program, err := crowd.Build(ctx, ".", folder)
	if err == nil {
		var s *crowd.Server
		s, err = crowd.Start(ctx, program, filepath.Join(folder, "data"), &log, nil, append([]string{"--log-level", "error"}, args...)...)
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
