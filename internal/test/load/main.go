// Command load measures a server on this machine under many clients. It builds and starts the
// server, and prints times until something arrives, bytes, and the server's CPU time and memory.
//
//	go run ./internal/test/load [-n 300] sessions|floor|spectators [server options]
//
// "sessions" are people over SSH: they connect eight at a time, look at the lobby, press the key
// for the help once a second, and then move the cursor in a match against a bot. "floor" is the same
// with a minimal SSH server, which echoes keys. Clients run on the same cores, so compare the two, in
// turns. "spectators" follow one match of programs on the website.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"time"

	"broadside/internal/test/servers"
)

func main() {
	// During a garbage collection, none of the thousands of clients reads, which would be measured
	// as a delay of the server.
	debug.SetGCPercent(800)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// options are the server's options for spectators.
var options = []string{
	"--relay-hello", "0s", "--web-max-connections", "50000", "--web-max-connections-per-address", "50000",
	"--web-max-streams", "50000", "--web-max-streams-per-address", "50000", "--web-request-burst", "50000", "--web-request-rate", "50000",
}

func run(ctx context.Context) error {
	n := flag.Int("n", 300, "number of sessions or spectators")
	echo := flag.String("echo", "", "be the minimal server, at an `address`")
	flag.Parse()
	if *echo != "" {
		return echoKeys(*echo)
	}
	var measure func(*load) error
	start := startBroadside
	switch flag.Arg(0) {
	case "sessions":
		measure = measureSessions
	case "floor":
		measure, start = measureSessions, startEchoServer
	case "spectators":
		measure = measureSpectators
	default:
		return errors.New("choose sessions, floor or spectators")
	}
	folder, err := os.MkdirTemp("", "broadside-load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	s, err := start(ctx, folder)
	if err != nil {
		return err
	}
	defer s.Kill()
	return measure(&load{ctx: ctx, n: *n, server: s})
}

func startEchoServer(ctx context.Context, _ string) (*servers.Server, error) {
	return servers.StartProgram(ctx, os.Args[0], "-echo")
}

func startBroadside(ctx context.Context, folder string) (*servers.Server, error) {
	program, err := servers.Build(ctx, folder)
	if err != nil {
		return nil, err
	}
	args := slices.Concat([]string{"--log-level", "error"}, options, flag.Args()[1:])
	return servers.Start(ctx, program, folder, io.Discard, nil, args...)
}

// load is a measurement.
type load struct {
	ctx    context.Context
	n      int
	server *servers.Server
}

// cost is what the server uses.
type cost struct {
	servers.Cost
	inUse float64 // bytes of live objects and stacks
}

// measureCost measures the server after a garbage collection. For a floor, it measures only the process.
func (l *load) measureCost() (c cost, err error) {
	if l.server.Metrics != "" {
		// The second collection frees what pools kept in the first.
		for range 2 {
			if err := servers.CollectGarbage(l.ctx, l.server.Metrics); err != nil {
				return c, err
			}
		}
		for _, name := range []string{"go_memstats_heap_alloc_bytes", "go_memstats_stack_inuse_bytes"} {
			n, err := servers.ReadMetric(l.ctx, l.server.Metrics, name)
			if err != nil {
				return c, err
			}
			c.inUse += n
		}
	}
	c.Cost = servers.MeasureProcess(l.server.PID())
	return c, nil
}

// reportMemory prints the growth since an earlier time, for each of n clients.
func reportMemory(what string, now, before cost, n int) {
	each := 1 / float64(n) / 1024
	fmt.Printf("%-44s %8.1f KiB PSS, %.1f KiB in use\n", what, float64(now.Memory-before.Memory)*each, (now.inUse-before.inUse)*each)
}

// reportTimes prints quantiles of durations.
func reportTimes(what string, all []time.Duration) {
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	at := func(percent int) float64 { return all[(len(all)-1)*percent/100].Seconds() * 1000 }
	fmt.Printf("%-44s %8.2f ms p50, %.2f ms p99, %.2f ms worst of %d\n", what, at(50), at(99), at(100), len(all))
}

// reportCPU prints the server's CPU time for each of n events.
func reportCPU(what string, now, before servers.Cost, n int) {
	if n > 0 {
		fmt.Printf("%-44s %8.3f ms CPU\n", what, (now.Time-before.Time).Seconds()*1000/float64(n))
	}
}
