package tournament

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"broadside/bots/arena"
	"broadside/internal/test/leaks"
	"broadside/match"
	"broadside/relay/client"
)

// asProgram makes the test binary a program that plays on standard input and output. Its value is the
// time that the program takes for a shot.
const asProgram = "TOURNAMENT_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if pause, err := time.ParseDuration(os.Getenv(asProgram)); err == nil {
		client.PlayStream(os.Stdin, os.Stdout, match.Classic(), func() client.Player { return sweep{pause} })
		os.Exit(0)
	}
	leaks.Main(m)
}

// sweep attacks one cell after another, up to the last row, where it has a ship itself.
type sweep struct{ pause time.Duration }

func (sweep) Place() (layout match.Layout) {
	for i, c := range match.Classic().Fleet {
		layout = append(layout, match.Ship{Stern: match.At(0, 9-2*i), Heading: match.East, Length: c.Length})
	}
	return layout
}
func (sweep) Observe(match.Cell, match.Result) {}
func (s sweep) Fire(chart *match.Chart) match.Cell {
	time.Sleep(s.pause)
	return chart.Open().Nth(0)
}

// plan parses a tournament file.
func plan(t *testing.T, text string) *Plan {
	t.Helper()
	return planIn(t, t.TempDir(), text)
}

// planIn parses a tournament file in a folder.
func planIn(t *testing.T, folder, text string) *Plan {
	t.Helper()
	p, err := parse([]byte(text), folder)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// names returns the players of a file with built-in bots only.
func names(all ...string) string {
	var b strings.Builder
	for _, name := range all {
		fmt.Fprintf(&b, "[[program]]\nname = %q\n", name)
	}
	return b.String()
}

// run plays a tournament to the end.
func run(t *testing.T, p *Plan, o Options) *Report {
	t.Helper()
	r, err := Run(t.Context(), p, o)
	if err != nil || r.Interrupted {
		t.Fatalf("%v, %+v", err, r)
	}
	return r
}

func TestFormats(t *testing.T) {
	t.Parallel()
	five := names("hard", "prolog", "medium", "easy", "sweep")
	for _, c := range []struct {
		head            string
		rounds, pairing int // the pairings of all rounds
	}{
		{`format = "roundrobin"`, 5, 10},
		{"format = \"round-robin\"\nrounds = 2", 10, 20},
		{`format = "gauntlet"`, 4, 4},
		{"format = \"swiss\"\nrounds = 3", 3, 6},
		{`format = "knockout"`, 3, 4},
	} {
		p := plan(t, c.head+"\ngames = 10\nseed = 3\n"+five)
		r := run(t, p, Options{Dir: filepath.Join(t.TempDir(), "new")})
		played := 0
		for _, round := range r.Rounds {
			played += len(round.Pairings)
			for _, g := range round.Pairings {
				sum := int64(0)
				for _, n := range g.Pairs {
					sum += n
				}
				if sum != 5 || g.Games != 10 {
					t.Errorf("%s: %+v", c.head, g)
				}
			}
		}
		if len(r.Rounds) != c.rounds || played != c.pairing || r.Games != 10*c.pairing || len(r.Table) != 5 || len(r.Ratings) != 5 {
			t.Errorf("%s: %d rounds with %d pairings and %d games, %+v", c.head, len(r.Rounds), played, r.Games, r.Table)
		}
		if final := r.Rounds[len(r.Rounds)-1].Pairings[0]; p.Format == Knockout && r.Champion != final.A && r.Champion != final.B {
			t.Errorf("%s has won the knockout, but the final was %s – %s", r.Champion, final.A, final.B)
		}
		if !strings.Contains(r.Text(), "hard") {
			t.Error(r.Text())
		}
	}
}

// TestResume checks that a tournament that is interrupted in its second round continues like the
// same tournament without an interruption.
func TestResume(t *testing.T) {
	t.Parallel()
	var p *Plan
	var r *Report
	var dir string
	games := 200
	// With few games, the round may end before it is interrupted.
	for r == nil || !r.Interrupted || len(r.Rounds) != 2 {
		if games *= 2; games > 50_000 {
			t.Fatalf("not interrupted in the second round: %+v", r)
		}
		p = plan(t, fmt.Sprintf("format = \"swiss\"\nrounds = 3\ngames = %d\nseed = 5\n", games)+names("hard", "prolog", "medium", "easy"))
		folder := filepath.Join(t.TempDir(), "new")
		dir = folder
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for ctx.Err() == nil {
				if info, err := os.Stat(filepath.Join(folder, "round-2", "games.jsonl")); err == nil && info.Size() > 0 {
					break
				}
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		var err error
		r, err = Run(ctx, p, Options{Dir: folder})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Run(t.Context(), p, Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "--resume") {
		t.Errorf("the folder is used again: %v", err)
	}
	last := 0
	progress := func(round int, _ arena.Progress) { last = round }
	got, want := run(t, p, Options{Dir: dir, Resume: true}), run(t, p, Options{Dir: filepath.Join(t.TempDir(), "other"), Progress: progress})
	if last != 3 {
		t.Errorf("the last progress is of round %d, want 3", last)
	}
	summary := func(r *Report) string {
		var all []any
		for _, round := range r.Rounds {
			for _, g := range round.Pairings {
				all = append(all, round.Number, g.A, g.B, g.Wins, g.Losses, g.Pairs)
			}
		}
		return fmt.Sprint(all, r.Table, r.Ratings)
	}
	if summary(got) != summary(want) {
		t.Errorf("continued:\n%s\nat once:\n%s", summary(got), summary(want))
	}
	var written Report
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil || json.Unmarshal(text, &written) != nil || written.Games != 6*games {
		t.Errorf("%v, %s", err, text)
	}
}

// TestPrograms plays with a program, its folder and its environment, and ends each pairing with
// a test.
func TestPrograms(t *testing.T) {
	t.Parallel()
	head := "games = 400\n[sprt]\nelo0 = -50\nelo1 = 50\nalpha = 0.01\nbeta = 0.1\n[limits]\nmove = \"1m\"\n"
	p := plan(t, head+names("hard")+fmt.Sprintf("[[program]]\nname = \"it\"\ncommand = \"'%s'\"\ndir = \"/\"\nenv = {%s = \"0s\"}\nmove = \"2m\"\n", os.Args[0], asProgram))
	g := run(t, p, Options{Dir: filepath.Join(t.TempDir(), "new")}).Rounds[0].Pairings[0]
	if g.SPRT == nil || g.SPRT.Decision != "elo1" || g.Games >= 400 || g.Forfeits.A+g.Forfeits.B > 0 || g.SPRT.Upper < 4.4 || g.SPRT.Lower < -2.3 {
		t.Errorf("%+v, %+v", g, g.SPRT)
	}
}

// TestTotalClock checks that a slow program whose shots are all in time loses when its total time has run
// out, unless that grows with each shot, and that a quick program's clock does not run while it waits.
func TestTotalClock(t *testing.T) {
	t.Parallel()
	for increment, want := range map[string]int64{"1ms": 2, "1m": 0} {
		t.Run(increment, func(t *testing.T) {
			t.Parallel()
			text := fmt.Sprintf("games = 2\n[limits]\nmove = \"1m\"\ntotal = \"2s\"\nincrement = %q\n", increment)
			for name, pause := range map[string]string{"slow": "40ms", "quick": "0s"} {
				text += names(name) + fmt.Sprintf("command = \"'%s'\"\nenv = {%s = %q}\n", os.Args[0], asProgram, pause)
			}
			r := run(t, plan(t, text), Options{Dir: filepath.Join(t.TempDir(), "new")})
			forfeits := map[string]int64{}
			for _, row := range r.Table {
				forfeits[row.Player] = row.Forfeits
			}
			if forfeits["slow"] != want || forfeits["quick"] != 0 || strings.Contains(r.Text(), "slow: it has used up its total time") != (want > 0) {
				t.Errorf("forfeits %v, want %d of slow\n%s", forfeits, want, r.Text())
			}
		})
	}
}

// TestStarts plays with a start-layouts file. Both games of a pair have the same fleets, with
// sides swapped.
func TestStarts(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	fleets := []string{
		"carrier A1 A5; battleship C1 C4; cruiser E1 E3; submarine G1 G3; destroyer I1 I2 # first",
		"carrier B1 B5; battleship D1 D4; cruiser F1 F3; submarine H1 H3; destroyer J1 J2",
	}
	if err := os.WriteFile(filepath.Join(folder, "starts.txt"), []byte("# two fleets\r\r"+strings.Join(fleets, "\r\n")+"\r"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := parse([]byte("games = 4\rstarts = \"starts.txt\"\r\n"+names("hard", "easy")), folder)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "new")
	run(t, p, Options{Dir: dir})
	f, err := os.Open(filepath.Join(dir, "round-1", "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	games := 0
	err = arena.ReadRecords(f, func(r *arena.Record, _ int64) error {
		g, err := r.Replay()
		if err != nil {
			return err
		}
		games++
		for side, name := range r.Players {
			row := byte(slices.Index([]string{"hard", "easy"}, name) ^ r.Game) // of the carrier
			if got := g.View(match.Nobody).Fleets[side][0].Cells().Nth(0).Y; byte(got) != row {
				t.Errorf("game %d of pair %d: %s has its carrier in row %d, want %d", r.Game, r.Unit, name, got, row)
			}
		}
		return nil
	})
	if err != nil || games != 4 {
		t.Errorf("%d games, %v", games, err)
	}
	for text, want := range map[string]string{"carrier A1 A9\n": "starts.txt, line 1: ", fleets[0] + "\n": "has 1 fleets: write two", "player 1; " + fleets[1] + "; player 2; " + fleets[1]: "line 1: there are two fleets", "": "has 0 fleets"} {
		if err := os.WriteFile(filepath.Join(folder, "starts.txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := parse([]byte("starts = \"starts.txt\"\n"+names("hard", "easy")), folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestBrokenPrograms checks that programs that cannot be started, never send a message or stop playing
// forfeit their games, that the others play theirs, and that the report says who forfeited and why. The
// tournament can then be resumed.
func TestBrokenPrograms(t *testing.T) {
	t.Parallel()
	broken := map[string]struct{ command, note string }{
		"missing": {"/no/such/program", "missing: start: it cannot be started"},
		"exits":   {"sh -c 'echo no licence >&2; exit 3'", "exits: crash: it ended during the game: exit status 3: no licence"},
		"hangs":   {"sleep 600", "hangs: hang: it did not respond in time"},
		"babbles": {"echo hello", `babbles: it sent "hello" before it had a role`},
		"unnamed": {"unknown-command", "unnamed: start: it cannot be started"},
	}
	text := "games = 4\nconcurrency = 1\n[limits]\nmove = \"300ms\"\n" + names("hard", "easy")
	for name, p := range broken {
		text += names(name) + fmt.Sprintf("command = %q\n", p.command)
	}
	folder, dir := t.TempDir(), filepath.Join(t.TempDir(), "new")
	r := run(t, planIn(t, folder, text), Options{Dir: dir})
	said := r.Text()
	for name, p := range broken {
		row := r.Table[slices.IndexFunc(r.Table, func(row Row) bool { return row.Player == name })]
		// It meets the two bots in 8 games, and the other broken programs in 16.
		if row.Forfeits < 8 || row.Forfeits > 24 || row.Won+row.Drawn+row.Lost != 6 || !strings.Contains(said, p.note) {
			t.Errorf("%s has the row %+v, want 8 to 24 forfeits in 6 pairings and the note %q in\n%s", name, row, p.note, said)
		}
	}
	if first, second := r.Table[0], r.Table[1]; first.Player != "hard" || first.Won != 6 || second.Player != "easy" || second.Forfeits != 0 || r.Games != 4*21 {
		t.Errorf("got %d games and the table below, want %d, and hard before easy\n%s", r.Games, 4*21, said)
	}
	if again := run(t, planIn(t, folder, text), Options{Dir: dir, Resume: true}); again.Text() != said {
		t.Errorf("the resumed tournament has the report\n%s\nwant\n%s", again.Text(), said)
	}
}

// TestFolderInUse checks that errors about a folder name it, and the setting that differs.
func TestFolderInUse(t *testing.T) {
	t.Parallel()
	folder, dir := t.TempDir(), filepath.Join(t.TempDir(), "new")
	text := "games = 2\n" + names("hard", "easy", "it") + "command = \"sh player.sh\"\n"
	run(t, planIn(t, folder, text), Options{Dir: dir})
	for changed, want := range map[string]string{
		text:                             dir + " holds a tournament already: add --resume to continue it, or remove that folder",
		"format = \"knockout\"\n" + text: `format is "round-robin" there, not "knockout": change that back, or remove the folder`,
		"seed = 7\n" + text:              "seed is 0 there, not 7",
		strings.Replace(text, "games = 2", "games = 4", 1): "games is 2 there, not 4",
		strings.Replace(text, "easy", "medium", 1):         "players is ",
		strings.Replace(text, "player.sh", "other.sh", 1):  `programs.it is "stdio:sh player.sh`,
	} {
		_, err := Run(t.Context(), planIn(t, folder, changed), Options{Dir: dir, Resume: changed != text})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", changed, err, want)
		}
	}
	unplayed := filepath.Join(t.TempDir(), "unplayed")
	if _, err := Run(t.Context(), plan(t, names("hard", "nobody")), Options{Dir: unplayed}); err == nil {
		t.Error("a bot that does not exist plays")
	}
	run(t, plan(t, "games = 2\n"+names("hard", "easy")), Options{Dir: unplayed})
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	two := names("hard", "easy")
	for text, want := range map[string]string{
		"games = \"many\"\n" + two:                  "line 1: ",
		"game = 3\n" + two:                          "line 1: there is no key game",
		"format = \"cup\"\n" + two:                  "there is no format \"cup\": choose one of [round-robin gauntlet swiss knockout]",
		"rules = \"chess\"\n" + two:                 "chess",
		"rounds = -1\n" + two:                       "-1 rounds",
		"rounds = 5000\n" + two:                     "5000 rounds",
		"[limits]\nmove = \"soon\"\n" + two:         "soon",
		"[limits]\nmove = \"-1s\"\n" + two:          "-1s is not greater than 0",
		"[limits]\ntotal = \"0s\"\n" + two:          "0s is not greater than 0",
		names("hard"):                               "needs two players",
		names("hard", "hard"):                       "hard takes part twice",
		strings.Repeat(names("hard"), 101):          "can have 100 players, not 101",
		"starts = \"nowhere\"\n" + two:              "reading the start layouts",
		"format = \"knockout\"\nrounds = 2\n" + two: "leave them out",
	} {
		if _, err := parse([]byte(text), t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"games = -1\n" + two:                 "choose 1 or more",
		names("hard", "nobody"):              "nobody",
		"[sprt]\nelo0 = 5\nelo1 = 1\n" + two: "the lower first",
		two + "command = \"true\"\n":         "built-in bot",
	} {
		if _, err := Run(t.Context(), plan(t, text), Options{Dir: filepath.Join(t.TempDir(), "new")}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := ReadFile("nowhere.toml"); err == nil {
		t.Error("a file that does not exist is read")
	}
}
