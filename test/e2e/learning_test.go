package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
)

// shotsOfGame matches the number of shots in a bot's line about a game.
var shotsOfGame = regexp.MustCompile(`Shots fired: (\d+)\.`)

// TestBotsLearnOnTheWire checks that the bot memory sinks a fleet with 17 shots from the second of four
// games on, as in the arena: with a connection for each game, in a series on one connection, and on the
// server.
func TestBotsLearnOnTheWire(t *testing.T) {
	t.Parallel()
	fleet := filepath.Join(t.TempDir(), "fleet.txt")
	if err := os.WriteFile(fleet, []byte("carrier A1 A5\nbattleship C1 C4\ncruiser E1 E3\nsubmarine G1 G3\ndestroyer I1 I2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		learner, teacher []string
	}{
		"connections": {[]string{"memory"}, []string{"easy"}},
		"series":      {[]string{"memory", "--vs", "any"}, []string{"easy", "--vs", "any"}},
		"server":      {nil, []string{"easy", "--vs", "bot memory"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, nil)
			play := func(args ...string) string {
				out, err := try(t.Context(), append([]string{"bot", "--relay", h.relay, "--games", "4", "--seed", "1"}, args...)...)
				if err != nil {
					t.Errorf("bot %q: %v", args, err)
				}
				return out
			}
			var learned, taught string
			var wg sync.WaitGroup
			wg.Go(func() { taught = play(append(c.teacher, "--layout", fleet)...) })
			if c.learner != nil {
				wg.Go(func() { learned = play(c.learner...) })
			} else {
				wg.Wait()
				// The teacher's shots are as many as the bot's, because it loses once its fleet is sunk.
				learned = taught
			}
			wg.Wait()
			games := shotsOfGame.FindAllStringSubmatch(learned, -1)
			if len(games) != 4 {
				t.Fatalf("got %d games, want 4:\n%s", len(games), learned)
			}
			for n, g := range games {
				shots, err := strconv.Atoi(g[1])
				if err != nil || n > 0 && shots > 17 {
					t.Errorf("game %d took %d shots, want at most 17: %v", n+1, shots, err)
				}
			}
		})
	}
}
