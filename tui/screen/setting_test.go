package screen

import (
	"testing"

	"broadside/internal/session"
	"broadside/match"
)

func TestRulesThatAreAPresetAreCalledSo(t *testing.T) {
	s := session.DefaultSettings()
	if err := setCustomRules(&s, 12, 5, match.Rules{Contact: match.TouchAny}); err != nil || s.Rules.Name != "custom" {
		t.Errorf("%v, %v", s.Rules, err)
	}
	if err := setCustomRules(&s, 10, 5, match.Rules{Contact: match.TouchAny}); err != nil || s.Rules.Name != "hasbro" || s.Custom.Size != 12 {
		t.Errorf("%v, %v, and before that %v", s.Rules, err, s.Custom)
	}
}
