//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"broadside/bots"
	"broadside/match"
	"broadside/relay/client"
)

// TestCupOverSSH organizes a cup with ssh, in which a program plays over the relay.
func TestCupOverSSH(t *testing.T) {
	t.Parallel()
	h := open(t, heed)
	ann := newAsker(t, h, "ann")
	ann.run("register ann")
	token := ann.run("token new squid")
	code := ann.run("cup new Class 5b --format round-robin")
	ann.run("cup join " + code + " squid easy hard")
	if out := ann.run("cup start " + code); !strings.Contains(out, "round 1 of 3") {
		t.Errorf("after the start: %s", out)
	}
	played := 0
	classic := match.Classic()
	err := client.PlaySeries(t.Context(), h.relay, classic, client.Directives{Token: token, Versus: "cup " + code, Games: 2},
		func() (client.Player, error) {
			return bots.New("medium", bots.Config{Rules: classic, Rand: rand.New(rand.NewPCG(1, 1))})
		}, func(client.Outcome) { played++ })
	if err != nil || played != 2 {
		t.Fatalf("%d matches, %v", played, err)
	}
	until(t, "the cup is over", func() bool { return strings.Contains(ann.run("cup list"), "over") })
	var cup struct {
		Table []struct {
			Wins, Losses int
		}
		Games []struct{ Ending, Match string }
	}
	if err := json.Unmarshal([]byte(ann.run("cup export --json "+code)), &cup); err != nil || len(cup.Table) != 3 || len(cup.Games) != 3 {
		t.Fatalf("the cup is %+v, %v", cup, err)
	}
	for _, g := range cup.Games {
		if g.Ending != "played" {
			t.Errorf("a game is %+v", g)
		}
		ann.run("record " + g.Match)
	}
	if out := ann.run("cup table " + code); !strings.Contains(out, "squid") {
		t.Errorf("the table is %s", out)
	}
}

// TestCasualCupWithConnect checks that a program that keeps its fleet can play a casual cup, is not told
// how to play rated matches, and gets no error when the cup ends.
func TestCasualCupWithConnect(t *testing.T) {
	t.Parallel()
	h := open(t, heed)
	c := newConnector(t)
	ann := newAsker(t, h, "ann")
	ann.run("register ann")
	token := writeText(t, c.home, "token", ann.run("token new squid"))
	code := ann.run("cup new Class 5b --format round-robin")
	ann.run("cup join " + code + " squid easy")
	ann.run("cup start " + code)
	for vs, want := range map[string]string{"bot easy": "End of game. ", "cup " + code: "The cup is over.\nEnd of game. "} {
		games := "1"
		if strings.HasPrefix(vs, "cup") {
			games = "forever"
		}
		status, out, errs := c.run(h.relay, "--token-file", token, "--vs", vs, "--games", games)
		warned := strings.Contains(errs, "to play rated ones")
		if status != 0 || !strings.HasPrefix(out, want) || warned != (vs == "bot easy") || !warned && errs != "" {
			t.Errorf("against %s: status %d, %q, %q", vs, status, out, errs)
		}
	}
}

// TestWrongCodesInClass checks that a whole class can join a cup while visitors at the same address enter
// wrong codes.
func TestWrongCodesInClass(t *testing.T) {
	t.Parallel()
	h := open(t, heed)
	teacher := newAsker(t, h, "teacher")
	teacher.run("register teacher")
	code := teacher.run("cup new Class 5b")
	stop, visited := make(chan struct{}), make(chan int)
	for _, word := range []string{"cup show", "cup join", "join"} {
		go func() {
			visitor, wrong := newAsker(t, h, "visitor"), 0
			for {
				select {
				case <-stop:
					visited <- wrong
					return
				default:
				}
				if status, _, _ := visitor.ask(word + " AAA-AAA-AAA"); status != 0 {
					wrong++
				}
			}
		}()
	}
	for n := range 25 {
		pupil := newAsker(t, h, fmt.Sprintf("pupil-%d", n))
		pupil.run(fmt.Sprintf("register pupil-%d", n))
		pupil.run("cup join " + code)
	}
	close(stop)
	for range 3 {
		if wrong := <-visited; wrong == 0 {
			t.Error("a visitor entered no wrong code")
		}
	}
}
