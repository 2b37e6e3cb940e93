package ladder

import (
	"testing"
	"time"
)

// TestRate rates players of known strength from simulated matches: the bots keep their
// ratings on average, the intervals contain the true ratings of most players, and a player
// without a chain of matches to a bot has no rating.
func TestRate(t *testing.T) {
	w := newWorld(20)
	w.run(t, 4*time.Hour)
	w.results.games[[2]string{"lonely1", "lonely2"}] = &score{games: 2, won: [2]int{1, 1}}
	w.results.total["lonely1"], w.results.total["lonely2"] = score{games: 2}, score{games: 2}
	fixed := map[string]float64{}
	for _, a := range w.anchors {
		fixed[a.Account] = a.Rating
	}
	got := rate(w.results, fixed, w.now)
	if len(got.players) != 25 {
		t.Errorf("%d players are rated", len(got.players))
	}
	outside := 0
	for account, e := range got.players {
		if truth := w.rating(account); truth < e.Low || truth > e.High {
			outside++
		}
		if e.High-e.Low > 400 || e.Low >= e.Value || e.Value >= e.High {
			t.Errorf("%s has %+v", account, e)
		}
	}
	if outside > 4 {
		t.Errorf("%d intervals do not contain the true rating", outside)
	}
	if none := rate(newResults(), fixed, w.now); len(none.players) != 0 {
		t.Errorf("without matches: %+v", none)
	}
}
