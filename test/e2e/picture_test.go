package e2e

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"broadside/bots"
	"broadside/internal/server"
	"broadside/internal/test/picture"
	"broadside/internal/test/sshtest"
	"broadside/match"
)

var pictures = flag.String("pictures", "", "write pictures of a real server's screens into this `folder`")

// TestPictures creates the README's pictures with the running program: go test -run TestPictures -pictures docs .
func TestPictures(t *testing.T) {
	t.Parallel()
	if *pictures == "" {
		t.Skip("no -pictures were asked for")
	}
	h := open(t, func(c *server.Config) { c.BotPace = 300 * time.Millisecond })
	come := func(name string) *sshtest.Terminal {
		p := sshtest.Dial(t, h.ssh, sshtest.Options{
			User: name, Signer: sshtest.NewSigner(t), Width: 100, Height: 30, Env: map[string]string{"COLORTERM": "truecolor"},
		})
		createAccount(p)
		p.WaitText(name + " (you)")
		return p
	}
	shot := func(p *sshtest.Terminal, name string) {
		t.Helper()
		f, err := os.Create(filepath.Join(*pictures, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := picture.Write(f, p.Snapshot()); err != nil {
			t.Fatal(err)
		}
	}
	ann := come("ann")
	ann.Press("b")
	ann.WaitText("Play a bot")
	ann.Press("4")
	ann.WaitText("Place your fleet")
	ann.Press("enter")
	ann.Type("G7r")
	ann.WaitText("► battleship")
	ann.Press("enter")
	ann.Type("D2")
	ann.WaitText("► cruiser", "Press enter to place")
	shot(ann, "placing.svg")
	ann.Press("x")
	ann.WaitText("All ships are placed.")
	ann.Press("enter")
	playBattle(t, ann, func(hits, sunk int) {
		if sunk > 0 && hits > 0 { // the last one counts
			shot(ann, "battle.svg")
		}
	})

	ann.Press("v")
	ann.WaitFor("the review, which selects a shot", regexp.MustCompile("accuracy of ann|admiral would fire at").MatchString)
	ann.Press("3", "0", "enter")
	if s := ann.WaitText("shot 30 of"); !strings.Contains(s, "admiral would fire at") {
		ann.Press("a")
	}
	ann.WaitText("admiral would fire at")
	shot(ann, "replay.svg")
	ann.Press("esc")
	ann.WaitText("What next")
	ann.Press("esc")
	ann.WaitText("Play now")

	ann.Press("n", "down", "right", "right")
	ann.WaitText("‹ naval ›")
	ann.Press("esc")
	ann.WaitText("Play now")
	ann.Press("b", "4")
	place(ann)
	for _, cell := range []string{"C3", "H6", "E8"} {
		s := ann.WaitFor("one's turn", func(s string) bool {
			return strings.Contains(s, "First you may move") || strings.Contains(s, "to fire at")
		})
		if strings.Contains(s, "First you may move") {
			ann.Press("p")
			ann.WaitText("to fire at")
		}
		ann.Type(cell)
		ann.WaitText("fire at " + cell)
		ann.Press("enter")
		ann.WaitText("You fired at " + cell)
	}
	ann.WaitText("First you may move")
	ann.Press("tab")
	ann.WaitGone("First you may move")
	freezeClock(ann)
	shot(ann, "naval.svg")
	ann.Press("q", "y")
	ann.WaitText("You resigned")
	ann.Press("esc")

	bob, eve := come("bob"), come("eve")
	bob.Press("p")
	bob.WaitText("Waiting for an opponent")
	eve.Press("t")
	eve.Type("Anybody for a match under naval?")
	eve.Press("enter", "esc")
	ann.WaitText("Anybody for")
	ann.WaitFor("a match to look at", func(s string) bool { return strings.Count(s, "#") > 4 })
	shot(ann, "lobby.svg")
}

// freezeClock waits until no more shots are fired.
func freezeClock(p *sshtest.Terminal) {
	p.WaitFor("the last shots to have fallen", func(s string) bool {
		for _, falling := range []string{"‹.›", "‹o›", "‹+›", "‹*›", "[.]", "[o]", "[+]", "[*]"} {
			if strings.Contains(s, falling) {
				return false
			}
		}
		return true
	})
}

// playBattle plays the match to the end like a good player. Before each shot, it reports how
// many cells are hit and how many ships are sunk.
func playBattle(t *testing.T, p *sshtest.Terminal, before func(hits, sunk int)) {
	t.Helper()
	rules := match.Classic()
	bot, err := bots.New("commodore", bots.Config{Rules: rules, Rand: rand.New(rand.NewPCG(3, 4))})
	if err != nil {
		t.Fatal(err)
	}
	bot.Place()
	for chart := match.NewChart(rules); ; {
		s := p.WaitFor("one's turn", func(s string) bool {
			return strings.Contains(s, "YOUR TURN") || strings.Contains(s, "What next")
		})
		freezeClock(p)
		if strings.Contains(s, "What next") {
			return
		}
		before(chart.Hits.Len(), len(rules.Fleet)-chart.ShipsAfloat())
		cell := bot.Fire(&chart)
		p.Type(cell.String())
		p.WaitText("fire at " + cell.String() + ".")
		p.Press("enter")
		said := ""
		p.WaitFor("the answer", func(s string) bool {
			_, after, ok := strings.Cut(s, "You fired at "+cell.String()+": ")
			said, _, _ = strings.Cut(after, "  ")
			said, _, _ = strings.Cut(said, "\n")
			return ok || strings.Contains(s, "What next")
		})
		// A ship's name can be longer than the line.
		result := match.Sunk
		switch strings.TrimSpace(said) {
		case "":
			// No shot follows the last one.
			continue
		case "miss.":
			result = match.Miss
		case "hit.":
			result = match.Hit
		}
		chart.Record(cell, result)
	}
}
