//go:build unix

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/internal/test/need"
	"broadside/internal/test/storetest"
	"broadside/match"
)

// asker runs commands on a server with the real ssh client.
type asker struct {
	t    *testing.T
	ssh  string
	args []string
}

// newAsker returns an asker for a player with a new key.
func newAsker(t *testing.T, h *testServer, user string) asker {
	t.Helper()
	ssh, keygen := need.Tool(t, "ssh"), need.Tool(t, "ssh-keygen")
	key := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command(keygen, "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	host, port, err := net.SplitHostPort(h.ssh)
	if err != nil {
		t.Fatal(err)
	}
	return asker{t, ssh, []string{
		"-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
		"-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-o", "BatchMode=yes", "-i", key, "-l", user, "-p", port, host,
	}}
}

// ask runs a command line.
func (a asker) ask(line string) (status int, out, errs string) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, a.ssh, append(a.args, line)...)
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	var exit *exec.ExitError
	if err := c.Run(); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		a.t.Fatalf("%s: %v", line, err)
	}
	return status, o.String(), e.String()
}

// run runs a command line that must succeed, and returns its output without spaces around it.
func (a asker) run(line string) string {
	a.t.Helper()
	status, out, errs := a.ask(line)
	if status != 0 {
		a.t.Fatalf("%s: status %d, output %s, errors %q", line, status, out, errs)
	}
	return strings.TrimSpace(out)
}

// TestCommandsOverSSH runs all commands that need no terminal.
func TestCommandsOverSSH(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db, err := store.Open(t.Context(), store.Config{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	bob, err := db.Accounts.CreatePerson(t.Context(), "bob", store.Key{Fingerprint: "SHA256:bob"})
	if err != nil {
		t.Fatal(err)
	}
	hard, err := db.Accounts.EnsureBot(t.Context(), "hard")
	if err != nil {
		t.Fatal(err)
	}
	m := storetest.Match(1, match.Classic(), "bob", "hard")
	m.Rated, m.Seats[0].Player, m.Seats[1].Player = true, bob.ID, hard.ID
	if _, err := db.Matches.Finish(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := storetest.Settle(folder); err != nil { // provisional ratings are not ranked
		t.Fatal(err)
	}
	h := open(t, func(c *server.Config) { c.Data = folder })
	ann := newAsker(t, h, "ann")
	for _, c := range []struct {
		line   string
		status int
		out    []string // text in the output; empty: no output
		errs   string
	}{
		{"help", 0, []string{"ssh HOST leaderboard ", "ssh HOST record MATCH", "ssh HOST profile [NAME]", "ssh HOST history"}, ""},
		{"help watch", 0, []string{"ssh [-t] HOST watch [MATCH|PLAYER|featured]", "follow a running match", "--list"}, ""},
		{"help play", 0, []string{"ssh -t HOST play ", "--vs BOT"}, ""},
		{"help wacth", 2, nil, "Did you mean watch?"},
		{"help ban", 2, nil, "There is no command ban here."},
		{"leaderboard", 0, []string{"PLACE", "bob ", "hard "}, ""},
		{"leaderboard --of people", 0, []string{"bob "}, ""},
		{"history", 0, []string{"sample000001", "bob – hard"}, ""},
		{"profile bob", 0, []string{"bob, person, since", "classic"}, ""},
		{"replay sample000001", 0, []string{"bob against hard · classic", "The fleet of bob:"}, ""},
		{"replay sample000001 --cast", 0, []string{`{"version":2,"width":80,"height":24,`}, ""},
		{"record sample000001", 0, []string{`"id": "sample000001"`}, ""},
		{"record sample000002", 1, nil, `There is no match "sample000002"`},
		{"record", 2, nil, "MATCH is missing"},
		{"leaderboard --ruels classic", 2, nil, "the nearest is --rules."},
		{"leaderbord", 2, nil, "Did you mean leaderboard?"},
		{"profile '\x1b[31m\u202e;rm -rf /'", 2, nil, "Profile: unknown option"},
	} {
		status, out, errs := ann.ask(c.line)
		if status != c.status || (len(c.out) == 0) != (out == "") || (c.errs == "") != (errs == "") || !strings.Contains(errs, c.errs) {
			t.Errorf("%s: status %d, output %.300q, errors %q", c.line, status, out, errs)
		}
		for _, want := range c.out {
			if !strings.Contains(out, want) {
				t.Errorf("%s: there is no %q in %.300q", c.line, want, out)
			}
		}
		if strings.ContainsAny(errs, "\x1b\u202e") {
			t.Errorf("%s: the errors come back with control characters: %q", c.line, errs)
		}
	}
	for _, line := range []string{"leaderboard --json", "history --json", "profile bob --json", "record sample000001"} {
		if _, out, _ := ann.ask(line); !json.Valid([]byte(out)) {
			t.Errorf("%s: this is no JSON: %s", line, out)
		}
	}
	// A whole match, from the first key to the record.
	p := h.come(t, "carl")
	p.Press("b", "1")
	place(p)
	p.WaitText("YOUR TURN")
	for _, cell := range []string{"A1", "C3", "E5"} {
		aim(p, cell)
	}
	p.WaitText("YOUR TURN") // both sides have fired three shots, so the match counts
	p.Press("q", "y")
	p.WaitText("You resigned")
	_, out, _ := ann.ask("history --json --limit 1")
	var games []struct{ ID, Reason string }
	if err := json.Unmarshal([]byte(out), &games); err != nil || len(games) != 1 || games[0].Reason != "resigned" {
		t.Fatalf("after a match, the games are %s (%v)", out, err)
	}
	if _, out, _ := ann.ask("replay " + games[0].ID); !strings.Contains(out, "easy won. carl resigned.") {
		t.Errorf("the replay of the match is\n%s", out)
	}
}
