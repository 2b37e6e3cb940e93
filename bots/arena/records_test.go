package arena

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"broadside/bots/arena/stats"
	"broadside/match"
)

// TestResumeAfterAnyCut truncates the records of finished tournaments at many positions, including
// within lines, and resumes. The results must equal those of the uninterrupted tournament, without
// repeated games.
func TestResumeAfterAnyCut(t *testing.T) {
	for _, cfg := range []Config{
		{Format: Duel, Players: []string{"prolog", "hard"}, Games: 15},
		{Format: Duel, Players: []string{"prolog", "hard"}, Games: 40, Brief: true},
		{Format: RoundRobin, Players: []string{"memory", "hard", "prolog"}, Games: 8, Placement: OwnPlacement},
		{Format: Solo, Players: []string{"prolog", "hard"}, Games: 20},
		{Format: Duel, Players: []string{"easy", "hard"}, Games: 2000, SPRT: &stats.SPRT{Elo0: 0, Elo1: 50}},
	} {
		cfg.Dir, cfg.Seed, cfg.Concurrency = filepath.Join(t.TempDir(), "new"), 5, 3
		want := timelessText(runArena(t, cfg))
		name := filepath.Join(cfg.Dir, recordsFile)
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Resume = true
		for cut := 0; cut <= len(whole); cut += max(1, len(whole)/12) {
			if err := os.WriteFile(name, whole[:cut], 0o600); err != nil {
				t.Fatal(err)
			}
			r := runArena(t, cfg)
			if got := timelessText(r); got != want {
				t.Fatalf("%s of %v, cut at %d of %d: got\n%s\nwant\n%s", cfg.Format, cfg.Players, cut, len(whole), got, want)
			}
			seen := map[[3]int]bool{}
			for _, rec := range readAllRecords(t, cfg.Dir) {
				k := [3]int{rec.Pairing, rec.Unit, rec.Game}
				if seen[k] {
					t.Fatalf("cut at %d: game %v is there twice", cut, k)
				}
				seen[k] = true
			}
			if cfg.SPRT == nil && len(seen) != r.Games {
				t.Fatalf("cut at %d: %d records of %d games", cut, len(seen), r.Games)
			}
		}
	}
}

// interruptedConfig returns the configuration for TestKilledArenaResumes.
func interruptedConfig(dir string) Config {
	return Config{Format: Duel, Players: []string{"prolog", "hard"}, Games: 4000, Seed: 9, Concurrency: 2, Dir: dir, Resume: true}
}

func recordsSize(dir string) int64 {
	info, err := os.Stat(filepath.Join(dir, recordsFile))
	if err != nil {
		return 0
	}
	return info.Size()
}

// TestKilledArenaResumes checks that a tournament can be resumed after an arena in another process was
// killed several times.
func TestKilledArenaResumes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	kills := 0
	for ended := false; !ended && kills < 5; {
		before := recordsSize(dir)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), asArena+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		deadline := time.Now().Add(patience)
		for !ended && recordsSize(dir) < before+1<<16 {
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
				ended = true
			case <-time.After(time.Millisecond):
			}
			if time.Now().After(deadline) {
				cmd.Process.Kill()
				t.Fatal("the arena does not come forward")
			}
		}
		if !ended {
			cmd.Process.Kill()
			if ended = <-done == nil; !ended {
				kills++
			}
		}
	}
	if kills == 0 {
		t.Fatal("the arena has ended before it was killed")
	}
	got := runArena(t, interruptedConfig(dir))
	fresh := interruptedConfig(filepath.Join(t.TempDir(), "new"))
	if want := runArena(t, fresh); timelessText(got) != timelessText(want) {
		t.Errorf("killed %d times: got\n%s\nwant\n%s", kills, got.Text(), want.Text())
	}
	if n := len(readAllRecords(t, dir)); n != 4000 {
		t.Errorf("%d records of 4000 games", n)
	}
}

func TestResumeRefusesOtherTournament(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	cfg := Config{Format: Duel, Players: []string{"prolog", "hard"}, Games: 4, Seed: 5, Dir: dir}
	runArena(t, cfg)
	refused := func(want string, change func(*Config)) {
		t.Helper()
		c := cfg
		c.Resume = true
		change(&c)
		_, err := Run(t.Context(), c)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with %q", err, want)
		}
	}
	refused("holds a tournament already", func(c *Config) { c.Resume = false })
	refused("games is 4 there, not 6", func(c *Config) { c.Games = 6 })
	refused("seed is 5 there, not 6", func(c *Config) { c.Seed = 6 })
	refused("players is", func(c *Config) { c.Players = []string{"prolog", "easy"} })
	refused("rules is {\"name\":\"classic\"", func(c *Config) { c.Rules = match.Hasbro() })
	refused("sprt is missing there", func(c *Config) { c.SPRT = &stats.SPRT{Elo1: 1} })

	name := filepath.Join(dir, recordsFile)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	for want, content := range map[string][]byte{
		"line 1":          []byte("nonsense\n"),
		"recorded twice":  bytes.Join([][]byte{whole, lines[0]}, nil),
		"is out of order": bytes.Join([][]byte{lines[1], lines[0]}, nil),
		"not a record of": bytes.Replace(whole, []byte(`"version":3`), []byte(`"version":9`), 1),
	} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		refused(want, func(*Config) {})
		if after, err := os.ReadFile(name); err != nil || !bytes.Equal(after, content) {
			t.Errorf("%s: the file was changed, %v", want, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, settingsFile)); err != nil {
		t.Fatal(err)
	}
	refused("unknown tournament", func(*Config) {})
}

// TestFolderAllowsOneArena checks that no second tournament starts in a folder that is in use.
func TestFolderAllowsOneArena(t *testing.T) {
	cfg := Config{Format: Duel, Players: []string{"prolog", "hard"}, Games: 3000, Dir: filepath.Join(t.TempDir(), "new"), Resume: true}
	second := cfg
	asked := false
	cfg.Progress = func(Progress) {
		if asked {
			return
		}
		asked = true
		if _, err := Run(t.Context(), second); err == nil || !strings.Contains(err.Error(), "another arena plays") || strings.Contains(err.Error(), "\n") {
			t.Errorf("the second one: %v", err)
		}
	}
	runArena(t, cfg)
	if !asked {
		t.Fatal("no second one was started")
	}
	if n := len(readAllRecords(t, cfg.Dir)); n != cfg.Games {
		t.Errorf("%d records of %d games", n, cfg.Games)
	}
	// The first run has ended.
	runArena(t, second)
}

// replayLine returns the course of a recorded game.
func replayLine(dir string, n int) (string, error) {
	rec, err := FindRecord(dir, n)
	if err != nil {
		return "", err
	}
	return rec.CourseText()
}

// TestReplayGame replays a game of a match and of a solo, and detects a record that was
// modified.
func TestReplayGame(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	runArena(t, Config{Format: Duel, Players: []string{"prolog", "hard"}, Games: 2, Dir: dir})
	text, err := replayLine(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	rec := readAllRecords(t, dir)[0]
	if !strings.HasPrefix(text, "prolog against hard, who fires first\n\n  1  hard ") || !strings.Contains(text, "last ship sunk") {
		t.Errorf("the course is\n%s", text)
	}
	// The title and the time name prolog as well, and so does the result if prolog won.
	shots := strings.Count(text, "prolog ") - 2
	if *rec.Winner == 0 {
		shots--
	}
	if int32(shots) != rec.Shots[0] {
		t.Errorf("%d shots are told of %d:\n%s", shots, rec.Shots[0], text)
	}
	_, boards, _ := strings.Cut(text, "'s fleet")
	boards, _, _ = strings.Cut(boards, "\n~")
	if strings.Count(boards, "#") != 17+countSunk(t, &rec) {
		t.Errorf("the boards are\n%s", text)
	}
	name := filepath.Join(dir, recordsFile)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, bytes.Replace(data, []byte(`"hit"`), []byte(`"water"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := replayLine(dir, 1); !errors.Is(err, match.ErrHistory) {
		t.Errorf("a hit that became water: %v", err)
	}

	dir = filepath.Join(t.TempDir(), "new")
	runArena(t, Config{Format: Solo, Players: []string{"hard"}, Games: 2, Dir: dir})
	if text, err = replayLine(dir, 2); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, "hard against target, who fires first\n") || !strings.Contains(text, "hard won in round ") || strings.Count(text, "#") < 17+1 {
		t.Errorf("the course is\n%s", text)
	}
}

// countSunk returns how many cells of the winner's fleet belong to sunk ships.
func countSunk(t *testing.T, r *Record) int {
	t.Helper()
	g, err := r.Replay()
	if err != nil {
		t.Fatal(err)
	}
	v := g.View(match.Nobody)
	n := 0
	for _, s := range v.Board(v.Winner).Squares {
		if s.State == match.HullSunk {
			n++
		}
	}
	return n
}
