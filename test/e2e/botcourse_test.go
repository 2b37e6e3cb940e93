package e2e

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"broadside/internal/cli"
)

// TestBotIsInterrupted ends a bot that waits for an opponent.
func TestBotIsInterrupted(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		if nc, err := l.Accept(); err == nil {
			defer nc.Close()
			cancel()
			<-t.Context().Done()
		}
	}()
	out, err := try(ctx, "bot", "easy", "--relay", l.Addr().String(), "--games", "3")
	if cli.Status(err) != 130 || out != "End of game. easy won 0 times and lost 0 times.\n" {
		t.Errorf("error %v, printed %q", err, out)
	}
}

// TestBotTakesAPort checks that a port is enough for the address of a relay on this computer.
func TestBotTakesAPort(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	_, port, err := net.SplitHostPort(h.relay)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := try(t.Context(), "bot", "hard", "--relay", port, "--vs", "bot easy"); err != nil || !strings.Contains(out, "End of game.") {
		t.Errorf("error %v, printed %q", err, out)
	}
}

// courseOf holds the parsed output of a bot about its games.
type courseOf struct {
	fired, taken             []string    // shots with their results
	fields                   [][2]string // own and enemy boards
	afterFiring, afterTaking []int       // indexes of the boards after each shot fired and received
	lists                    []string    // the open list after each shot fired
	games, carriers, empty   int         // number of games, carriers, and boards before a shot
}

// hulls matches the outlines of ships in a row of a board.
var hulls = regexp.MustCompile(`[=|/\\<>^]`)

// readCourse parses the output.
func readCourse(t *testing.T, text string) (c courseOf) {
	t.Helper()
	lines := strings.Split(text, "\n")
	last := ""
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "Game "):
			c.games++
			last = ""
		case strings.HasPrefix(line, "carrier "):
			c.carriers++
		case strings.HasPrefix(line, "fires at "):
			c.fired = append(c.fired, strings.NewReplacer("fires at ", "", ":", "").Replace(line))
			last = "fired"
		case strings.HasPrefix(line, "is shot at "):
			c.taken = append(c.taken, strings.NewReplacer("is shot at ", "", ":", "").Replace(line))
			last = "taken"
		case strings.HasPrefix(line, "own field "):
			if i+11 >= len(lines) || !strings.HasSuffix(line, "enemy field") {
				t.Fatalf("fields are cut off: %q", lines[i:])
			}
			var fields [2]string
			for _, row := range lines[i+2 : i+12] {
				cells := strings.Fields(hulls.ReplaceAllString(row, " "))
				if len(cells) != 22 {
					t.Fatalf("a row of two fields is %q", row)
				}
				fields[0] += strings.Join(cells[1:11], "") + "\n"
				fields[1] += strings.Join(cells[12:], "") + "\n"
			}
			switch last {
			case "fired":
				c.afterFiring = append(c.afterFiring, len(c.fields))
			case "taken":
				c.afterTaking = append(c.afterTaking, len(c.fields))
			default:
				c.empty++
			}
			c.fields = append(c.fields, fields)
		case strings.HasPrefix(line, "open list: ") && last == "fired":
			c.lists = append(c.lists, strings.TrimPrefix(line, "open list: "))
		}
	}
	return c
}

// TestBotsPrintTheCourse compares the output of two bots: each bot's shots and enemy board
// must match what the other one received.
func TestBotsPrintTheCourse(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	file := filepath.Join(t.TempDir(), "GameLogs", "Output.txt")
	var said string
	var wg sync.WaitGroup
	for _, args := range [][]string{{"prolog", "--course", "-", "--placement", "prolog"}, {"hard", "--course", file, "--placement", "java"}} {
		wg.Go(func() {
			out, err := try(t.Context(), append([]string{"bot", "--relay", h.relay, "--games", "2"}, args...)...)
			if err != nil {
				t.Errorf("%s: %v", args[0], err)
			}
			if args[0] == "prolog" {
				said = out
			}
		})
	}
	wg.Wait()
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	prolog, hard := readCourse(t, said), readCourse(t, string(written))
	for _, c := range [][2]courseOf{{prolog, hard}, {hard, prolog}} {
		shooter, target := c[0], c[1]
		if len(shooter.fired) < 2*16 || !slices.Equal(shooter.fired, target.taken) {
			t.Fatalf("%d shots, but %d were taken", len(shooter.fired), len(target.taken))
		}
		if shooter.games != 2 || shooter.carriers != 2 || shooter.empty != 2 {
			t.Errorf("%d games with %d fleets and %d boards before the first shot", shooter.games, shooter.carriers, shooter.empty)
		}
		if len(shooter.afterFiring) != len(shooter.fired) || len(target.afterTaking) != len(target.taken) || len(shooter.lists) != len(shooter.fired) {
			t.Fatalf("of %d shots, %d left a board and %d an open list; %d of their target's", len(shooter.fired), len(shooter.afterFiring), len(shooter.lists), len(target.afterTaking))
		}
		for n := range shooter.fired {
			known := shooter.fields[shooter.afterFiring[n]][1]
			own := strings.ReplaceAll(target.fields[target.afterTaking[n]][0], "■", "~")
			if known != own {
				t.Fatalf("after shot %d at %s one knows\n%s\nwhere the other has\n%s", n+1, shooter.fired[n], known, own)
			}
		}
	}
	// The first hit on a ship adds the cells around it to the list; sinking the ship
	// empties it.
	single := 0
	for n, shot := range prolog.fired {
		cell, result, _ := strings.Cut(shot, " ")
		switch {
		case result == "hit" && n > 0 && prolog.lists[n-1] == "[]":
			single++
			if list := prolog.lists[n]; list == "[]" || strings.Contains(list, cell+" ") {
				t.Errorf("after the hit at %s the open list is %s", cell, list)
			}
		case result == "sunk" && prolog.lists[n] != "[]":
			t.Errorf("after the sinking at %s the open list is %s", cell, prolog.lists[n])
		}
	}
	if single == 0 {
		t.Error("no hit has opened a list")
	}
	if !strings.Contains(said, "\nEnd of game. prolog won ") {
		t.Errorf("it ends without a summary:\n%s", said)
	}
}
