package relay_test

import (
	"math/rand/v2"
	"os"
	"regexp"
	"sync"
	"testing"
	"time"

	"broadside/bots"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/audit"
	"broadside/relay"
	"broadside/relay/client"
)

// TestSalvo lets programs that keep their fleets play salvo against each other and a bot,
// under the strictest audit.
func TestSalvo(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Audit: audit.Forfeit})
	play := func(versus, strategy string, seed uint64) (all []client.Outcome) {
		rng := rand.New(rand.NewPCG(seed, 3))
		player := func() (client.Player, error) {
			return bots.New(strategy, bots.Config{Rules: match.Salvo(), Rand: rng})
		}
		series := client.Directives{Games: 4, Versus: versus}
		ended := func(o client.Outcome) { all = append(all, o) }
		if err := client.PlaySeries(t.Context(), address, match.Salvo(), series, player, ended); err != nil {
			t.Errorf("%s against %s: %v", strategy, versus, err)
		}
		return all
	}
	won := 0
	count := func(all []client.Outcome) {
		for _, o := range all {
			if o.Reason != "sunk" {
				t.Errorf("a game ended with %s", o.Reason)
			}
			if o.Won {
				won++
			}
		}
	}
	var wg sync.WaitGroup
	var one, two []client.Outcome
	wg.Go(func() { one = play("any", "hard", 1) })
	wg.Go(func() { two = play("any", "medium", 2) })
	wg.Wait()
	count(one)
	count(two)
	if len(one) != 4 || len(two) != 4 || won != 4 {
		t.Errorf("%d and %d games were played, %d won", len(one), len(two), won)
	}
	three := play("bot hard", "commodore", 3)
	count(three)
	if len(three) != 4 {
		t.Errorf("%d games were played against a bot, want 4", len(three))
	}
}

// salvoLine matches a line of testdata/salvo.txt.
var salvoLine = regexp.MustCompile(`(?m)^(server|[CD]) → (server|[CD]) +(\(\S+\)\.|%.*)`)

// TestSalvoLines checks every line of a salvo match.
func TestSalvoLines(t *testing.T) {
	t.Parallel()
	address, l := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Audit: audit.Forfeit})
	clients := map[string]*testClient{"C": dial(t, address), "D": dial(t, address)}
	text, err := os.ReadFile("testdata/salvo.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := salvoLine.FindAllStringSubmatch(string(text), -1)
	if len(all) < 60 {
		t.Fatalf("the file has a match of %d lines", len(all))
	}
	for i, m := range all {
		from, to := clients[m[1]], clients[m[2]]
		switch {
		case from == nil:
			to.hear(m[3] + "\n")
			if m[3] == "(3,[])." {
				waiting(t, l, 1)
			}
			continue
		case to == nil:
			from.say(m[3])
			continue
		}
		from.say(m[3])
		if next := all[i+1]; next[1] == m[1] && next[3][1] == m[3][1] {
			continue // the turn continues
		}
		// Lines of a turn are passed on together.
		first := i
		for all[first-1][1] == m[1] && all[first-1][3][1] == m[3][1] {
			first--
		}
		for _, line := range all[first : i+1] {
			to.hear(line[3] + "\n")
		}
	}
	clients["C"].end()
	clients["D"].end()
}
