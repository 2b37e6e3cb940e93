//go:build unix

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"broadside/internal/test/textfile"
)

// TestReplayOfRecords checks that replay accepts the output of ssh HOST record for matches under all
// rules, with fleets that the server holds and that programs keep.
func TestReplayOfRecords(t *testing.T) {
	t.Parallel()
	h := open(t, heed)
	c := newConnector(t)
	ann := newAsker(t, h, "ann")
	ann.run("register ann")
	ann.run("token new squid")
	token := ann.run("token new whale")
	plays := func(args ...string) {
		t.Helper()
		if out, err := try(t.Context(), append([]string{"bot", "--relay", h.relay, "--vs", "bot medium", "--games", "2"}, args...)...); err != nil {
			t.Errorf("bot %q: error %v, output %s", args, err, out)
		}
	}
	plays("easy")
	plays("hard", "--token", token)
	plays("warship", "--rules", "naval")
	plays("hard", "--rules", "salvo")
	c.player = []string{c.player[0], "examples/attacker.py"}
	if status, _, errs := c.run(h.relay, "--layout", "uniform", "--vs", "bot easy", "--games", "2"); status != 0 {
		t.Error(errs)
	}
	_, list, _ := ann.ask("history --json")
	var games []struct{ ID string }
	if err := json.Unmarshal([]byte(list), &games); err != nil || len(games) < 8 {
		t.Fatalf("history: error %v, got %d matches: %s", err, len(games), list)
	}
	dir, all := t.TempDir(), ""
	for _, g := range games {
		_, record, errs := ann.ask("record " + g.ID)
		if out, err := try(t.Context(), "replay", writeText(t, dir, g.ID, record)); err != nil || out != "matches replayed: 1, all results are right\n" {
			t.Errorf("replay of %s: error %v, output %s, errors of record %s", g.ID, err, out, errs)
		}
		all += record
	}
	for name, text := range textfile.Encodings(strings.ReplaceAll(all, "\n", "\r\n")) {
		if out, err := try(t.Context(), "replay", writeText(t, dir, "all", text)); err != nil || !strings.HasPrefix(out, "matches replayed: ") {
			t.Errorf("replay of records in %s: error %v, output %s", name, err, out)
		}
	}
	wrong := strings.Replace(all, `"result": "hit"`, `"result": "water"`, 1)
	if out, err := try(t.Context(), "replay", writeText(t, dir, "all", wrong)); err == nil || !strings.Contains(err.Error(), "1 of ") || !strings.Contains(out, "all:1: these events are not the history of a match") {
		t.Errorf("replay of a changed record: error %v, output %s", err, out)
	}
}
