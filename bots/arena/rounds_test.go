package arena

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"broadside/match"
)

// TestTournamentTables checks the number of rounds and pairings in each format.
func TestTournamentTables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format                       Format
		given, rounds, pairs, played int
	}{
		{RoundRobin, 0, 1, 10, 10},
		{RoundRobin, 2, 2, 20, 20},
		{Gauntlet, 2, 2, 8, 8},
		{Swiss, 3, 3, 6, 6},
		// After five rounds, everyone has played everyone.
		{Swiss, 9, 5, 10, 10},
		{Knockout, 0, 3, 4, 4},
	} {
		players := []string{"hard", "prolog", "medium", "easy", "sweep"}
		r := runArena(t, Config{Format: c.format, Rounds: c.given, Players: players, Games: 10, Seed: 3})
		last := r.Pairings[len(r.Pairings)-1]
		if last.Round != c.rounds || len(r.Pairings) != c.pairs || r.Games != 10*c.pairs || len(r.Table) != 5 || len(r.Ratings) != 5 {
			t.Errorf("%s: got %d rounds, %d pairings and %d games, want %d, %d and %d\n%s",
				c.format, last.Round, len(r.Pairings), r.Games, c.rounds, c.pairs, 10*c.pairs, r.Text())
		}
		for _, p := range r.Pairings {
			if p.Pairs.Total() != 5 || p.Games != 10 {
				t.Errorf("got pairing of %s %+v", c.format, p)
			}
		}
		if (r.Champion != "") != (c.format == Knockout) || r.Champion != "" && r.Champion != last.A && r.Champion != last.B {
			t.Errorf("%s: the champion is %q, the last pairing %s – %s", c.format, r.Champion, last.A, last.B)
		}
	}
}

// TestRoundsDiffer checks that the second round of a round robin has other games than the first.
func TestRoundsDiffer(t *testing.T) {
	t.Parallel()
	r := runArena(t, Config{Format: RoundRobin, Rounds: 2, Players: []string{"hard", "easy"}, Games: 20})
	if a, b := r.Pairings[0].Sides[0].Mean, r.Pairings[1].Sides[0].Mean; a == b {
		t.Errorf("hard needs %v shots in both rounds", a)
	}
}

// TestInterruptedRoundContinues checks that a tournament that is interrupted after its first round continues
// like the same tournament without an interruption.
func TestInterruptedRoundContinues(t *testing.T) {
	t.Parallel()
	for _, format := range []Format{Swiss, Knockout} {
		cfg := Config{Format: format, Players: []string{"hard", "prolog", "medium", "easy", "sweep"}, Games: 200, Seed: 5}
		var r *Report
		// With few games, the round may end before it is interrupted.
		for r == nil || !r.Interrupted {
			if cfg.Games *= 2; cfg.Games > 50_000 {
				t.Fatalf("%s: not interrupted after the first round: %+v", format, r)
			}
			cfg.Dir = filepath.Join(t.TempDir(), "new")
			ctx, cancel := context.WithCancel(t.Context())
			cfg.Progress = func(p Progress) {
				if p.Done > 2*cfg.Games {
					cancel()
				}
			}
			var err error
			r, err = Run(ctx, cfg)
			cancel()
			if err != nil {
				t.Fatal(err)
			}
		}
		cfg.Progress = nil
		if last := r.Pairings[len(r.Pairings)-1]; last.Round < 2 {
			t.Errorf("%s: interrupted in round %d, want a later one than the first", format, last.Round)
		}
		cfg.Resume = true
		resumed := runArena(t, cfg)
		cfg.Dir, cfg.Resume = "", false
		if got, want := timelessText(resumed), timelessText(runArena(t, cfg)); got != want {
			t.Errorf("%s continued:\n%s\nat once:\n%s", format, got, want)
		}
	}
}

// TestTotalClock checks that a slow program whose shots are all in time loses when its total time has run
// out, unless that grows with each shot, and that a quick program's clock does not run while it waits.
func TestTotalClock(t *testing.T) {
	t.Parallel()
	for increment, want := range map[time.Duration]int64{time.Millisecond: 2, time.Minute: 0} {
		t.Run(increment.String(), func(t *testing.T) {
			t.Parallel()
			r := runArena(t, Config{
				Format: Duel, Players: []string{"slow", "quick"}, Games: 2, TotalTime: 600 * time.Millisecond, Increment: increment, hello: 100 * time.Millisecond,
				Externals: map[string]External{
					"slow":  {Command: testProgramCommand(t, "slow"), Stdio: true},
					"quick": {Command: testProgramCommand(t, ""), Stdio: true},
				},
			})
			f := r.Pairings[0].Forfeits
			if f.A != want || f.B != 0 || strings.Contains(r.Text(), "the program used up its total time") != (want > 0) {
				t.Errorf("forfeits %+v, want %d of slow\n%s", f, want, r.Text())
			}
		})
	}
}

// TestStartLayoutsRepeat checks that both games of a pair have the given fleets, with sides swapped.
func TestStartLayoutsRepeat(t *testing.T) {
	t.Parallel()
	starts := [2]match.Layout{layoutInRows(0), layoutInRows(1)}
	cfg := Config{Format: Duel, Players: []string{"hard", "easy"}, Games: 4, Starts: [][2]match.Layout{starts}, Dir: filepath.Join(t.TempDir(), "new")}
	runArena(t, cfg)
	all := readAllRecords(t, cfg.Dir)
	if len(all) != 4 {
		t.Errorf("got %d games, want 4", len(all))
	}
	for _, r := range all {
		g, err := r.Replay()
		if err != nil {
			t.Fatal(err)
		}
		for side, name := range r.Players {
			want := starts[slices.Index(cfg.Players, name)^r.Game]
			if got := g.View(match.Nobody).Fleets[side]; !slices.Equal(got, want) {
				t.Errorf("game %d of pair %d: %s has the fleet %v, want %v", r.Game, r.Unit, name, got, want)
			}
		}
	}
}

// layoutInRows returns a classic layout with a ship in every other row, from the given row.
func layoutInRows(first int) (layout match.Layout) {
	for i, c := range match.Classic().Fleet {
		layout = append(layout, match.Ship{Stern: match.NewCell(0, first+2*i), Heading: match.East, Length: c.Length})
	}
	return layout
}

// TestBrokenPrograms checks that programs that cannot be started, never send a message or stop playing
// forfeit their games, that the others play theirs, and that the report says who forfeited and why. The
// tournament can then be resumed.
func TestBrokenPrograms(t *testing.T) {
	t.Parallel()
	broken := map[string]struct{ command, note string }{
		"missing": {"/no/such/program", "missing: start: cannot start the program"},
		"exits":   {"sh -c 'echo no licence >&2; exit 3'", "exits: crash: the program ended during the game: exit status 3: no licence"},
		"hangs":   {"sleep 600", "hangs: hang: the program did not respond in time"},
		"babbles": {"echo hello", `babbles: garbage: the program sent "hello"`},
		"unnamed": {"unknown-command", "unnamed: start: cannot start the program"},
	}
	cfg := Config{
		Format: RoundRobin, Players: []string{"hard", "easy"}, Externals: map[string]External{}, Games: 4, Concurrency: 1,
		MoveTimeout: 300 * time.Millisecond, hello: 100 * time.Millisecond, Dir: filepath.Join(t.TempDir(), "new"),
	}
	for name, p := range broken {
		cfg.Players = append(cfg.Players, name)
		cfg.Externals[name] = External{Command: p.command, Stdio: true}
	}
	r := runArena(t, cfg)
	text := r.Text()
	for name, p := range broken {
		row := r.Table[slices.IndexFunc(r.Table, func(row Row) bool { return row.Player == name })]
		// It meets the two bots in 8 games, and the other broken programs in 16.
		if row.Forfeits < 8 || row.Forfeits > 24 || row.Won+row.Drawn+row.Lost != 6 || !strings.Contains(text, p.note) {
			t.Errorf("%s has the row %+v, want 8 to 24 forfeits in 6 pairings and the note %q in\n%s", name, row, p.note, text)
		}
	}
	if first, second := r.Table[0], r.Table[1]; first.Player != "hard" || first.Won != 6 || second.Player != "easy" || second.Forfeits != 0 || r.Games != 4*21 {
		t.Errorf("got %d games and the table below, want %d, and hard before easy\n%s", r.Games, 4*21, text)
	}
	cfg.Resume = true
	if again := runArena(t, cfg); fmt.Sprint(again.Table) != fmt.Sprint(r.Table) {
		t.Errorf("the resumed tournament has the table\n%v\nwant\n%v", again.Table, r.Table)
	}
}
