package arena

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/relay/client"
)

// behave acts as a program in a tournament, in the test binary that the arena has started.
func behave(behaviour string) {
	address := os.Getenv("BROADSIDE_RELAY")
	if file := os.Getenv("ARENA_TEST_PIDS"); file != "" {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		child := exec.Command("sleep", "1000") // so that it ends with its parent
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Fprintf(f, "%d\n%d\n", os.Getpid(), child.Process.Pid)
		f.Close()
	}
	rules := match.Classic()
	if behaviour == "salvo" {
		rules, behaviour = match.Salvo(), "series"
	}
	honest := func() error {
		bot, err := bots.New("hard", bots.Config{Rules: rules, Rand: rand.New(rand.NewPCG(rand.Uint64(), 1))})
		if err != nil {
			panic(err)
		}
		_, err = client.Play(context.Background(), address, rules, bot)
		return err
	}
	switch behaviour {
	case "stdio one game":
		playStdio(rules, 1)
		return
	case "stdio series":
		playStdio(rules, 1000)
		return
	case "one game": // a process for each game
		honest()
		return
	case "series": // connects again for each
		for honest() == nil {
		}
		return
	case "absent":
		fmt.Fprintln(os.Stderr, "no licence \x1b[31mfound")
		os.Exit(3)
	case "asleep":
		time.Sleep(time.Hour)
	}
	var nc io.ReadWriter = struct {
		io.Reader
		io.Writer
	}{os.Stdin, os.Stdout}
	if address != "" {
		var err error
		if nc, err = net.Dial("tcp", address); err != nil {
			panic(err)
		}
	}
	if behaviour == "mute" {
		time.Sleep(time.Hour)
	}
	say := func(format string, args ...any) { fmt.Fprintf(nc, format, args...) }
	if behaviour == "uniform" {
		say("%% hello broadside/1 name=test\n%% rules classic\n%% rules chess\n%% juggle\n%% games 3\n%% layout uniform\n%% ready\n")
	}
	lines := bufio.NewScanner(nc)
	shots, first := 0, false
	attack := func() {
		switch shots++; {
		case behaviour == "crash" && shots == 5:
			fmt.Fprintln(os.Stderr, "no fuel")
			os.Exit(2)
		case behaviour == "hang" && shots == 5:
			time.Sleep(time.Hour)
		case behaviour == "off" && shots == 5:
			say("(1,[10,3]).\n")
		case behaviour == "nonsense" && shots == 5:
			say("BANG\n")
		case behaviour == "flood" && shots == 5:
			for {
				fmt.Fprintln(os.Stderr, strings.Repeat("x", 1000))
			}
		case behaviour == "long" && shots == 5:
			say("%s\n", strings.Repeat("x", 1000))
		case behaviour == "turn" && shots == 5:
			say("(2,[1,1,1]).\n")
		default:
			say("(1,[%d,%d]).\n", (shots-1)%10, (shots-1)/10%10)
		}
	}
	for lines.Scan() {
		var x, y, r int
		switch line := lines.Text(); {
		case line == "(4,[]).":
			first = true
		case line == "(5,[])." && first:
			attack()
		case strings.HasPrefix(line, "(1,"):
			fmt.Sscanf(line, "(1,[%d,%d]).", &x, &y)
			switch behaviour {
			case "uniform": // the arena answers for it
			case "liar":
				say("(2,[%d,%d,2]).\n", x, y) // nothing but hits
			case "elsewhere":
				say("(2,[%d,%d,1]).\n", 9-x, y)
			case "result":
				say("(2,[%d,%d,7]).\n", x, y)
			default:
				say("(2,[%d,%d,1]).\n", x, y)
			}
			attack()
		case strings.HasPrefix(line, "(2,"):
			fmt.Sscanf(line, "(2,[%d,%d,%d]).", &x, &y, &r)
		}
	}
}

// playStdio plays games on standard input and output.
func playStdio(rules match.Rules, games int) {
	lines := client.NewLines(os.Stdin)
	var bot bots.Bot
	var fleet *match.Fleet
	var chart match.Chart
	attacks := false
	fire := func() { os.Stdout.Write(client.Message{Op: client.Attack, Cell: bot.Fire(&chart)}.Append(nil)) }
	for games > 0 {
		line, err := lines.Next()
		if err != nil {
			return
		}
		m, err := client.Parse(line)
		if err != nil {
			panic(err)
		}
		switch m.Op {
		case client.Defend, client.Assault:
			rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
			if bot, err = bots.New("hard", bots.Config{Rules: rules, Rand: rng}); err != nil {
				panic(err)
			}
			fleet, chart, attacks = match.NewFleet(rules.RandomLayout(rng)), match.NewChart(rules), m.Op == client.Assault
		case client.Start:
			if attacks {
				fire()
			}
		case client.Attack:
			m.Op, m.Result = client.Result, fleet.Shoot(m.Cell)
			os.Stdout.Write(m.Append(nil))
			if m.Result == match.LastSunk {
				games--
			} else {
				fire()
			}
		case client.Result:
			chart.Record(m.Cell, m.Result)
			bot.Observe(m.Cell, m.Result)
			if m.Result == match.LastSunk {
				games--
			}
		}
	}
}

// testProgram returns the command of the test binary, with variables of its environment.
func testProgram(t *testing.T, behaviour string, more ...string) string {
	t.Helper()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("env %s='%s' %s '%s'", asProgram, behaviour, strings.Join(more, " "), self)
}

func TestProgramsTakePart(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"one game", "series", "salvo", "stdio one game", "stdio series"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			it := External{Command: testProgram(t, behaviour), Stdio: strings.HasPrefix(behaviour, "stdio")}
			cfg := Config{
				Mode: RoundRobin, Players: []string{"us", "easy", "them"}, Games: 4, Concurrency: 2, Dir: filepath.Join(t.TempDir(), "new"),
				Externals: map[string]External{"us": it, "them": it},
			}
			if behaviour == "salvo" {
				cfg.Rules = match.Salvo()
			}
			r := run(t, cfg)
			for _, p := range r.Pairings {
				if behaviour == "salvo" && p.Rounds.Mean >= p.Sides[0].Mean/2 {
					t.Errorf("%.1f shots in %.1f rounds are no salvos", p.Sides[0].Mean, p.Rounds.Mean)
				}
				if p.Games != 4 || p.Forfeits.A+p.Forfeits.B+p.Draws > 0 || p.Wins+p.Losses != 4 {
					t.Errorf("%s against %s: %+v", p.A, p.B, p)
				}
				if p.Sides[0].Mean < 17 || p.Sides[0].NsPerMove <= 0 {
					t.Errorf("%+v", p.Sides)
				}
			}
			if p := r.Pairings[0]; p.Wins < 3 { // easy needs 95 shots
				t.Errorf("the program has won %d of 4 games against easy, want at least 3", p.Wins)
			}
			for _, rec := range records(t, cfg.Dir) {
				if g, err := rec.Replay(); err != nil || g.Phase() != match.Over {
					t.Errorf("the record of %v cannot be replayed: %v", rec.Players, err)
				}
			}
		})
	}
}

// TestProgramsThatDoWrong runs programs that each break a rule. Each loses its game for
// that reason, and the tournament continues.
func TestProgramsThatDoWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ behaviour, reason, note string }{
		{"crash", "hangup", "crash: it ended during the game: exit status 2: no fuel"},
		{"hang", "silent", "hang: it did not respond in time"},
		{"off", "cell", "not on the board"},
		{"nonsense", "malformed", "BANG"},
		{"long", "too-long", "256"},
		{"turn", "turn", "it sent (2,[1,1,1])., but an attack is due"},
		{"liar", "contradiction", "cannot all be true"},
		{"elsewhere", "wrong-cell", "different cell"},
		{"result", "parameters", "a result must be"},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			t.Parallel()
			cfg := Config{
				Mode: Duel, Players: []string{"hard", "it"}, Games: 2, Concurrency: 1,
				Externals:      map[string]External{"it": {Command: testProgram(t, c.behaviour)}},
				ConnectTimeout: patience, MoveTimeout: patience,
			}
			play := run
			if c.behaviour == "hang" {
				play = runHanging
			}
			p := play(t, cfg).Pairings[0]
			if p.Games != 2 || p.Wins != 2 || p.Forfeits.B != 2 || p.Forfeits.ReasonsB[c.reason] != 2 {
				t.Errorf("%d of 2 won, forfeits %+v, want 2 for %q; notes %q", p.Wins, p.Forfeits, c.reason, p.Notes)
			}
			if len(p.Notes) == 0 || !strings.HasPrefix(p.Notes[0], "it: ") || !strings.Contains(p.Notes[0], c.note) {
				t.Errorf("the notes are %q, want one with %q", p.Notes, c.note)
			}
		})
	}
}

// TestProgramsOnStdioThatDoWrong runs programs that fail on standard input and output. Each
// loses its games, and the report and a file say why.
func TestProgramsOnStdioThatDoWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ behaviour, reason, note string }{
		{"crash", "hangup", "crash: it ended during the game: exit status 2: no fuel"},
		{"hang", "silent", "hang: it did not respond in time"},
		{"nonsense", "malformed", `garbage: it sent "BANG"`},
		{"flood", "hangup", "flood: it wrote more than 1024 KiB to standard error"},
		{"off", "cell", "not on the board"},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			t.Parallel()
			cfg := Config{
				Mode: Duel, Players: []string{"hard", "it"}, Games: 2, Concurrency: 1, Dir: filepath.Join(t.TempDir(), "new"),
				Externals:   map[string]External{"it": {Command: testProgram(t, c.behaviour), Stdio: true}},
				MoveTimeout: patience,
			}
			play := run
			if c.behaviour == "hang" {
				play = runHanging
			}
			p := play(t, cfg).Pairings[0]
			if p.Wins != 2 || p.Forfeits.ReasonsB[c.reason] != 2 || len(p.Notes) == 0 || !strings.Contains(p.Notes[0], c.note) {
				t.Errorf("forfeits %+v, notes %q", p.Forfeits, p.Notes)
			}
			said, _ := os.ReadFile(filepath.Join(cfg.Dir, "stderr-it.txt"))
			if c.behaviour == "crash" && string(said) != "no fuel\n" {
				t.Errorf("its standard error is %q", said)
			}
		})
	}
}

// TestProgramsThatNeverPlay runs programs that cannot be started or never send a message. They
// end the tournament with an error.
func TestProgramsThatNeverPlay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		behaviour, want string
		stdio           bool
	}{
		{"missing", "no such file", false},
		{"missing", "start: it cannot be started", true},
		{"mute", "hang: it did not respond in time", false},
		{"mute", "hang: it did not respond in time", true},
		{"asleep", "does not connect", false},
		{"absent", "exit status 3: no licence \\x1b[31mfound", false},
		{"absent", "crash: it ended during the game: exit status 3: no licence \\x1b[31mfound", true},
		{"plain in salvo", "% rules salvo", false},
	} {
		t.Run(fmt.Sprint(c.behaviour, c.stdio), func(t *testing.T) {
			t.Parallel()
			it := External{Command: testProgram(t, c.behaviour), Stdio: c.stdio}
			cfg := Config{Mode: Duel, Players: []string{"hard", "it"}, Games: 2, ConnectTimeout: patience, MoveTimeout: patience}
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
			for c.behaviour == "plain in salvo" && cfg.ConnectTimeout < patience && strings.Contains(fmt.Sprint(err), "does not connect") {
				cfg.ConnectTimeout *= 2 // the machine is busy
				_, err = Run(t.Context(), cfg)
			}
			if err == nil || !strings.HasPrefix(err.Error(), "the program it does not play: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
		})
	}
}

// TestProgramWithoutAFleet lets the arena place the program's fleet. Layouts are swapped as
// between built-in bots.
func TestProgramWithoutAFleet(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	r := run(t, Config{
		Mode: Duel, Players: []string{"it", "easy"}, Games: 2, Dir: dir,
		Externals: map[string]External{"it": {Command: testProgram(t, "uniform")}}, hello: patience,
	})
	if p := r.Pairings[0]; p.Forfeits.A+p.Forfeits.B > 0 {
		t.Fatalf("%+v", p)
	}
	var fleets [2]match.Layout
	for i, rec := range records(t, dir) {
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
