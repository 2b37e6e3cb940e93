//go:build unix

package e2e

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/relay/client"
)

// paced is a bot that waits for a permission before each shot.
type paced struct {
	bots.Bot
	ctx   context.Context // ends with the test
	shoot <-chan struct{}
}

func (p paced) Fire(chart *match.Chart) match.Cell {
	select {
	case <-p.shoot:
	case <-p.ctx.Done():
	}
	return p.Bot.Fire(chart)
}

// playDuel lets two programs play each other on the relay. They wait for a permission before
// each shot; closing shoot permits all. Wait for the match with the returned function.
func playDuel(t testing.TB, h *testServer, shoot <-chan struct{}) (wait func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var players sync.WaitGroup
	for i, name := range []string{"kraken", "leviathan"} {
		players.Go(func() {
			err := client.PlaySeries(ctx, h.relay, match.Classic(), client.Directives{Name: name}, func() (client.Player, error) {
				b, err := bots.New("medium", bots.Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(7, uint64(i)))})
				return paced{b, ctx, shoot}, err
			}, func(client.Outcome) {})
			if err != nil && ctx.Err() == nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	t.Cleanup(func() {
		cancel()
		players.Wait()
	})
	return players.Wait
}

// awaitMatch waits for a match on the website, other than that of two bots, and returns its ID.
func awaitMatch(t testing.TB, site string) string {
	t.Helper()
	for {
		_, body := get(t, site+"/api/v1/matches")
		var all []struct {
			ID      string
			Players [2]struct{ Kind string }
		}
		if err := json.Unmarshal([]byte(body), &all); err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			if m.Players[0].Kind != "bot" || m.Players[1].Kind != "bot" {
				return m.ID
			}
		}
		time.Sleep(100 * time.Millisecond) // requests are limited
	}
}

// checkGrid compares the cells of both boards in the accessibility tree with their classes,
// and returns how many of them are not open sea.
func checkGrid(t testing.TB, p *page) (shot int) {
	t.Helper()
	names := p.AccessibleNames("gridcell")
	if len(names) != 200 {
		t.Fatalf("the accessibility tree has %d cells", len(names))
	}
	words := map[string]string{"sea": "not fired at", "miss": "miss", "clear": "must be water", "ship": "ship", "hit": "hit", "sunk": "sunk"}
	classes, _ := p.Eval("[...document.querySelectorAll('[role=gridcell]')].map((c) => c.getAttribute('class'))").([]any)
	for i, c := range classes {
		state, _, _ := strings.Cut(c.(string), " ")
		want := match.NewCell(i%10, i%100/10).String() + " " + words[state]
		if names[i] != want {
			t.Errorf("cell %d is called %q, want %q", i, names[i], want)
		}
		if state != "sea" {
			shot++
		}
	}
	return shot
}

// TestBrowserWatchesMatch checks that a browser shows each shot of two programs' match, and then its replay.
func TestBrowserWatchesMatch(t *testing.T) {
	t.Parallel()
	var address string
	h := open(t, addSite(t, &address))
	site := "http://" + address
	tabs := openBrowser(t)
	shoot := make(chan struct{})
	wait := playDuel(t, h, shoot)
	id := awaitMatch(t, site)
	p := tabs.Open(site+"/m/"+id, view{Width: 800})
	p.Wait("document.querySelector('[data-live]').dataset.phase === 'battle'")
	if n := checkGrid(t, p); n != 0 {
		t.Errorf("before the first shot, %d cells are known", n)
	}
	shoot <- struct{}{}
	p.Wait("document.querySelectorAll('.last').length === 1")
	if n := checkGrid(t, p); n != 1 {
		t.Errorf("after the first shot, %d cells are known", n)
	}
	close(shoot)
	wait()
	p.Wait("document.querySelector('[data-live]').dataset.phase === 'over' && document.querySelector('[data-status]').textContent.endsWith(' won.')")
	if n := checkGrid(t, p); n < 34 {
		t.Errorf("after the end, %d cells are known", n)
	}
	// The match's page is now its replay.
	p.Wait("document.querySelector('[data-scrub]') !== null")
	watchReplay(t, p)
	if faults := p.Faults(); faults != nil {
		t.Errorf("the console has %q", faults)
	}
	still := tabs.Open(site+"/m/"+id+"?shot=3", view{Width: 360, NoScript: true})
	if text := still.Text(); !strings.Contains(text, "Shot 3 of ") {
		t.Errorf("without JavaScript:\n%s", text)
	}
	if n := checkGrid(t, still); n < 3 {
		t.Errorf("without JavaScript, %d cells are known", n)
	}
}

// watchReplay moves through a replay with keys, links and the odds.
func watchReplay(t testing.TB, p *page) {
	t.Helper()
	p.Wait("!document.querySelector('[data-scrub]').hidden")
	known := func() float64 {
		return p.Eval("document.querySelectorAll('[role=gridcell]:not(.sea)').length").(float64)
	}
	end := known()
	p.Press(homeKey)
	p.Wait("document.querySelector('[data-count]').textContent.startsWith('Shot 0 of')")
	start := known()
	p.Press(rightKey)
	p.Press(rightKey)
	p.Wait("document.querySelector('[data-count]').textContent.startsWith('Shot 2 of')")
	if now := known(); now <= start || now >= end {
		t.Errorf("%v cells are known after two shots, %v before and %v at the end", now, start, end)
	}
	p.Click("[data-heat]")
	p.Wait("document.querySelectorAll('.heat').length > 90")
	if names := p.AccessibleNames("gridcell"); !slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, "%") }) {
		t.Errorf("the odds are not in the accessibility tree: %q", names)
	}
	p.Click("[data-heat]")
	p.Click("[data-go=last]")
	if now := known(); now != end {
		t.Errorf("%v cells are known at the end, and before %v", now, end)
	}
	p.Click("[data-play]")
	p.Wait("/^Shot ([2-9]|\\d\\d)/.test(document.querySelector('[data-count]').textContent)")
	p.Click("[data-play]")
}
