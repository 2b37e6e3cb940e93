//go:build unix

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"broadside/internal/test/textfile"
)

// TestReplayOfRecords replays what ssh HOST record writes of matches under all rules, with fleets
// that the server holds, that programs keep, and that programs commit to and reveal.
func TestReplayOfRecords(t *testing.T) {
	t.Parallel()
	h := open(t, heed)
	c := newConnector(t)
	ann := newAsker(t, h, "ann")
	for _, line := range []string{"register ann", "token new squid"} {
		if status, _, errs := ann.ask(line); status != 0 {
			t.Fatalf("%s: %s", line, errs)
		}
	}
	_, token, _ := ann.ask("token new whale")
	plays := func(args ...string) {
		t.Helper()
		if out, err := try(t.Context(), append([]string{"bot", "--relay", h.relay, "--vs", "bot medium", "--games", "2"}, args...)...); err != nil {
			t.Errorf("%q: %v, %s", args, err, out)
		}
	}
	plays("easy")
	plays("hard", "--token", strings.TrimSpace(token))
	plays("warship", "--rules", "naval")
	plays("hard", "--rules", "salvo")
	c.player = []string{c.player[0], "examples/attacker.py"}
	if status, _, errs := c.run(h.relay, "--layout", "uniform", "--vs", "bot easy", "--games", "2"); status != 0 {
		t.Error(errs)
	}
	_, list, _ := ann.ask("history --json")
	var games []struct{ ID string }
	if err := json.Unmarshal([]byte(list), &games); err != nil || len(games) < 8 {
		t.Fatalf("%v: %s", err, list)
	}
	dir, all := t.TempDir(), ""
	for _, g := range games {
		_, record, errs := ann.ask("record " + g.ID)
		if out, err := try(t.Context(), "replay", writeText(t, dir, g.ID, record)); err != nil || out != "games replayed: 1, all results are right\n" {
			t.Errorf("%s: %v, %s, %s", g.ID, err, out, errs)
		}
		all += record
	}
	for name, text := range textfile.Encodings(strings.ReplaceAll(all, "\n", "\r\n")) {
		if out, err := try(t.Context(), "replay", writeText(t, dir, "all", text)); err != nil || !strings.HasPrefix(out, "games replayed: ") {
			t.Errorf("%s: %v, %s", name, err, out)
		}
	}
	wrong := strings.Replace(all, `"result": "hit"`, `"result": "water"`, 1)
	if out, err := try(t.Context(), "replay", writeText(t, dir, "all", wrong)); err == nil || !strings.Contains(err.Error(), "1 of ") || !strings.Contains(out, "all:record 1: the results do not follow from the fleets") {
		t.Errorf("a changed record: %v, %s", err, out)
	}
}
