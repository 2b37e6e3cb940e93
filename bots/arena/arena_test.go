package arena

import (
	"bytes"
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"broadside/bots/arena/stats"
	"broadside/match"
	"broadside/match/layoutfile"
)

func isNear(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// TestSameSeedSameGames plays tournaments of all kinds with different numbers of workers
// and expects identical results.
func TestSameSeedSameGames(t *testing.T) {
	for _, cfg := range []Config{
		{Format: Duel, Players: []string{"prolog", "hard"}, Games: 301},
		{Format: RoundRobin, Players: []string{"easy", "prolog", "hard", "medium"}, Games: 60},
		{Format: Gauntlet, Players: []string{"hard", "easy", "prolog"}, Games: 60, Placement: "edges"},
		{Format: Solo, Players: []string{"prolog", "hard"}, Games: 200},
		{Format: RoundRobin, Players: []string{"easy", "medium", "sweep"}, Rules: match.Salvo(), Games: 60},
		{Format: Duel, Players: []string{"memory", "prolog"}, Games: 100, Placement: OwnPlacement},
		{Format: RoundRobin, Players: []string{"memory", "hard", "prolog"}, Games: 30},
		{Format: Duel, Players: []string{"commodore", "admiral"}, Games: 3, Placement: OwnPlacement},
		{Format: Duel, Players: []string{"hard", "prolog"}, Games: 100_000, SPRT: &stats.SPRT{Elo0: 0, Elo1: 20}},
	} {
		cfg.Seed, cfg.Concurrency = 7, 1
		want := timelessText(runArena(t, cfg))
		for _, n := range []int{2, 5} {
			cfg.Concurrency = n
			if got := timelessText(runArena(t, cfg)); got != want {
				t.Errorf("%s of %v: %d workers play otherwise than one:\n%s\n%s", cfg.Format, cfg.Players, n, got, want)
			}
		}
		cfg.Seed = 8
		if timelessText(runArena(t, cfg)) == want {
			t.Errorf("%s of %v: another seed plays the same games", cfg.Format, cfg.Players)
		}
	}
}

// TestSalvoGamesMatchReport checks that the state machine accepts each game of salvos, and that their rounds and
// shots match the report.
func TestSalvoGamesMatchReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	r := runArena(t, Config{Format: Duel, Players: []string{"easy", "medium"}, Rules: match.Salvo(), Games: 40, Dir: dir})
	if p := r.Pairings[0]; p.Wins > 2 || p.Forfeits.A+p.Forfeits.B > 0 {
		t.Errorf("easy has won %d games, and %+v were forfeited", p.Wins, p.Forfeits)
	}
	rounds := 0
	all := readAllRecords(t, dir)
	for _, rec := range all {
		g, err := rec.Replay()
		if err != nil {
			t.Fatal(err)
		}
		v := g.View(match.Nobody)
		if v.Reason != match.FleetSunk || v.Charts[0].Fired != int(rec.Shots[0]) || v.Charts[1].Fired != int(rec.Shots[1]) || v.RoundCount() != int(rec.Rounds) {
			t.Errorf("the record says %v shots in %d rounds, the game %d and %d in %d", rec.Shots, rec.Rounds, v.Charts[0].Fired, v.Charts[1].Fired, v.RoundCount())
		}
		rounds += v.RoundCount()
	}
	if mean := float64(rounds) / float64(len(all)); !isNear(r.Pairings[0].Rounds.Mean, mean, 0.01) {
		t.Errorf("the report says %.2f rounds, the games %.2f", r.Pairings[0].Rounds.Mean, mean)
	}
}

// TestPairsSwapLayoutsAndSides checks the records: within a pair, layouts and sides are swapped, and all
// pairings with the same seed have the same layouts.
func TestPairsSwapLayoutsAndSides(t *testing.T) {
	cfg := Config{Format: RoundRobin, Players: []string{"easy", "prolog", "hard"}, Games: 10, Seed: 3, Dir: t.TempDir(), Concurrency: 2}
	cfg.Dir = filepath.Join(cfg.Dir, "new")
	runArena(t, cfg)
	type key struct{ pairing, unit, game int }
	layouts := map[key]map[string]match.Layout{}
	sides := map[key][]string{}
	for _, r := range readAllRecords(t, cfg.Dir) {
		g, err := r.Replay()
		if err != nil {
			t.Fatal(err)
		}
		v := g.View(match.Nobody)
		if v.Phase != match.Over || r.Winner == nil || match.Side(*r.Winner) != v.Winner || v.Reason != r.Reason ||
			int32(v.Charts[0].Fired) != r.Shots[0] || int32(v.Charts[1].Fired) != r.Shots[1] {
			t.Errorf("the record %+v is of another match", r)
		}
		k := key{r.Pairing, r.Unit, r.Game}
		sides[k] = r.Players
		layouts[k] = map[string]match.Layout{r.Players[0]: v.Fleets[0], r.Players[1]: v.Fleets[1]}
	}
	if len(sides) != 30 {
		t.Fatalf("%d different games", len(sides))
	}
	pairings := [][2]string{{"easy", "prolog"}, {"easy", "hard"}, {"prolog", "hard"}}
	for pairing, pair := range pairings {
		for unit := range 5 {
			one, two := key{pairing, unit, 0}, key{pairing, unit, 1}
			if !slices.Equal(sides[one], pair[:]) || !slices.Equal(sides[two], []string{pair[1], pair[0]}) {
				t.Errorf("sides %v, then %v", sides[one], sides[two])
			}
			if !slices.Equal(layouts[one][pair[0]], layouts[two][pair[1]]) || !slices.Equal(layouts[one][pair[1]], layouts[two][pair[0]]) {
				t.Errorf("pairing %d, pair %d: the layouts are not exchanged", pairing, unit)
			}
			first := key{0, unit, 0}
			if !slices.Equal(layouts[one][pair[0]], layouts[first]["easy"]) {
				t.Errorf("pairing %d, pair %d: the layouts are not those of the first pairing", pairing, unit)
			}
			if unit > 0 && slices.Equal(layouts[one][pair[0]], layouts[key{pairing, 0, 0}][pair[0]]) {
				t.Errorf("pairing %d, pair %d: the layout of the first pair again", pairing, unit)
			}
		}
	}
}

func readAllRecords(t *testing.T, dir string) []Record {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, recordsFile))
	if err != nil {
		t.Fatal(err)
	}
	var all []Record
	if err := ReadRecords(bytes.NewReader(data), func(r *Record, _ int64) error {
		all = append(all, *r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestReportMatchesRecords compares a report with the games in its records.
func TestReportMatchesRecords(t *testing.T) {
	cfg := Config{Format: Duel, Players: []string{"prolog", "hard"}, Games: 201, Seed: 3, Dir: filepath.Join(t.TempDir(), "new")}
	r := runArena(t, cfg)
	p := r.Pairings[0]
	var wins, shots, most [2]int64
	var rounds int64
	for _, rec := range readAllRecords(t, cfg.Dir) {
		for side, name := range rec.Players {
			player := slices.Index(cfg.Players, name)
			shots[player] += int64(rec.Shots[side])
			most[player] = max(most[player], int64(rec.Shots[side]))
			if rec.Winner != nil && *rec.Winner == side {
				wins[player]++
			}
		}
		rounds += int64(max(rec.Shots[0], rec.Shots[1]))
	}
	if p.A != "prolog" || p.B != "hard" || p.Games != 201 || p.Wins != wins[0] || p.Losses != wins[1] || p.Wins+p.Losses != 201 {
		t.Errorf("%d won, %d lost of %d, the records say %v", p.Wins, p.Losses, p.Games, wins)
	}
	for i, s := range p.Sides {
		if s.Bot != cfg.Players[i] || s.Games != 201 || !isNear(s.Mean, float64(shots[i])/201, 1e-9) || int64(s.Max) != most[i] || s.NsPerMove <= 0 {
			t.Errorf("%+v, the records say %d shots, at most %d", s, shots[i], most[i])
		}
	}
	if !isNear(p.Rounds.Mean, float64(rounds)/201, 1e-9) || p.Pairs.Total() != 100 {
		t.Errorf("%v rounds, %v pairs", p.Rounds.Mean, p.Pairs)
	}
	if p.Score == nil || *p.Score.Low >= *p.Score.Value || *p.Elo.Low >= *p.Elo.Value || *p.Elo.Value > -50 || p.Superiority > 0.01 {
		t.Errorf("prolog against hard: %+v", p)
	}
	for _, name := range []string{"report.json", "report.md", settingsFile} {
		if data, err := os.ReadFile(filepath.Join(cfg.Dir, name)); err != nil || len(data) == 0 {
			t.Errorf("%s is missing or empty: %v", name, err)
		}
	}
}

// TestMemoryLastsWithinPairing checks that memory lasts within a pairing: against a fleet that never
// changes, a bot that remembers soon needs few shots.
func TestMemoryLastsWithinPairing(t *testing.T) {
	rules := match.Classic()
	layouts, err := layoutfile.Parse(rules, "5 A1 A5\n4 C1 C4\n3 E1 E3\n3 G1 G3\n2 I1 I2\n")
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Format: Duel, Players: []string{"memory", "easy"}, Games: 60, Layouts: [2]match.Layout{layouts[0], layouts[0]}}
	if s := runArena(t, cfg).Pairings[0].Sides[0]; s.Mean > 35 {
		t.Errorf("memory needs %.1f shots against a fleet it knows", s.Mean)
	}
}

func TestSPRTStopsByItself(t *testing.T) {
	cfg := Config{Format: RoundRobin, Players: []string{"easy", "hard", "prolog"}, Games: 1_000_000, SPRT: &stats.SPRT{Elo0: 0, Elo1: 10}}
	r := runArena(t, cfg)
	for i, want := range []stats.Decision{stats.AcceptH0, stats.AcceptH0, stats.AcceptH1} {
		p := r.Pairings[i]
		if p.SPRT == nil || p.SPRT.Decision != want || p.Games > 20_000 {
			t.Errorf("%s against %s: %+v after %d games, want %s", p.A, p.B, p.SPRT, p.Games, want)
		}
	}
}

// TestInterruptedReport checks the report of a tournament that is stopped.
func TestInterruptedReport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cfg := Config{Format: Duel, Players: []string{"prolog", "hard"}, Games: 1 << 30}
	cfg.Progress = func(p Progress) {
		if p.Done > 100 {
			cancel()
		}
	}
	r, err := Run(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	p := r.Pairings[0]
	if !r.Interrupted || r.Games < 100 || p.Wins+p.Losses != int64(r.Games) {
		t.Errorf("%d games, interrupted %v, %d won, %d lost", r.Games, r.Interrupted, p.Wins, p.Losses)
	}
	if !strings.Contains(r.Text(), "interrupted") {
		t.Errorf("the report does not say so:\n%s", r.Text())
	}
}

func TestInvalidConfigsAreRefused(t *testing.T) {
	good := Config{Format: Duel, Players: []string{"easy", "prolog"}, Games: 2}
	layout := match.Classic().RandomLayout(newRand(1, layoutSource))
	for _, c := range []struct {
		want   string
		change func(*Config)
	}{
		{"choose one of", func(c *Config) { c.Players[1] = "kraken" }},
		{"choose 1 or more", func(c *Config) { c.Games = 0 }},
		{"takes 2 players, not 1", func(c *Config) { c.Players = c.Players[:1] }},
		{"unknown format", func(c *Config) { c.Format = "war" }},
		{"-1 rounds", func(c *Config) { c.Rounds = -1 }},
		{"has one round", func(c *Config) { c.Rounds = 2 }},
		{"leave the rounds out", func(c *Config) { c.Format, c.Rounds = Knockout, 2 }},
		{"limit is negative", func(c *Config) { c.MoveTimeout = -1 }},
		{"takes part twice", func(c *Config) { c.Format, c.Players[1] = RoundRobin, "easy" }},
		{"choose 5 to 26 cells per side", func(c *Config) { c.Rules = match.Rules{Size: 3} }},
		{"layout b: the fleet has the wrong number of ships", func(c *Config) { c.Layouts[1] = layout[1:] }},
		{"not both", func(c *Config) { c.Layouts[0], c.Placement = layout, "edges" }},
		{"no placement called", func(c *Config) { c.Placement = "sideways" }},
		{"lower first", func(c *Config) { c.SPRT = &stats.SPRT{Elo0: 5} }},
		{"no opponent", func(c *Config) { c.Format, c.SPRT = Solo, &stats.SPRT{Elo1: 5} }},
		{"name the folder", func(c *Config) { c.Resume = true }},
		{"takes no part", func(c *Config) { c.Externals = map[string]External{"x": {Command: "true"}} }},
		{"is empty", func(c *Config) { c.Externals, c.Players[0] = map[string]External{"x": {Command: " "}}, "x" }},
		{"split the command", func(c *Config) { c.Externals, c.Players[0] = map[string]External{"x": {Command: "'"}}, "x" }},
		{"built-in bot", func(c *Config) { c.Externals = map[string]External{"easy": {Command: "true"}} }},
		{"need an opponent", func(c *Config) {
			c.Format, c.Externals, c.Players[0] = Solo, map[string]External{"x": {Command: "true"}}, "x"
		}},
		{"learned from whole records only", func(c *Config) { c.Players[0], c.Brief, c.Dir = "memory", true, t.TempDir() }},
		{"cannot create the folder", func(c *Config) { c.Dir = filepath.Join("doc.go", "x") }},
	} {
		cfg := good
		cfg.Players = slices.Clone(good.Players)
		c.change(&cfg)
		_, err := Run(t.Context(), cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with %q", err, c.want)
		}
	}
}

var update = flag.Bool("update", false, "write testdata/reports.txt anew")

// TestFormats compares printed reports with testdata/reports.txt.
func TestFormats(t *testing.T) {
	r := withoutTimes(runArena(t, Config{
		Format: RoundRobin, Players: []string{"easy", "prolog", "sweep"}, Games: 20, SPRT: &stats.SPRT{Elo0: 0, Elo1: 20},
	}))
	solo := withoutTimes(runArena(t, Config{
		Format: Solo, Players: []string{"prolog"}, Games: 20, Layouts: [2]match.Layout{match.Classic().RandomLayout(rand.New(rand.NewPCG(1, 2)))},
	}))
	// Processors round differently.
	solo.Results[0].SE = math.Round(solo.Results[0].SE*1e6) / 1e6
	data, err := solo.JSON()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join([]string{r.Text(), r.Markdown(), solo.Text(), string(data)}, "\n")
	const name = "testdata/reports.txt"
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if changes := diff.Diff("want", want, "got", []byte(got)); changes != nil {
		t.Errorf("go test -update accepts this:\n%s", changes)
	}
}

// TestHistogram checks a known distribution's histogram.
func TestHistogram(t *testing.T) {
	r := &Report{Results: []SoloResult{{Shots: Shots{Bot: "x", Games: 9, Histogram: stats.Counts{18: 1, 19: 2, 20: 4, 21: 2, 22: 0}}}}}
	want := "" +
		"     █\n" +
		"     █\n" +
		"    ███\n" +
		"x  ████\n" +
		"   ──┴─\n" +
		"     20\n"
	if got := r.Histogram(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := (&Report{}).Histogram(); got != "" {
		t.Errorf("nothing is drawn as %q", got)
	}
}

func TestMeter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		m := NewMeter(&b, 0)
		p := Progress{Done: 50, Total: 200, Rate: 12.5, Left: 12 * time.Second, Score: "a 3–2 b"}
		for range 11 {
			time.Sleep(15 * time.Second)
			m.Show(p)
		}
		m.Clear()
		want := strings.Repeat("50 of 200 games, 12.5 a second, a 3–2 b, 12s left\n", 2)
		if b.String() != want {
			t.Errorf("got %q, want %q", b.String(), want)
		}
	})
	var b bytes.Buffer
	m := NewMeter(&b, 60)
	m.Show(Progress{Done: 50, Total: 200, Rate: 123456, Score: strings.Repeat("long ", 20)})
	m.Clear()
	if s := b.String(); !strings.HasPrefix(s, "\r") || !strings.Contains(s, "50 of 200") || strings.Contains(s, "\n") || !strings.Contains(s, "…") {
		t.Errorf("a terminal is sent %q", s)
	}
}

// TestSoloAgainstMovingFleets checks that evading fleets cost more shots than stationary
// ones, and are the same for every player.
func TestSoloAgainstMovingFleets(t *testing.T) {
	cfg := Config{Format: Solo, Players: []string{"hilbert", "medium"}, Rules: match.Naval(), Games: 12, Seed: 2}
	mean := map[string]float64{}
	for _, cfg.Mover = range []string{"stay", "evade"} {
		r, err := Run(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Results {
			if r.Results[i].Failed > 0 {
				t.Errorf("got notes of %s %v, want none", r.Results[i].Bot, r.Results[i].Notes)
			}
			mean[cfg.Mover] += r.Results[i].Mean
		}
	}
	if mean["evade"] < mean["stay"]+20 {
		t.Errorf("mean numbers of shots: %v", mean)
	}
}
