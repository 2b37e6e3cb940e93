package arena

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/leaks"
	"broadside/internal/test/parallel"
	"broadside/internal/test/testprogram"
)

// asArena makes the test binary an arena in a separate process. withProgram has the command of a
// program for it.
const asArena, withProgram = "ARENA_TEST_FOLDER", "ARENA_TEST_WITH"

func TestMain(m *testing.M) {
	testprogram.RunIfRequested()
	if dir := os.Getenv(asArena); dir != "" {
		cfg := interruptedConfig(dir)
		if command := os.Getenv(withProgram); command != "" {
			cfg.Players[0], cfg.Externals, cfg.MoveTimeout = "it", map[string]External{"it": ParseExternal(command)}, time.Hour
		}
		if _, err := Run(context.Background(), cfg); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	parallel.AllowWaitingTests()
	leaks.Main(m)
}

// patience ends a test that hangs. It is far longer than any step takes.
const patience = 5 * time.Minute

// runArena plays a tournament and fails the test if there is an error.
func runArena(t *testing.T, cfg Config) *Report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cfg.ConnectTimeout, cfg.MoveTimeout = cmp.Or(cfg.ConnectTimeout, patience), cmp.Or(cfg.MoveTimeout, patience)
	r, err := Run(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if r.Interrupted {
		t.Fatalf("interrupted after %d games", r.Games)
	}
	return r
}

// runHangingProgram is like runArena for a program that hangs during its games. The time limit for moves grows
// until the program has played, however busy the computer is.
func runHangingProgram(t *testing.T, cfg Config) *Report {
	t.Helper()
	for cfg.MoveTimeout = time.Second; ; cfg.MoveTimeout *= 2 {
		if cfg.Dir != "" {
			cfg.Dir = filepath.Join(t.TempDir(), "new")
		}
		r, err := Run(t.Context(), cfg)
		if err == nil {
			return r
		}
		if !strings.Contains(err.Error(), "does not play: hang") || cfg.MoveTimeout > patience {
			t.Fatal(err)
		}
	}
}

// withoutTimes returns a report without the fields that differ between runs.
func withoutTimes(r *Report) *Report {
	c := *r
	c.Seconds, c.GamesPerSecond, c.NsPerGame = 0, 0, 0
	c.Results = append([]SoloResult(nil), r.Results...)
	for i := range c.Results {
		c.Results[i].NsPerMove = 0
	}
	c.Pairings = append([]PairingResult(nil), r.Pairings...)
	for i := range c.Pairings {
		c.Pairings[i].Sides[0].NsPerMove, c.Pairings[i].Sides[1].NsPerMove = 0, 0
	}
	return &c
}

func timelessText(r *Report) string {
	c := withoutTimes(r)
	b, err := c.JSON()
	if err != nil {
		panic(err)
	}
	return string(b) + c.Histogram()
}
