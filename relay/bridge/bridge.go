package bridge

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"broadside/relay/client"
	"broadside/relay/program"
)

// Config configures [Run]. Dial and Program are required.
type Config struct {
	// Dial connects to a relay. It is called from several goroutines.
	Dial    func(ctx context.Context) (io.ReadWriteCloser, error)
	Program program.Config // the program plays on standard input and output

	Name   string // shown to others; empty: the relay chooses
	Token  string // of a registered program; empty: none
	Rules  string // a preset; empty: classic
	Versus string // the opponent as in the directive vs; empty: any
	Layout string // as in the directive layout; empty: the program keeps its fleet
	Ladder bool   // be paired on the ladder

	Games    int // 0: forever
	Parallel int // games at the same time, each with its own process and connection; 0: 1
	// Notice is called with a line for the program's author. It may be called from several
	// goroutines. nil: none.
	Notice func(string)
}

// DefaultMove is the default time for a shot or an answer. The relay's own limit may be shorter.
const DefaultMove = time.Minute

// Result counts the games that a program has played. Games without a winner, or whose result is
// unknown because the connection was lost, are played again and do not count.
type Result struct {
	Won, Lost int
	CupOver   bool // the program played in a cup that is over
}

// Run plays all games, or those of a cup until it is over, and returns the number of won and
// lost ones. It returns an error if the program fails, or the relay refuses to let it play. Run
// reconnects after a lost connection with growing pauses, but not if the first connection fails.
func Run(ctx context.Context, cfg Config) (Result, error) {
	if cfg.Notice == nil {
		cfg.Notice = func(string) {}
	}
	cfg.Parallel = max(1, cfg.Parallel)
	if cfg.Games > 0 {
		cfg.Parallel = min(cfg.Parallel, cfg.Games)
	}
	cfg.Program.Stdio, cfg.Program.Move = true, cmp.Or(cfg.Program.Move, DefaultMove)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var running sync.WaitGroup
	lanes := make([]*lane, cfg.Parallel)
	for i := range lanes {
		lanes[i] = &lane{cfg: &cfg, left: cfg.share(i), program: program.New(cfg.Program)}
		running.Go(func() {
			defer lanes[i].program.Close()
			if err := lanes[i].run(ctx); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	var all Result
	for _, l := range lanes {
		all.Won += l.result.Won
		all.Lost += l.result.Lost
		all.CupOver = all.CupOver || l.result.CupOver
	}
	return all, context.Cause(ctx)
}

// share returns the number of games of a lane; the maximum of a series if there is no end.
func (c *Config) share(lane int) int {
	if c.Games == 0 {
		return maxSeries
	}
	share := c.Games / c.Parallel
	if lane < c.Games%c.Parallel {
		share++
	}
	return share
}

// maxSeries is the maximum length of a series on one connection.
const maxSeries = 1_000_000

// directives returns the lines that ask for a series of games. program are the directives of the program,
// and resume is the one about resuming matches.
func (c *Config) directives(games int, program []string, resume string) []string {
	hello := "% hello " + client.Protocol
	if c.Name != "" {
		hello += " name=" + c.Name
	}
	lines := []string{hello}
	for _, option := range []struct{ verb, value string }{
		{"token", c.Token}, {"rules", c.Rules}, {"layout", c.Layout}, {"games", strconv.Itoa(games)},
	} {
		if option.value != "" {
			lines = append(lines, "% "+option.verb+" "+option.value)
		}
	}
	lines = append(append(lines, "% "+resume), program...)
	switch {
	case c.Ladder:
		lines = append(lines, "% ladder")
	case c.Versus != "":
		lines = append(lines, "% vs "+c.Versus)
	}
	return append(lines, "% ready")
}

// fatal is an error that reconnecting does not solve.
type fatal struct{ error }

// Unwrap returns the error.
func (f fatal) Unwrap() error { return f.error }

func isFatal(err error) bool {
	var f fatal
	return errors.As(err, &f)
}
