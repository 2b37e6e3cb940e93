package session

import (
	"testing"

	"broadside/internal/test/must"
	"broadside/lobby/account"
	"broadside/match"
)

// TestListBotsByRating checks that bots are listed by their ratings under the rules that are played, and
// that each one but the last is followed by the next.
func TestListBotsByRating(t *testing.T) {
	for _, name := range match.PresetNames() {
		r := must.Get(match.Preset(name))
		all := ListBots(r)
		for i, b := range all {
			next := ""
			if i+1 < len(all) {
				next = all[i+1].Name
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
