package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"broadside/internal/cli"
)

// arenaReport is the part of the arena's JSON that other programs use.
type arenaReport struct {
	Settings struct {
		Format  string   `json:"format"`
		Players []string `json:"players"`
		Games   int      `json:"games"`
		Seed    uint64   `json:"seed"`
	} `json:"settings"`
	Interrupted bool `json:"interrupted"`
	Results     []struct {
		Bot    string  `json:"bot"`
		Games  int     `json:"games"`
		Mean   float64 `json:"mean_shots"`
		SE     float64 `json:"se"`
		Median float64 `json:"median"`
		P95    float64 `json:"p95"`
		Max    int     `json:"max"`
		Ns     int64   `json:"ns_per_move"`
	} `json:"results"`
	Pairings []struct {
		A, B                       string
		Games, Wins, Losses, Draws int
		Forfeits                   struct{ A, B int }
		Score, Elo                 struct{ Value, Low, High *float64 }
		SPRT                       *struct{ Decision string }
		Sides                      []struct {
			Bot   string
			Games int
			Mean  float64 `json:"mean_shots"`
		}
	} `json:"pairings"`
}

// tryArena runs an arena command that prints JSON.
func tryArena(t *testing.T, args ...string) arenaReport {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out, err := try(ctx, append([]string{"arena"}, append(args, "--json")...)...)
	if err != nil {
		t.Fatal(err)
	}
	var r arenaReport
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return r
}

func TestArenaSolo(t *testing.T) {
	t.Parallel()
	r := tryArena(t, "solo", "easy", "hard", "--games", "500", "--seed", "3")
	if r.Settings.Format != "solo" || r.Settings.Games != 500 || r.Settings.Seed != 3 || len(r.Results) != 2 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []float64{95.4, 45.6} {
		s := r.Results[i]
		if s.Games != 500 || s.Mean < want-1.5 || s.Mean > want+1.5 || s.SE <= 0 || s.Median > s.P95 || s.P95 > float64(s.Max) || s.Max > 100 {
			t.Errorf("%+v, documented %v", s, want)
		}
	}
}

func TestArenaMatches(t *testing.T) {
	t.Parallel()
	duel := tryArena(t, "duel", "hard", "prolog", "--games", "400")
	if len(duel.Pairings) != 1 {
		t.Fatalf("%+v", duel)
	}
	p := duel.Pairings[0]
	if p.A != "hard" || p.B != "prolog" || p.Wins+p.Losses != 400 || p.Wins < 250 || *p.Elo.Low <= 0 || *p.Score.High >= 1 || len(p.Sides) != 2 || p.Sides[1].Bot != "prolog" {
		t.Errorf("%+v", p)
	}
	if r := tryArena(t, "roundrobin", "easy", "prolog", "hard", "--games", "10", "--concurrency", "3"); len(r.Pairings) != 3 {
		t.Errorf("a round robin of three has %d pairings", len(r.Pairings))
	}
	g := tryArena(t, "gauntlet", "hard", "vs", "easy", "prolog", "--games", "10", "--rules", "hasbro", "--placement", "edges")
	if len(g.Pairings) != 2 || g.Pairings[0].A != "hard" || g.Pairings[1].B != "prolog" {
		t.Errorf("%+v", g.Pairings)
	}
	s := tryArena(t, "duel", "hard", "easy", "--games", "100000", "--sprt", "0,20")
	if p := s.Pairings[0]; p.SPRT == nil || p.SPRT.Decision != "elo1" || p.Games > 2000 {
		t.Errorf("a test does not end: %+v", p)
	}
	layout := filepath.Join(t.TempDir(), "fleet")
	if err := os.WriteFile(layout, []byte("5 A1 A5\n4 C1 C4\n3 E1 E3\n3 G1 G3\n2 I1 I2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	known := tryArena(t, "duel", "memory", "easy", "--games", "30", "--layout-a", layout, "--layout-b", layout)
	if mean := known.Pairings[0].Sides[0].Mean; mean > 40 {
		t.Errorf("a bot with a memory needs %.1f shots against a fleet that never moves", mean)
	}
}

func TestArenaSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	done := filepath.Join(t.TempDir(), "done")
	if _, err := try(t.Context(), "arena", "duel", "easy", "hard", "--games", "2", "--out", done); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"round-robin easy", "a round-robin takes 2 to 100 players, not 1"},
		{"duell easy hard", "did you mean duel?"},
		{"duel easy kraken", "choose one of"},
		{"duel easy", "takes 2 players, not 1"},
		{"duel easy hard --games 0", "choose 1 or more"},
		{"duel easy hard --games -5", "choose 1 or more"},
		{"duel easy hard --rules chess", "choose classic, hasbro, "},
		{"duel easy hard --rules 3:1:none", "choose 5 to 26 cells per side"},
		{"duel easy hard --rules 10:five:none", "SIZE:SHIPS:CONTACT"},
		{"duel easy hard --rules 10:5:some", "unknown contact rule"},
		{"duel easy grid:1", "grid"},
		{"duel easy hard --layout-a " + file + "s", "no such file"},
		{"duel easy hard --layout-b " + file, "line 1:"},
		{"duel easy hard --sprt 10", "two rating differences"},
		{"duel easy hard --sprt 10,0", "lower first"},
		{"duel easy hard --placement sideways", "placement"},
		{"duel easy hard --external x", "NAME=COMMAND"},
		{"duel easy hard --external x=true", "takes no part"},
		{"duel easy hard --out " + file, "folder"},
		{"duel easy hard --games 2 --out " + done, "--resume"},
		{"duel easy hard --games 4 --resume --out " + done, "games is 2 there, not 4"},
		{"duel easy prolog --games 2 --resume --out " + done, "players is"},
		{"duel easy hard --resume", "name the folder"},
		{"duel easy hard --json --markdown", "none of the others"},
		{"gauntlet easy hard", "A vs B"},
		{"solo", "takes 1 to 100 players"},
		{"replay " + done, "accepts 2 arg"},
		{"replay " + done + " x", "not a game number"},
		{"replay " + file + " 1", "no records"},
	} {
		_, err := try(t.Context(), append([]string{"arena"}, strings.Fields(c.args)...)...)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with %q", c.args, err, c.want)
		}
	}
}

func TestArenaResumes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	args := []string{"duel", "prolog", "hard", "--games", "30", "--out", dir}
	want := tryArena(t, args...)
	records := filepath.Join(dir, "games.jsonl")
	data, err := os.ReadFile(records)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("\n")); n != 30 {
		t.Errorf("%d records of 30 games", n)
	}
	out, err := try(t.Context(), "arena", "replay", dir, "30")
	if err != nil || !strings.Contains(out, "hard against prolog") || !strings.Contains(out, " won in round ") || strings.Count(out, "The fleet of") != 2 {
		t.Errorf("replayed, %v:\n%s", err, out)
	}
	if _, err := try(t.Context(), "arena", "replay", dir, "31"); err == nil || !strings.Contains(err.Error(), "there is no game 31") {
		t.Errorf("a game that is not there: %v", err)
	}
	if err := os.WriteFile(records, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	got := tryArena(t, append(args, "--resume")...)
	if got.Pairings[0].Wins != want.Pairings[0].Wins || got.Pairings[0].Games != 30 {
		t.Errorf("after an interruption %+v, want %+v", got.Pairings[0], want.Pairings[0])
	}
}

// TestArenaInterrupted cancels the arena as Ctrl-C does: it reports the finished games, and
// the exit status shows the interruption.
func TestArenaInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dir := filepath.Join(t.TempDir(), "new")
	go func() {
		for ctx.Err() == nil {
			if info, err := os.Stat(filepath.Join(dir, "games.jsonl")); err == nil && info.Size() > 0 {
				cancel() // a game is recorded
			}
			time.Sleep(time.Millisecond)
		}
	}()
	out, err := try(ctx, "arena", "duel", "prolog", "hard", "--games", "1000000000", "--out", dir)
	if cli.Status(err) != 130 || !strings.Contains(out, "interrupted") || !strings.Contains(out, "prolog – hard") {
		t.Errorf("error %v, printed:\n%s", err, out)
	}
}

// TestArenaSignal interrupts the program during a game with an external program that does
// nothing.
func TestArenaSignal(t *testing.T) {
	t.Parallel()
	binary := build(t)
	started := filepath.Join(t.TempDir(), "started")
	cmd := exec.Command(binary, "arena", "duel", "hard", "it", "--games", "10", "--connect-timeout", "1h", "--json",
		"--external", "it=sh -c 'echo $$ > "+started+"; exec sleep 1000'")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	deadline := time.Now().Add(patience)
	for {
		if data, err := os.ReadFile(started); err == nil && bytes.HasSuffix(data, []byte("\n")) {
			break
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			t.Fatalf("the program was not started: %s", errs.String())
		}
		time.Sleep(time.Millisecond)
	}
	cmd.Process.Signal(syscall.SIGINT)
	select {
	case <-ended:
	case <-time.After(patience):
		cmd.Process.Kill()
		t.Fatal("the arena does not end")
	}
	var r arenaReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || !r.Interrupted || cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("exit code %d, %v, printed %s, %s", cmd.ProcessState.ExitCode(), err, out.String(), errs.String())
	}
	if errs.Len() > 0 { // the report shows the interruption
		t.Errorf("standard error has %q", errs.String())
	}
}
