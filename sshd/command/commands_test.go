package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/leaks"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
	"broadside/sshd/command"
)

func TestMain(m *testing.M) { leaks.Main(m) }

var update = flag.Bool("update", false, "write the golden files anew")

// sampleStore returns a store with two people, a bot and some matches between them.
func sampleStore(t testing.TB) *store.Store {
	t.Helper()
	ctx := context.Background()
	folder := storetest.Folder(t)
	s, err := store.Open(ctx, store.Config{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for _, name := range []string{"ann", "bob"} {
		p, err := s.Accounts.CreatePerson(ctx, name, store.Key{Fingerprint: "SHA256:" + name})
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = p.ID
	}
	if err := storetest.Age(folder); err != nil {
		t.Fatal(err)
	}
	late, err := s.Accounts.CreatePerson(ctx, "late", store.Key{Fingerprint: "SHA256:late"})
	if err != nil {
		t.Fatal(err)
	}
	ids["late"] = late.ID
	bot, err := s.Accounts.EnsureBot(ctx, "hard")
	if err != nil {
		t.Fatal(err)
	}
	ids["hard"] = bot.ID
	for i, pair := range [][2]string{{"ann", "bob"}, {"hard", "ann"}, {"bob", "ann"}, {"kraken", "bob"}, {"ann", "hard"}, {"ann", "bob"}} {
		rules := match.Classic()
		if i == 5 {
			rules = match.Hasbro()
		}
		m := storetest.Match(uint64(i), rules, pair[0], pair[1])
		m.Rated = true
		for side := range m.Seats {
			seat := &m.Seats[side]
			if seat.Player = ids[seat.Name]; seat.Player == "" {
				m.Rated, seat.Kind = false, store.Program
			}
			if seat.Name == "hard" {
				seat.Kind = store.Bot
			}
		}
		if _, err := s.Matches.Finish(ctx, m); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range []store.DailyResult{
		{Day: "1999-12-31", Player: ids["ann"], Shots: 40, Done: true},
		{Day: "1999-12-31", Player: ids["bob"], Shots: 39, Done: true},
		{Day: "2000-01-01", Player: ids["bob"], Shots: 6, Done: true, Line: "░▓▓▓██"},
		{Day: "2000-01-01", Player: ids["ann"], Shots: 23, Done: true, Line: "░░░░░░░░░░░░░░░▓▓▓░░▓██"},
		{Day: "2000-01-01", Player: ids["late"], Shots: 5, Done: true, Line: "▓▓▓██"},
		{Day: "2000-01-02", Player: ids["ann"], Shots: 3, Line: "░░▓", Progress: []byte(`["J9","A2","C3"]`)},
	} {
		if err := s.Daily.Save(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := storetest.Settle(folder); err != nil {
		t.Fatal(err)
	}
	return s
}

// nothing is empty input.
var nothing = io.NopCloser(strings.NewReader(""))

// ask runs a command line.
func ask(s *store.Store, fingerprint, line string) (status int, out, errs string) {
	return askIn(i18n.English, s, fingerprint, line)
}

// askIn runs a command line of a user with a language.
func askIn(l i18n.Language, s *store.Store, fingerprint, line string) (status int, out, errs string) {
	return run(s, sshd.User{Name: "ann", Fingerprint: fingerprint, Language: l}, line, nothing)
}

// run runs a command line with a new lobby.
func run(s *store.Store, user sshd.User, line string, in io.ReadCloser) (status int, out, errs string) {
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
	defer l.Close()
	return runIn(l, user, line, in)
}

// runIn runs a command line in a lobby.
func runIn(l *lobby.Lobby, user sshd.User, line string, in io.ReadCloser) (status int, out, errs string) {
	host := &session.Host{Lobby: l}
	var o, e bytes.Buffer
	c := commandLine(command.Config{Host: host}, user, line)
	c.In, c.Out, c.Err = in, &o, &e
	status = c.Run(context.Background())
	if open := host.Connected(); len(open) > 0 {
		panic(fmt.Sprintf("%s has left a session open: %+v", line, open))
	}
	return status, o.String(), e.String()
}

// line is a command line with its streams.
type line struct {
	*command.Line
	In       io.ReadCloser
	Out, Err io.Writer
}

// Run runs the command as package sshd does.
func (l *line) Run(ctx context.Context) (status int) {
	if !l.Lasts() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 15*time.Second)
		defer cancel()
	}
	defer context.AfterFunc(ctx, func() { l.In.Close() })()
	return l.Line.Run(ctx, l.In, l.Out, l.Err)
}

// commandLine returns a command line without output.
func commandLine(cfg command.Config, user sshd.User, words string) *line {
	return &line{Line: command.New(cfg).Line(user, strings.Fields(words)), In: nothing}
}

// bubble runs a test with a store and a clock that stands still.
func bubble(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := sampleStore(t)
		defer s.Close()
		test(t, s)
	})
}

func TestOutput(t *testing.T) {
	bubble(t, func(t *testing.T, s *store.Store) {
		for _, c := range []struct{ file, line string }{
			{"de-leaderboard.txt", "leaderboard"},
			{"de-daily.txt", "daily"},
			{"de-daily-not-done.txt", "daily --day 2000-01-02"},
			{"de-history.txt", "history"},
			{"de-profile.txt", "profile"},
			{"de-help.txt", "leaderboard --help"},
			{"leaderboard.txt", "leaderboard"},
			{"leaderboard.json", "leaderboard --json"},
			{"leaderboard-people.txt", "leaderboard --of people --limit=1"},
			{"leaderboard-bots.txt", "leaderboard --of=bots"},
			{"leaderboard-hasbro.txt", "leaderboard --rules hasbro"},
			{"daily.txt", "daily"},
			{"daily.json", "daily --json"},
			{"daily-not-done.txt", "daily --day 2000-01-02"},
			{"daily-not-done.json", "daily --day=2000-01-02 --json"},
			{"daily-not-begun.txt", "daily --day 2000-01-03"},
			{"daily-limit.txt", "daily --limit 1"},
			{"history.txt", "history"},
			{"history.json", "history --json --limit 2"},
			{"history-of-bob.txt", "history BOB"},
			{"profile.txt", "profile"},
			{"profile.json", "profile --json ann"},
			{"profile-bot.txt", "profile hard"},
			{"help.txt", "leaderboard --help"},
			{"help-tournament.txt", "cup --help"},
		} {
			l := i18n.English
			if strings.HasPrefix(c.file, "de-") {
				l = i18n.MustParse("de")
			}
			status, out, errs := askIn(l, s, "SHA256:ann", c.line)
			if status != 0 || errs != "" {
				t.Errorf("%s: status %d, %s", c.line, status, errs)
			}
			if strings.HasSuffix(c.file, ".json") && !json.Valid([]byte(out)) {
				t.Errorf("%s: this is no JSON: %s", c.line, out)
			}
			file := filepath.Join("testdata", c.file)
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(out), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if out != string(want) {
				t.Errorf("%s (%s) has changed (go test -update accepts it). It is now\n%s", c.line, file, out)
			}
		}
	})
}

func TestRecords(t *testing.T) {
	bubble(t, func(t *testing.T, s *store.Store) {
		for _, c := range []struct{ line, begins, has string }{
			{"record sample000002", "{\n  \"version\": 1,\n", `"event": "fired"`},
			{"record --json SAMPLE000002", "{\n  \"version\": 1,\n", `"rating": {`},
			{"replay sample000002", "bob against ann · classic", "The fleet of ann:"},
			{"replay --cast sample000002", `{"version":2,"width":80,"height":24,`, "'s fleet"},
			{"replay sample000002 --cast", `{"version":2,"width":80,"height":24,`, "'s fleet"},
		} {
			status, out, errs := ask(s, "", c.line)
			if status != 0 || errs != "" || !strings.HasPrefix(out, c.begins) || !strings.Contains(out, c.has) {
				t.Errorf("%s: status %d, errors %q, output %.300q", c.line, status, errs, out)
			}
		}
	})
}

func TestWhatIsWrong(t *testing.T) {
	bubble(t, func(t *testing.T, s *store.Store) {
		for _, c := range []struct {
			line   string
			status int
			says   string
		}{
			{"leaderboard --jsno", 2, "Leaderboard: unknown option \"jsno\"; the nearest is --json.\nUsage: ssh HOST leaderboard [--rules"},
			{"leaderboard --colour", 2, "unknown option \"colour\".\nUsage:"},
			{"leaderboard -x", 2, `unknown option "x"`},
			{"leaderboard --rules chess", 2, `no rules called "chess": choose classic`},
			{"leaderboard --rules", 2, "--rules needs a value"},
			{"leaderboard --of pets", 2, "--of must be all, people or bots"},
			{"leaderboard --limit 0", 2, "--limit must be a number from 1 to 100"},
			{"leaderboard --limit many", 2, `--limit cannot be "many"`},
			{"leaderboard of all", 2, `Leaderboard: unexpected argument "of"`},
			{"daily today", 2, `Daily: unexpected argument "today"`},
			{"daily --day today", 2, "--day must be a date, such as 2026-11-21.\nUsage: ssh [-t] HOST daily [--day DAY]"},
			{"daily --limit 0", 2, "--limit must be a number from 1 to 100"},
			{"history nobody", 1, `There is no player called "nobody"`},
			{"history --limit 101", 2, "--limit must be a number from 1 to 100"},
			{"profile nobody", 1, `There is no player called "nobody"`},
			{"profile", 2, "you are a guest"},
			{"record", 2, "Record: MATCH is missing"},
			{"record 1'--;", 1, `There is no match "1'--;": ssh HOST history lists`},
			{"replay sample999999 --cast", 1, `There is no match "sample999999"`},
			{"replay sample000001 sample000002", 2, `Replay: unexpected argument "sample000002"`},
		} {
			status, out, errs := ask(s, "", c.line)
			if status != c.status || out != "" || !strings.Contains(strings.ToLower(errs), strings.ToLower(c.says)) || strings.Count(errs, "\n") != status {
				t.Errorf("%s: status %d, output %q, errors %q; want status %d and %q", c.line, status, out, errs, c.status, c.says)
			}
		}
		if status, _, errs := ask(s, "SHA256:nobody", "profile"); status != 1 || !strings.Contains(errs, "You have no account yet") {
			t.Errorf("profile without an account: status %d, %s", status, errs)
		}
	})
}

// TestGerman checks that output for programs is the same in every language.
func TestGerman(t *testing.T) {
	bubble(t, func(t *testing.T, s *store.Store) {
		for _, line := range []string{"leaderboard --json", "daily --json", "history --json", "profile --json ann", "record sample000002"} {
			_, english, _ := ask(s, "SHA256:ann", line)
			if _, german, _ := askIn(i18n.MustParse("de"), s, "SHA256:ann", line); german != english || english == "" {
				t.Errorf("%s is in German\n%s", line, german)
			}
		}
		for _, c := range []struct{ line, says string }{
			{"leaderboard --jsno", "Leaderboard: unbekannte Option \"jsno\"; ähnlich ist --json.\nAufruf: ssh HOST leaderboard [--rules"},
			{"leaderboard --rules chess", "Regeln namens \"chess\" gibt es nicht: Wähle aus classic"},
			{"leaderboard --limit 0", "--limit muss eine Zahl von 1 bis 100 sein.\nAufruf:"},
			{"history of all", "History: unerwartetes Argument \"all\"."},
			{"profile nobody", "Es gibt keinen Spieler namens \"nobody\": ssh HOST leaderboard nennt einige."},
			{"profile", "Du bist Gast"},
			{"record 1", "Eine Partie \"1\" gibt es nicht"},
			{"fleet import x", "Du bist Gast"},
		} {
			status, out, errs := askIn(i18n.MustParse("de"), s, "", c.line)
			if status == 0 || out != "" || !strings.HasPrefix(errs, c.says) {
				t.Errorf("%s: status %d, output %q, errors %q; want %q", c.line, status, out, errs, c.says)
			}
		}
	})
}

func TestEmptyStore(t *testing.T) {
	s, err := store.Open(t.Context(), store.Config{Folder: storetest.Folder(t)})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"leaderboard --of people":        "No players are ranked in classic yet. Provisional ratings are not ranked.\n",
		"leaderboard --of people --json": "[]\n",
		"daily --day 2026-11-21":         "Nobody has sunk the fleet of 2026-11-21.\n",
		"history":                        "No match has finished yet.\n", "history --json": "[]\n",
	} {
		if status, out, errs := ask(s, "", line); status != 0 || out != want || errs != "" {
			t.Errorf("%s: status %d, output %q, errors %q", line, status, out, errs)
		}
	}
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
	defer l.Close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if status, out, errs := runIn(l, sshd.User{Name: "ann", Language: i18n.English}, "history", nothing); status != 1 || out != "" || !strings.Contains(errs, "can't be read right now") {
		t.Errorf("a closed store: status %d, output %q, errors %q", status, out, errs)
	}
}

// FuzzCommandLine checks that, for any command line, the exit status is right and an error
// is one clean line, with the usage on another one.
func FuzzCommandLine(f *testing.F) {
	for _, line := range []string{
		"leaderboard --rules classic --of people --limit 3 --json", "history ann --limit=2", "profile ann", "record sample000001",
		"replay --cast sample000001", "profile -- --json", "record ' OR 1=1 --", "leaderboard --limit 99999999999999999999", "history -",
		"profile ---", "leaderboard -rfx", "history --=", "record %s%n", "profile \xff", "daily --day 0000-01-01", "daily --json --limit 1", "replay --help",
	} {
		f.Add(line)
	}
	s := sampleStore(f)
	f.Cleanup(func() { s.Close() })
	f.Fuzz(func(t *testing.T, line string) {
		// Package sshd removes unprintable characters first.
		line = strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) {
				return -1
			}
			return r
		}, strings.ToValidUTF8(line, ""))
		fields := strings.Fields(line)
		if len(fields) == 0 {
			return
		}
		known := map[string]bool{"leaderboard": true, "daily": true, "history": true, "profile": true, "record": true, "replay": true}
		if !known[fields[0]] {
			line = "leaderboard " + line
		}
		start := time.Now()
		status, out, errs := ask(s, "SHA256:ann", line)
		if (status == 0) != (errs == "") || (status == 0) != (out != "") || status < 0 || status > 2 {
			t.Errorf("%q: status %d, output %q, errors %q", line, status, out, errs)
		}
		if errs != "" && (!strings.HasSuffix(errs, ".\n") && !strings.Contains(errs, "\nUsage: ssh ") || strings.Count(errs, "\n") != status || !utf8.ValidString(errs)) {
			t.Errorf("%q is answered %q", line, errs)
		}
		if strings.Contains(errs, "can't be read right now") {
			t.Errorf("%q fails inside, after %v", line, time.Since(start))
		}
	})
}
