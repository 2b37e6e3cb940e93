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
	Dial func(ctx context.Context) (io.ReadWriteCloser, error)
	// Program is started on standard input and output.
	Program program.Config
	// Series is what the program plays. If Games is 0, it plays forever.
	Series client.Directives
	// Parallel is the number of games at the same time, each with its own process and connection.
	// 0 means 1.
	Parallel int
	// Notice is called with a line for the program's author. It may be called from several
	// goroutines. It may be nil.
	Notice func(string)
}

// DefaultMove is the default time for a shot or an answer. The relay's own limit may be shorter.
const DefaultMove = time.Minute

// Result counts the games that a program has played. Games without a winner, or whose result is
// unknown because the connection was lost, are played again and do not count.
type Result struct {
	Won, Lost int
	// TournamentOver is true if the program played in a tournament that is over.
	TournamentOver bool
}

// Run plays all games, or those of a tournament until it is over, and returns how many were won and
// lost. It returns an error if the program fails, or the relay refuses to let it play. Run
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
	workers := make([]*worker, cfg.Parallel)
	for i := range workers {
		workers[i] = &worker{cfg: &cfg, gamesLeft: cfg.gameShare(i), program: program.New(cfg.Program)}
		running.Go(func() {
			defer workers[i].program.Close()
			if err := workers[i].playGames(ctx); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	running.Wait()
	var all Result
	for _, w := range workers {
		all.Won += w.result.Won
		all.Lost += w.result.Lost
		all.TournamentOver = all.TournamentOver || w.result.TournamentOver
	}
	return all, context.Cause(ctx)
}

// gameShare returns how many games worker number n plays. Without an end, it is the maximum.
func (c *Config) gameShare(n int) int {
	games := c.Series.Games
	if games == 0 {
		return maxSeries
	}
	share := games / c.Parallel
	if n < games%c.Parallel {
		share++
	}
	return share
}

// maxSeries is the maximum length of a series on one connection.
const maxSeries = 1_000_000

// fatalError is an error that reconnecting does not fix.
type fatalError struct{ error }

// Unwrap returns the error.
func (f fatalError) Unwrap() error { return f.error }

func isFatal(err error) bool {
	var f fatalError
	return errors.As(err, &f)
}
