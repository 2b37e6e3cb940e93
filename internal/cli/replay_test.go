package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"broadside/bots/arena"
	"broadside/internal/export"
	"broadside/internal/test/storetest"
	"broadside/match"
)

// TestReplay checks records of an arena and of a server, and finds a match whose result was
// changed, and input that is no record.
func TestReplay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	cfg := arena.Config{Format: arena.Duel, Players: []string{"easy", "prolog"}, Rules: match.Classic(), Games: 6, Dir: dir}
	if _, err := arena.Run(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "games.jsonl")
	games, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	record, err := export.EncodeMatch(storetest.NewMatch(1, match.Naval(), "ann", "bob"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, in, out, errs string }{
		{"replay " + name, "", "matches replayed: 6, all results are right\n", ""},
		{"replay " + name + " -", string(record), "matches replayed: 7, all results are right\n", ""},
		{"replay", string(record) + "\n" + string(record), "matches replayed: 2, all results are right\n", ""},
		{"replay", "\n" + strings.Replace(string(games), `"hit"`, `"water"`, 1), "", "standard input:2: "},
		{"replay", "\n" + strings.Replace(string(games), `"hit"`, `"water"`, 1), "", "1 of 6 matches are wrong"},
		{"replay", string(games) + "\ngame('x',...).", "", "standard input:8: invalid character 'g'"},
		{"replay", string(games[:len(games)-10]), "", "standard input:6: unexpected EOF: pass the output of ssh HOST record ID"},
		{"replay", "{}", "", "standard input:1: the record has no events"},
		{"replay", "", "", "no matches to replay"},
	} {
		cmd := NewCommand()
		var out, errs bytes.Buffer
		cmd.SetArgs(strings.Fields(c.args))
		cmd.SetIn(strings.NewReader(c.in))
		cmd.SetOut(&out)
		cmd.SetErr(&errs)
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			errs.WriteString(err.Error())
		}
		if c.errs == "" && out.String() != c.out || (c.errs == "") != (errs.Len() == 0) || !strings.Contains(errs.String(), c.errs) {
			t.Errorf("%s with %.20q: %q, errors %q, want %q, %q", c.args, c.in, out.String(), errs.String(), c.out, c.errs)
		}
	}
}
