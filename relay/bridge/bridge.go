package bridge

import (
	"cmp"
	"context"
	"errors"
	"io"
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

	Series client.Directives // what the program plays; Games 0: forever

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
	Won, Lost      int
	TournamentOver bool // the program played in a cup that is over
}

// Run plays all games, or those of a cup until it is over, and returns the number of won and
// lost ones. It returns an error if the program fails, or the relay refuses to let it play. Run
// reconnects after a lost connection with growing pauses, but not if the first connection fails.
func Run(ctx context.Context, cfg Config) (Result, error) {
	if cfg.Notice == nil {
		cfg.Notice = func(string) {}
	}
	cfg.Parallel = max(1, cfg.Parallel)
	if cfg.Series.Games > 0 {
		cfg.Parallel = min(cfg.Parallel, cfg.Series.Games)
	}
	cfg.Program.Stdio, cfg.Program.Move = true, cmp.Or(cfg.Program.Move, DefaultMove)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var running sync.WaitGroup
	lanes := make([]*worker, cfg.Parallel)
	for i := range lanes {
		lanes[i] = &worker{cfg: &cfg, left: cfg.gameShare(i), program: program.New(cfg.Program)}
		running.Go(func() {
			defer lanes[i].program.Close()
			if err := lanes[i].playGames(ctx); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	var all Result
	for _, l := range lanes {
		all.Won += l.result.Won
		all.Lost += l.result.Lost
		all.TournamentOver = all.TournamentOver || l.result.TournamentOver
	}
	return all, context.Cause(ctx)
}

// gameShare returns the number of games of a lane; the maximum of a series if there is no end.
func (c *Config) gameShare(lane int) int {
	games := c.Series.Games
	if games == 0 {
		return maxSeries
	}
	share := games / c.Parallel
	if lane < games%c.Parallel {
		share++
	}
	return share
}

// maxSeries is the maximum length of a series on one connection.
const maxSeries = 1_000_000

// fatalError is an error that reconnecting does not solve.
type fatalError struct{ error }

// Unwrap returns the error.
func (f fatalError) Unwrap() error { return f.error }

func isFatal(err error) bool {
	var f fatalError
	return errors.As(err, &f)
}
