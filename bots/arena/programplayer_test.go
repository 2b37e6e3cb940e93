package arena

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/testprogram"
	"broadside/match"
)

// testProgramCommand returns the test binary's command with environment variables.
func testProgramCommand(t *testing.T, behaviour string, more ...string) string {
	t.Helper()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("env '%s' %s '%s'", testprogram.FaultEnv(behaviour), strings.Join(more, " "), self)
}

func TestProgramsTakePart(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"one game", "none", "salvo", "stdio one game", "stdio ends late", "stdio none"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			fault, stdio := strings.CutPrefix(behaviour, "stdio")
			it := External{Command: testProgramCommand(t, strings.TrimSpace(fault)), Stdio: stdio}
			cfg := Config{
				Format: RoundRobin, Players: []string{"us", "easy", "them"}, Games: 4, Concurrency: 2, Dir: filepath.Join(t.TempDir(), "new"),
				Externals: map[string]External{"us": it, "them": it},
			}
			if behaviour == "salvo" {
				cfg.Rules = match.Salvo()
			}
			r := runArena(t, cfg)
			for _, p := range r.Pairings {
				if behaviour == "salvo" && p.Rounds.Mean >= p.Sides[0].Mean/2 {
					t.Errorf("%.1f shots in %.1f rounds are no salvos", p.Sides[0].Mean, p.Rounds.Mean)
				}
				if p.Games != 4 || p.Forfeits.A+p.Forfeits.B+p.Draws > 0 || p.Wins+p.Losses != 4 {
					t.Errorf("%s against %s: %+v", p.A, p.B, p)
				}
				if p.Sides[0].Mean < 17 || p.Sides[0].NsPerMove <= 0 {
					t.Errorf("got sides %+v, want 17 or more shots and a time", p.Sides)
				}
			}
			// The bot easy needs 95 shots on average.
			if p := r.Pairings[0]; p.Wins < 3 {
				t.Errorf("the program has won %d of 4 games against easy, want at least 3", p.Wins)
			}
			for _, rec := range readAllRecords(t, cfg.Dir) {
				if g, err := rec.Replay(); err != nil || g.Phase() != match.Over {
					t.Errorf("the record of %v cannot be replayed: %v", rec.Players, err)
				}
			}
		})
	}
}

// TestFaultyProgramsForfeit checks that programs that break a rule, on a connection or on standard input
// and output, lose their games for a reason that the report and a file tell, and that the tournament
// continues.
func TestFaultyProgramsForfeit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		behaviour, reason, note string
		stdio                   bool
	}{
		{"crash", "hangup", "crash: the program ended during the game: exit status 3: no fuel", false},
		{"hang", "silent", "hang: the program did not respond in time", false},
		{"off the board", "cell", "not on the board", false},
		{"no message", "malformed", "BANG", false},
		{"long line", "too-long", "256", false},
		{"result instead of a shot", "turn", "but an attack is due", false},
		{"all hits", "contradiction", "cannot all be true", false},
		{"another cell", "wrong-cell", "different cell", false},
		{"no result", "parameters", "a result must be", false},
		{"crash", "hangup", "crash: the program ended during the game: exit status 3: no fuel", true},
		{"hang", "silent", "hang: the program did not respond in time", true},
		{"no message", "malformed", `garbage: the program sent "BANG"`, true},
		{"flood", "hangup", "flood: the program wrote more than 1024 KiB to standard error", true},
	} {
		t.Run(fmt.Sprint(c.behaviour, c.stdio), func(t *testing.T) {
			t.Parallel()
			cfg := Config{
				Format: Duel, Players: []string{"hard", "it"}, Games: 2, Concurrency: 1, Dir: filepath.Join(t.TempDir(), "new"),
				Externals:      map[string]External{"it": {Command: testProgramCommand(t, c.behaviour), Stdio: c.stdio}},
				ConnectTimeout: patience, MoveTimeout: patience,
			}
			play := runArena
			if c.behaviour == "hang" {
				play = runHangingProgram
			}
			p := play(t, cfg).Pairings[0]
			if p.Games != 2 || p.Wins != 2 || p.Forfeits.B != 2 || p.Forfeits.ReasonsB[c.reason] != 2 {
				t.Errorf("%d of 2 won, forfeits %+v, want 2 for %q; notes %q", p.Wins, p.Forfeits, c.reason, p.Notes)
			}
			if len(p.Notes) == 0 || !strings.HasPrefix(p.Notes[0], "it: ") || !strings.Contains(p.Notes[0], c.note) {
				t.Errorf("the notes are %q, want one with %q", p.Notes, c.note)
			}
			stderr, _ := os.ReadFile(filepath.Join(cfg.Dir, "stderr-it.txt"))
			if c.behaviour == "crash" && string(stderr) != "no fuel\n" {
				t.Errorf("stderr-it.txt = %q, want no fuel", stderr)
			}
		})
	}
}

// TestProgramThatNeverPlaysEndsDuel checks that programs that cannot be started or never send a message
// end a duel with an error.
func TestProgramThatNeverPlaysEndsDuel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		behaviour, want string
		stdio           bool
	}{
		{"missing", "no such file", false},
		{"missing", "start: cannot start the program", true},
		{"mute", "hang: the program did not respond in time", false},
		{"mute", "hang: the program did not respond in time", true},
		{"asleep", "did not connect", false},
		{"absent", "exit status 3: no licence \\x1b[31mfound", false},
		{"absent", "crash: the program ended during the game: exit status 3: no licence \\x1b[31mfound", true},
		{"plain in salvo", "% rules salvo", false},
	} {
		t.Run(fmt.Sprint(c.behaviour, c.stdio), func(t *testing.T) {
			t.Parallel()
			it := External{Command: testProgramCommand(t, c.behaviour), Stdio: c.stdio}
			cfg := Config{Format: Duel, Players: []string{"hard", "it"}, Games: 2, ConnectTimeout: patience, MoveTimeout: patience}
			switch c.behaviour {
			case "missing":
				it.Command = "/no/such/program"
			case "mute":
				cfg.MoveTimeout = 500 * time.Millisecond
			case "asleep":
				cfg.ConnectTimeout = 200 * time.Millisecond
			case "plain in salvo":
				cfg.Rules, cfg.ConnectTimeout = match.Salvo(), time.Second
			}
			cfg.Externals = map[string]External{"it": it}
			_, err := Run(t.Context(), cfg)
			for c.behaviour == "plain in salvo" && cfg.ConnectTimeout < patience && strings.Contains(fmt.Sprint(err), "did not connect") {
				// The computer was too busy.
				cfg.ConnectTimeout *= 2
				_, err = Run(t.Context(), cfg)
			}
			if err == nil || !strings.HasPrefix(err.Error(), "the program it does not play: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
		})
	}
}

// TestArenaPlacesProgramsFleet checks that the arena can place the program's fleet. Layouts are swapped as
// between built-in bots.
func TestArenaPlacesProgramsFleet(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	r := runArena(t, Config{
		Format: Duel, Players: []string{"it", "easy"}, Games: 2, Dir: dir,
		Externals: map[string]External{"it": {Command: testProgramCommand(t, "uniform")}}, hello: patience,
	})
	if p := r.Pairings[0]; p.Forfeits.A+p.Forfeits.B > 0 {
		t.Fatalf("got pairing %+v", p)
	}
	var fleets [2]match.Layout
	for i, rec := range readAllRecords(t, dir) {
		g, err := rec.Replay()
		if err != nil {
			t.Fatal(err)
		}
		fleets[i] = g.View(match.Nobody).Fleets[0]
	}
	// First in both games: the program with one layout, then easy with it.
	if fmt.Sprint(fleets[0]) != fmt.Sprint(fleets[1]) || len(fleets[0]) != 5 {
		t.Errorf("%v, then %v", fleets[0], fleets[1])
	}
}
