package export_test

import (
	"encoding/json"
	"strings"
	"testing"

	"broadside/internal/export"
	"broadside/internal/test/storetest"
	"broadside/match"
	"broadside/match/audit"
)

// TestRecordsAreConsistent checks that records under all rules are right, and that checkRecord finds a change
// that contradicts the rest of a record.
func TestRecordsAreConsistent(t *testing.T) {
	for _, name := range match.PresetNames() {
		rules, err := match.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(10) {
			text, err := export.EncodeMatch(storetest.NewMatch(seed, rules, "ann", "bob"))
			if err != nil {
				t.Fatal(err)
			}
			if err := checkRecord(t, string(text)); err != nil {
				t.Errorf("record of %s, match %d: %v", name, seed, err)
			}
		}
	}
	text, err := export.EncodeMatch(newAnnBobMatch())
	if err != nil {
		t.Fatal(err)
	}
	for old, changed := range map[string]string{
		`"result": "hit"`:   `"result": "water"`,
		`"result": "last"`:  `"result": "sunk"`,
		`"result": "water"`: `"result": "splash"`,
		`"event": "fired"`:  `"event": "answered"`,
		`"event": "begun"`:  `"event": "won"`,
		`"reason": "sunk"`:  `"reason": "resigned"`,
		`"winner": 1`:       `"winner": 0`,
		`"clock_s": `:       `"clock_s": -1, "seconds": `,
		`"player": 0`:       `"player": 7`,
		`"size": 10`:        `"size": 9`,
	} {
		wrong := strings.Replace(string(text), old, changed, 1)
		if wrong == string(text) {
			t.Fatalf("record has no %s", old)
		}
		if err := checkRecord(t, wrong); err == nil {
			t.Errorf("checkRecord accepts %s instead of %s", changed, old)
		}
	}
}

// checkRecord checks a record as JSON.
func checkRecord(t *testing.T, text string) error {
	t.Helper()
	var r export.Record
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	_, err := audit.ReplayRecord(&r.Record)
	return err
}
