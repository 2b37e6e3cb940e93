package session

import (
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/lobby/account"
	"broadside/match"
)

// TestListBotsByRating checks that bots are listed by their ratings under the rules that are played, and that
// NextBot returns the next one that is no novelty.
func TestListBotsByRating(t *testing.T) {
	for _, name := range match.PresetNames() {
		r := must.Get(match.Preset(name))
		all := ListBots(r)
		for i, b := range all {
			next := ""
			for _, later := range all[i+1:] {
				if !later.IsNovelty {
					next = later.Name
					break
				}
			}
			if got := NextBot(r, b.Name); got != next {
				t.Errorf("%s: NextBot(%s) = %q, want %q", name, b.Name, got, next)
			}
			// Under classic rules, bots are listed by mean shots.
			if next == "" || r.IsEquivalent(match.Classic()) {
				continue
			}
			this, _ := BotRating(name, b.Name)
			if rating, ok := BotRating(name, next); !ok || rating < this {
				t.Errorf("%s: %s with %v precedes %s with %v", name, b.Name, this, next, rating)
			}
		}
	}
	custom := must.Get(account.CustomRules(8, 4, match.Classic()))
	if all := ListBots(custom); len(all) == 0 || all[0].MeanShots(custom) != 0 {
		t.Errorf("bots under custom rules: %v with %v shots", all, all[0].MeanShots(custom))
	}
}

// TestBotProgress checks that the next bot to beat is the weakest one, and a novelty only once all others are beaten.
func TestBotProgress(t *testing.T) {
	r, scores := match.Classic(), map[string]store.BotScore{"gunner": {Won: 1}, "prolog": {Played: 3}}
	if got, want := NewBotProgress(r, scores), (BotProgress{Beaten: 1, Total: 11, Next: "easy"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, b := range ListBots(r) {
		if !b.IsNovelty {
			scores[b.Name] = store.BotScore{Won: 1}
		}
	}
	if got, want := NewBotProgress(r, scores), (BotProgress{Beaten: 8, Total: 11, Next: "prolog"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
