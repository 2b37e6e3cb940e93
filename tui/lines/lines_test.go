package lines

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/rogpeppe/go-internal/diff"

	"broadside/internal/i18n"
	"broadside/internal/test/leaks"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd/command"
	"broadside/tui/term"
)

var update = flag.Bool("update", false, "rewrite testdata/help.txt")

func TestMain(m *testing.M) { leaks.Main(m) }

// testPlayer is a player in line mode.
type testPlayer struct {
	t       testing.TB
	console *term.Console
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu sync.Mutex
	// output is guarded by mu. It lacks what waitFor has found.
	output string
	// changed is guarded by mu. It is closed and replaced on output.
	changed chan struct{}
}

// Write implements [io.Writer].
func (p *testPlayer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.output += string(b)
	close(p.changed)
	p.changed = make(chan struct{})
	return len(b), nil
}

func connectPlayer(t testing.TB, l *lobby.Lobby, name string, rules match.Rules) *testPlayer {
	at := session.Config{Lobby: l, Player: account.Player{ID: "key " + name, Name: name}, Client: session.Client{WatchPace: WatchPace}}
	return startSession(t, Config{Session: session.New(at), Settings: account.Settings{Rules: rules}})
}

// startSession starts a session with its own console. It ends with the test.
func startSession(t testing.TB, cfg Config) *testPlayer {
	ctx, cancel := context.WithCancel(context.Background())
	p := &testPlayer{t: t, cancel: cancel, changed: make(chan struct{})}
	p.console = term.NewConsole(p, false, nil)
	cfg.Console, cfg.Commands = p.console, command.New(command.Config{})
	s := New(ctx, cfg)
	p.running.Go(func() { s.Run(); cancel() })
	t.Cleanup(p.disconnect)
	return p
}

// disconnect ends the session as a lost connection does.
func (p *testPlayer) disconnect() {
	p.cancel()
	p.running.Wait()
}

func (p *testPlayer) typeText(ctx context.Context, text string) { p.console.Feed(ctx, []byte(text)) }

func (p *testPlayer) enterLines(lines ...string) {
	for _, l := range lines {
		p.typeText(p.t.Context(), l+"\n")
	}
}

// patience is the maximum time of every wait, for tests that hang.
const patience = 10 * time.Minute

// waitFor waits until all texts have appeared, in this order, and consumes the output up to there.
func (p *testPlayer) waitFor(texts ...string) {
	p.t.Helper()
	late := time.After(patience)
	for _, want := range texts {
		for {
			p.mu.Lock()
			at, changed, said := strings.Index(p.output, want), p.changed, p.output
			if at >= 0 {
				p.output = p.output[at+len(want):]
			}
			p.mu.Unlock()
			if at >= 0 {
				break
			}
			select {
			case <-changed:
			case <-late:
				p.t.Fatalf("timed out waiting for %q; got:\n%s", want, said)
			}
		}
	}
}

// waitForMatch waits for output that matches a pattern, and returns the pattern's group.
func (p *testPlayer) waitForMatch(pattern string) string {
	p.t.Helper()
	re := regexp.MustCompile(pattern)
	for late := time.After(patience); ; {
		p.mu.Lock()
		found, changed, said := re.FindStringSubmatch(p.output), p.changed, p.output
		p.mu.Unlock()
		if found != nil {
			return found[1]
		}
		select {
		case <-changed:
		case <-late:
			p.t.Fatalf("timed out waiting for %q; got:\n%s", pattern, said)
		}
	}
}

func (p *testPlayer) checkNotShown(text string) {
	p.t.Helper()
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	if strings.Contains(p.output, text) {
		p.t.Errorf("output has %q:\n%s", text, p.output)
	}
}

const fleet = "carrier A1 A5\nbattleship C1 C4\ncruiser E1 E3\nsubmarine G1 G3\ndestroyer I1 I2\nready"

// startMatch starts a match of ann against bob, who fires first.
func startMatch(t testing.TB, l *lobby.Lobby, rules match.Rules) (ann, bob *testPlayer) {
	ann = connectPlayer(t, l, "ann", rules)
	ann.enterLines("play")
	ann.waitFor("Waiting for an opponent")
	bob = connectPlayer(t, l, "bob", rules)
	bob.enterLines("play", fleet)
	bob.waitFor("Your fleet is placed: ", "ann is still placing ships.")
	ann.enterLines(fleet)
	bob.waitFor("Your turn.")
	return ann, bob
}

// runInLobby runs a test with a lobby and a clock that the test controls.
func runInLobby(t *testing.T, cfg lobby.Config, test func(t *testing.T, l *lobby.Lobby)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(cfg)
		t.Cleanup(l.Close) // after the sessions have ended
		test(t, l)
	})
}

func TestCountdownRemindsPlayer(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann, bob := startMatch(t, l, match.Classic().WithClock(30*time.Second))
		bob.waitFor("You have 30 seconds.")
		began := time.Now()
		bob.waitFor("Time left: 10 seconds.")
		if d := time.Since(began).Round(time.Second); d != 20*time.Second {
			t.Errorf("reminder after %v, want 20s", d)
		}
		bob.enterLines("time")
		bob.waitFor("You have 10 seconds.", "Time left: 5 seconds.")
		ann.checkNotShown("seconds left")
		bob.waitFor("Time is up.")
		ann.waitFor("Time is up. bob fired at", "Your turn. You have 30 seconds.")
	})
}

func TestPlacingIsTimed(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann := connectPlayer(t, l, "ann", match.Classic())
		ann.enterLines("bot easy")
		ann.waitFor("You have 5 minutes.", "Time left: 60 seconds.", "Time left: 10 seconds.", "Time left: 5 seconds.", "Your fleet is placed: ", "Your turn.")
	})
}

func TestAbsentOpponentLosesByClaim(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann, bob := startMatch(t, l, match.Classic())
		ann.enterLines("claim")
		ann.waitFor("You cannot claim the win")
		bob.disconnect()
		ann.waitFor("bob lost the connection.", "You can claim the win in 60 seconds.")
		ann.waitFor("bob has been away too long. Type claim to claim the win, or keep waiting.")
		bob = connectPlayer(t, l, "bob", match.Classic())
		bob.waitFor("Welcome back. Your match continues.", "Your turn.", "You have 5 ships left.")
		ann.waitFor("bob is back.")
		bob.disconnect()
		ann.waitFor("bob has been away too long.")
		ann.enterLines("claim")
		ann.waitFor("You won.", "bob left and did not come back.")
	})
}

// TestPlacingByDirection checks that ships can be placed by first cell and direction, in pasted text with
// carriage returns.
func TestPlacingByDirection(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann := connectPlayer(t, l, "ann", match.Classic())
		ann.enterLines("bot easy")
		ann.waitFor("Place your fleet")
		ann.typeText(t.Context(), "place carrier A1 ost\rBattleship C4 W\rplace Kreuzer E1 O\rsubmarine (0,6), E\rdestroyer J1 n\rready\r")
		ann.waitFor("The carrier is at A1 to A5.", "The battleship is at C4 to C1.", "The cruiser is at E1 to E3.",
			"The submarine is at G1 to G3.", "The destroyer is at J1 to I1.", "Your fleet is placed: ")
		ann.waitFor("Your turn.")
		ann.enterLines("Z9", "fire a11")
		ann.waitFor("There is no cell Z9", "There is no cell A11")
		ann.checkNotShown("water")
		ann.checkNotShown("hit")
	})
}

// TestWatchedBotMatchIsListed checks that a match of two bots is in the list while a player watches it, and
// that its number opens it.
func TestWatchedBotMatchIsListed(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann, bob := connectPlayer(t, l, "ann", match.Classic()), connectPlayer(t, l, "bob", match.Classic())
		l.Announce("Tea is ready.")
		ann.waitFor("The operator says: Tea is ready.")
		ann.enterLines("matches")
		ann.waitFor("No match is running. Type watch to see two bots play.")
		bob.enterLines("watch")
		bob.waitFor("You are watching")
		time.Sleep(5 * time.Second)
		ann.checkNotShown("operator")
		ann.enterLines("matches")
		first := ann.waitForMatch(`(?m)^1, (\w+) \(.* – `)
		ann.waitFor("Type: watch NAME, or watch NUMBER.")
		ann.enterLines("watch 1")
		ann.waitFor("You are watching", first)
	})
}

// TestRemarksOffSilencesBots checks that a bot comments on the result, unless the player does not want that.
func TestRemarksOffSilencesBots(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann := connectPlayer(t, l, "ann", match.Classic())
		ann.enterLines("bot easy", "place random", "resign", "resign")
		ann.waitFor("You resigned.", "easy says: I won? What a day!")
		ann.enterLines("remarks off", "bot easy", "place random", "resign", "resign")
		ann.waitFor("Bots say nothing now.", "You resigned.")
		ann.checkNotShown("easy says")
	})
}

// TestConfirmationAnswersLastQuestion checks that only a command right after its question confirms it, even
// if commands are queued.
func TestConfirmationAnswersLastQuestion(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann := connectPlayer(t, l, "ann", match.Classic())
		ann.enterLines("bot easy", "resign", "place random", "resign", "fire A1")
		ann.waitFor("Resign this match?", "Your fleet is placed: ", "Resign this match?", "You fired at A1: ")
		ann.enterLines("resign")
		ann.waitFor("Resign this match?")
		ann.checkNotShown("You resigned.")
	})
}

// TestQueueRunsAfterEndOfInput checks that all commands are executed before the player leaves the match.
func TestQueueRunsAfterEndOfInput(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		ann, bob := startMatch(t, l, match.Classic())
		bob.enterLines("a1", "b1", "wait", "board row A")
		bob.console.EndInput(t.Context())
		bob.waitFor("You fired at A1: hit.")
		ann.waitFor("Your turn.")
		ann.enterLines("a1")
		bob.waitFor("You fired at B1: miss.")
		bob.checkNotShown("Row A")
		ann.waitFor("Your turn.")
		ann.enterLines("a2")
		bob.waitFor("Row A: 1 to 2 carrier hit, 3 to 5 carrier, 6 to 10 water.", "You left the match. Reconnect within 60 seconds to continue it.")
		bob.running.Wait()
		ann.waitFor("bob lost the connection.")
		bob.disconnect()
	})
}

// TestServerEndsMatch checks that both players are told when the server ends a match.
func TestServerEndsMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1})
		ann, bob := startMatch(t, l, match.Classic())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_ = l.Drain(ctx)
		ann.waitFor("No one won.", "The server ended the match.")
		bob.waitFor("No one won.")
		ann.disconnect()
		bob.disconnect()
		l.Close()
	})
}

// TestConsoleUsesChosenLanguage checks that the console's own messages are in the chosen language, too.
func TestConsoleUsesChosenLanguage(t *testing.T) {
	runInLobby(t, lobby.Config{}, func(t *testing.T, l *lobby.Lobby) {
		ann := connectPlayer(t, l, "ann", match.Classic())
		away := i18n.NewMessage("You were inactive for too long. Come back any time.")
		ann.console.PrintMessage(away)
		ann.waitFor("You were inactive for too long.")
		ann.enterLines("language de")
		ann.waitFor("Die Sprache ist Deutsch.")
		ann.console.PrintMessage(away)
		ann.waitFor("Du warst zu lange inaktiv.")
	})
}

// allCommands returns all commands. They cannot be executed.
func allCommands() (commands []command.Command) {
	s := &Session{player: &player{output: &output{}}}
	for _, t := range mergeTopics(s.commandTopics(), command.New(command.Config{}).LineModeTopics()) {
		commands = append(commands, t.Commands...)
	}
	return commands
}

// TestCommandsAreDistinct checks that no word means two commands, no command is a cell name, and all have a
// description.
func TestCommandsAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range allCommands() {
		for _, name := range append(strings.Fields(c.Aliases), c.Name) {
			if seen[name] {
				t.Errorf("two commands are called %s", name)
			}
			seen[name] = true
			if _, err := match.ParseCell(name); err == nil {
				t.Errorf("command %s is also a cell name", name)
			}
		}
		if len(c.Forms) == 0 || c.Forms[0].Summary == "" {
			t.Errorf("command %s has no description", c.Name)
		}
	}
}

// randomLine returns a line that a player might type.
func randomLine(rng *rand.Rand) string {
	commands := allCommands()
	words := []string{"--json", "--vs easy", "--list", "A1", "j10", "row b", "random", "carrier A1 A5", "5 c1 down", "easy", "bob", "1", "-1", "on", "off", "permanently", "ü", "for", "K3F9", "naval", "hasbro", "pass", "moves"}
	line := commands[rng.IntN(len(commands))].Name
	if line == "quit" && rng.IntN(10) > 0 {
		line = "fire"
	}
	if rng.IntN(4) == 0 {
		line = line[:1+rng.IntN(len(line))]
	}
	for range rng.IntN(3) {
		line += " " + words[rng.IntN(len(words))]
	}
	return line
}

// TestRandomLines checks that the output is complete lines of text, and that nothing hangs or panics, when two
// players type random lines.
func TestRandomLines(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { enterRandomLines(t, seed, 300) })
		})
	}
}

func enterRandomLines(t *testing.T, seed uint64, lines int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	l := lobbytest.Open(lobby.Config{Seed: seed + 1, BotPace: -1, Store: storetest.Open(t)})
	defer l.Close()
	people := []*testPlayer{connectPlayer(t, l, "ann", match.Classic()), connectPlayer(t, l, "bob", match.Classic())}
	for range lines {
		i := rng.IntN(len(people))
		p := people[i]
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		p.typeText(ctx, randomLine(rng)+"\n")
		cancel()
		synctest.Wait()
		time.Sleep(time.Duration(rng.IntN(3)) * time.Second)
		p.checkOutput(t)
		if rng.IntN(40) == 0 {
			p.disconnect()
			people[i] = connectPlayer(t, l, []string{"ann", "bob"}[i], match.Classic())
		}
	}
	for _, p := range people {
		p.disconnect()
		p.checkOutput(t)
	}
}

// checkOutput checks that the output is complete lines of text, and consumes it.
func (p *testPlayer) checkOutput(t testing.TB) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for line := range strings.Lines(p.output) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case text == line || text == "":
			t.Errorf("%q is not a complete line", line)
		case strings.Contains(text, "%!") || strings.Contains(text, "  ") || strings.ContainsFunc(text, unicode.IsControl):
			t.Errorf("output %q", text)
		}
	}
	p.output = ""
}

func FuzzSession(f *testing.F) {
	f.Add("bot easy\nplace random\nfire A1\nboard\n")
	f.Add("play\ncancel\nroom\nhelp fire\nwatch\nchart row Z\nsay \u202e\nname x\nlink AAAA\n")
	db := storetest.Open(f)
	f.Fuzz(func(t *testing.T, typed string) {
		if strings.Count(typed, "\n")+strings.Count(typed, "\r") > 100 {
			return
		}
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: db})
		defer l.Close()
		p := connectPlayer(t, l, "ann", match.Classic())
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		done := make(chan struct{})
		go func() { defer close(done); p.running.Wait(); cancel() }()
		p.typeText(ctx, typed)
		p.console.EndInput(ctx)
		p.disconnect()
		<-done
		p.checkOutput(t)
	})
}

// TestHelp checks that the help and the messages for mistyped commands equal testdata/help.txt.
func TestHelp(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1}, func(t *testing.T, l *lobby.Lobby) {
		p := connectPlayer(t, l, "ann", match.Classic())
		p.waitFor("Welcome")
		synctest.Wait()
		p.output = ""
		p.enterLines("help", "help leaderboard", "help fleet", "leaderbord", "lo", "clock now", "quit now")
		synctest.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range allCommands() {
			first, _, _ := strings.Cut(c.Name, " ")
			if !regexp.MustCompile(`(?m)(^|, |: )` + first + `\b`).MatchString(p.output) {
				t.Errorf("the help lacks %s", c.Name)
			}
		}
		const file = "testdata/help.txt"
		if *update {
			if err := os.WriteFile(file, []byte(p.output), 0o644); err != nil {
				t.Error(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || p.output != string(want) {
			t.Errorf("%v: go test -update accepts this:\n%s", err, diff.Diff("want", want, "got", []byte(p.output)))
		}
	})
}

// TestBotWhileWaiting checks that a waiting player is offered a bot, can fire at it, and is called when a player comes.
func TestBotWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1})
		t.Cleanup(l.Close)
		ann := connectPlayer(t, l, "ann", match.Classic())
		ann.enterLines("play")
		ann.waitFor("Waiting for an opponent", "To play a bot meanwhile, type bot easy.")
		ann.enterLines("quick", "a1")
		ann.waitFor("A1")
		bob := connectPlayer(t, l, "bob", match.Classic())
		bob.enterLines("play")
		ann.waitFor("bob is here. Your match against", "waits: type resume after this one.")
		bob.enterLines("resign", "resign")
		ann.waitFor("bob resigned.")
		ann.enterLines("lobby", "resume")
		ann.waitFor("easy")
	})
}
