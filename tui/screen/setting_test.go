package screen

import (
	"testing"
	"time"

	"broadside/lobby/account"
	"broadside/match"
)

func TestCustomRulesEqualToPreset(t *testing.T) {
	s := account.DefaultSettings()
	if err := setCustomRules(&s, 12, 5, match.Rules{Contact: match.TouchAny}); err != nil || s.Rules.Name != "custom" {
		t.Errorf("%v, %v", s.Rules, err)
	}
	if err := setCustomRules(&s, 10, 5, match.Rules{Contact: match.TouchAny}); err != nil || s.Rules.Name != "hasbro" || s.Custom.Size != 12 {
		t.Errorf("%v, %v, and before that %v", s.Rules, err, s.Custom)
	}
}

// TestNextClock changes each clock of the list, and clocks between them, to the next and to the
// previous clock.
func TestNextClock(t *testing.T) {
	for i, clock := range clocks {
		next := clocks[(i+1)%len(clocks)]
		for _, c := range []struct {
			from time.Duration
			by   int
			want time.Duration
		}{{clock, 1, next}, {next, -1, clock}, {clock + time.Second, 1, next}, {clock + time.Second, -1, clock}} {
			if got := nextClock(c.from, c.by); got != c.want {
				t.Errorf("nextClock(%v, %d) = %v, want %v", c.from, c.by, got, c.want)
			}
		}
	}
}
