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

// TestTurnClock changes each clock of the list, and typed ones between them, to the next
// and to the previous clock.
func TestTurnClock(t *testing.T) {
	turned := func(from time.Duration, by int) time.Duration {
		var s account.Settings
		s.Rules.Clock = from
		changeClock(&s, by)
		return s.Rules.Clock
	}
	for i, clock := range clocks {
		next := clocks[(i+1)%len(clocks)]
		if got := turned(clock, 1); got != next {
			t.Errorf("the clock after %v is %v, want %v", clock, got, next)
		}
		if got := turned(next, -1); got != clock {
			t.Errorf("the clock before %v is %v, want %v", next, got, clock)
		}
		typed := clock + time.Second
		if got := turned(typed, 1); got != next {
			t.Errorf("the clock after %v is %v, want %v", typed, got, next)
		}
		if got := turned(typed, -1); got != clock {
			t.Errorf("the clock before %v is %v, want %v", typed, got, clock)
		}
	}
}
