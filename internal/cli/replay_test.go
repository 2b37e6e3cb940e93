package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"broadside/bots/arena"
	"broadside/match"
)

// TestReplay checks the games of an arena, and finds a game whose result was changed.
func TestReplay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	cfg := arena.Config{Mode: arena.Duel, Players: []string{"easy", "prolog"}, Rules: match.Classic(), Games: 6, Dir: dir}
	if _, err := arena.Run(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	recorded, err := os.ReadFile(filepath.Join(dir, "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	text := "% games of an arena\n\n"
	for line := range strings.Lines(string(recorded)) {
		var r arena.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		text += r.Match + "\n"
	}
	name := filepath.Join(dir, "games.pl")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := output(t, "replay", name); out != "games replayed: 6, all results are right\n" {
		t.Errorf("the output is %q", out)
	}
	c := Command()
	var errs bytes.Buffer
	c.SetArgs([]string{"replay"})
	c.SetIn(strings.NewReader(strings.Replace(text, "#", "", 1)))
	c.SetErr(&errs)
	if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "1 of 6 games are wrong") || !strings.Contains(errs.String(), "standard input:3: ") {
		t.Errorf("the error is %v, after %q", err, errs.String())
	}
}
