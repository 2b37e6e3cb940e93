package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"broadside/relay/program"
)

// Config configures [Run]. Dial and Program are required.
type Config struct {
	// Dial connects to a relay. It is called from several goroutines.
	Dial    func(ctx context.Context) (io.ReadWriteCloser, error)
	Program program.Config // Words, Dir and Env; the program plays on standard input and output

	Name   string // shown to others; empty: the relay chooses
	Token  string // of a registered program; empty: none
	Rules  string // a preset; empty: classic
	Versus string // the opponent as in the directive vs; empty: any
	Layout string // as in the directive layout; empty: the program keeps its fleet
	Ladder bool   // be paired on the ladder

	Games    int           // 0: forever
	Parallel int           // games at the same time, each with its own process and connection; 0: 1
	Move     time.Duration // time for a shot or an answer; 0: DefaultMove
	// Hello is how long the program may take to send its directives after it has been started.
	// It does not take longer if it ends them with ready. 0: DefaultHello.
	Hello time.Duration
	// Notice is called with a line for the program's author. It may be called from several
	// goroutines. nil: none.
	Notice func(string)
}

// Defaults of [Config]. A relay's own limits for moves may be shorter.
const (
	DefaultMove  = time.Minute
	DefaultHello = time.Second
)

// Result counts the games that a program has played. Games without a winner, or whose result is
// unknown because the connection was lost, are played again and do not count.
type Result struct {
	Won, Lost int
	CupOver   bool // the program played in a cup that is over
}

// bridge is the state that all lanes share.
type bridge struct {
	cfg   Config
	met   atomic.Bool // a relay has answered
	plays atomic.Bool // the program has sent a legal message
}

// Run plays all games, or those of a cup until it is over, and returns the number of won and
// lost ones. It returns an error if the program fails, or the relay refuses to let it play. Run
// reconnects after a lost connection with growing pauses, but not if the first connection fails.
func Run(ctx context.Context, cfg Config) (Result, error) {
	if cfg.Move <= 0 {
		cfg.Move = DefaultMove
	}
	if cfg.Hello <= 0 {
		cfg.Hello = DefaultHello
	}
	if cfg.Notice == nil {
		cfg.Notice = func(string) {}
	}
	cfg.Parallel = max(1, cfg.Parallel)
	if cfg.Games > 0 {
		cfg.Parallel = min(cfg.Parallel, cfg.Games)
	}
	cfg.Program.Stdio, cfg.Program.Move = true, cfg.Move
	b := &bridge{cfg: cfg}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var running sync.WaitGroup
	lanes := make([]*lane, cfg.Parallel)
	for i := range lanes {
		lanes[i] = &lane{bridge: b, left: cfg.share(i), program: program.New(cfg.Program)}
		running.Go(func() {
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

// directives returns the lines that ask for a series of games. resume is the directive about resuming
// matches.
func (c *Config) directives(games int, program []string, resume string) string {
	var b strings.Builder
	say := func(set bool, format string, args ...any) {
		if set {
			fmt.Fprintf(&b, "%% "+format+"\n", args...)
		}
	}
	hello := "hello broadside/1"
	if c.Name != "" {
		hello += " name=" + c.Name
	}
	say(true, "%s", hello)
	say(c.Token != "", "token %s", c.Token)
	say(c.Rules != "", "rules %s", c.Rules)
	say(c.Layout != "", "layout %s", c.Layout)
	say(true, "games %d", games)
	say(true, "%s", resume)
	for _, line := range program {
		b.WriteString(line + "\n")
	}
	say(c.Ladder, "ladder")
	say(c.Versus != "", "vs %s", c.Versus)
	say(true, "ready")
	return b.String()
}

// fatal is an error that reconnecting does not solve.
type fatal struct{ error }

// Unwrap returns the error.
func (f fatal) Unwrap() error { return f.error }

func isFatal(err error) bool {
	var f fatal
	return errors.As(err, &f)
}
