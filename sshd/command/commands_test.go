package command_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	"broadside/internal/store"
	"broadside/internal/test/leaks"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/puzzle"
	"broadside/match"
	"broadside/sshd"
	"broadside/sshd/command"
)

func TestMain(m *testing.M) { leaks.Main(m) }

func openEmptyStore(t testing.TB) *store.Store {
	t.Helper()
	return openStore(t, storetest.NewFolder(t))
}

// openPuzzleStore opens a store with puzzles and an account.
func openPuzzleStore(t testing.TB) *store.Store {
	t.Helper()
	s := openEmptyStore(t)
	_, err := s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err := errors.Join(err, lobbytest.AddPuzzles(t.Context(), s)); err != nil {
		t.Fatal(err)
	}
	return s
}

func openStore(t testing.TB, folder string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), store.Config{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// openSampleStore returns a store with two players, a bot and some of their matches.
func openSampleStore(t testing.TB) *store.Store {
	t.Helper()
	ctx := context.Background()
	folder := storetest.NewFolder(t)
	s := openStore(t, folder)
	ids := map[string]string{}
	for _, name := range []string{"ann", "bob"} {
		p, err := s.Accounts.CreatePerson(ctx, name, store.Key{Fingerprint: "SHA256:" + name})
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = p.ID
	}
	if err := storetest.AgeAccounts(folder); err != nil {
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
		m := storetest.NewMatch(uint64(i), rules, pair[0], pair[1])
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
		{Day: "1999-12-31", Player: ids["ann"], Shots: 40, Finished: true},
		{Day: "1999-12-31", Player: ids["bob"], Shots: 39, Finished: true},
		{Day: "2000-01-01", Player: ids["bob"], Shots: 6, Finished: true, ShareText: "░▓▓▓██"},
		{Day: "2000-01-01", Player: ids["ann"], Shots: 23, Finished: true, ShareText: "░░░░░░░░░░░░░░░▓▓▓░░▓██"},
		{Day: "2000-01-01", Player: ids["late"], Shots: 5, Finished: true, ShareText: "▓▓▓██"},
		{Day: "2000-01-02", Player: ids["ann"], Shots: 3, ShareText: "░░▓", Progress: []byte(`["J9","A2","C3"]`)},
	} {
		if err := s.Daily.Save(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := storetest.SettleRatings(folder); err != nil {
		t.Fatal(err)
	}
	return s
}

// openLadderStore returns a store with a ladder match.
func openLadderStore(t testing.TB) *store.Store {
	t.Helper()
	s := openEmptyStore(t)
	if _, err := storetest.StoreLadderMatch(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// openCorrespondenceStore returns a store in which ann and bob play correspondence matches.
func openCorrespondenceStore(t testing.TB) *store.Store {
	t.Helper()
	s := openSampleStore(t)
	for i, sample := range []struct {
		rules  string
		events int
	}{{"classic", 0}, {"classic", 50}, {"salvo", 40}, {"naval", 41}} {
		rules := must.Get(match.Preset(sample.rules))
		m := storetest.NewMatch(uint64(i), rules.WithClock(0), "ann", "bob")
		m.ID = fmt.Sprintf("%s%dmatch000", sample.rules[:3], i)
		for side := range m.Seats {
			m.Seats[side].Player = must.Get(s.Accounts.FindByName(t.Context(), m.Seats[side].Name)).ID
		}
		must.Do(storetest.AddCorrespondence(t.Context(), s, m, sample.events))
	}
	return s
}

var nothing = io.NopCloser(strings.NewReader(""))

// runCommand runs a user's command line without a terminal on a server that has just started.
func runCommand(t testing.TB, s *store.Store, fingerprint, line string) (status int, out, errs string) {
	t.Helper()
	return runWithInput(t, s, sshd.User{Name: "ann", Fingerprint: fingerprint}, line, nothing)
}

// runWithInput runs a command line on a server that has just started.
func runWithInput(t testing.TB, s *store.Store, user sshd.User, line string, in io.ReadCloser) (status int, out, errs string) {
	t.Helper()
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
	defer l.Close()
	return runWithConfig(newConfig(t, s, l), user, line, in)
}

// runWithConfig runs a command line on a server.
func runWithConfig(cfg command.Config, user sshd.User, line string, in io.ReadCloser) (status int, out, errs string) {
	var o, e bytes.Buffer
	c := newLine(cfg, user, line)
	c.In, c.Out, c.Err = in, &o, &e
	status = c.Run(context.Background())
	if open := cfg.Host.List(); len(open) > 0 {
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
	if !l.IsLongRunning() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 15*time.Second)
		defer cancel()
	}
	defer context.AfterFunc(ctx, func() { l.In.Close() })()
	return l.Line.Run(ctx, l.In, l.Out, l.Err)
}

// newLine returns a command line without output.
func newLine(cfg command.Config, user sshd.User, words string) *line {
	return &line{Line: command.New(cfg).ParseLine(user, strings.Fields(words)), In: nothing}
}

// runInBubble runs a test with a store and a clock that moves only while the test sleeps.
func runInBubble(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := openSampleStore(t)
		defer s.Close()
		test(t, s)
	})
}

// TestRecords checks matches as text and as JSON. Without a winner, there is no result to share.
func TestRecords(t *testing.T) {
	runInBubble(t, func(t *testing.T, s *store.Store) {
		void := storetest.NewMatch(7, match.Classic(), "ann", "bob")
		void.ID, void.Winner, void.Reason = "void", match.Nobody, match.Closed
		must.Get(s.Matches.Finish(t.Context(), void))
		_, out, _ := runCommand(t, s, "", "replay void")
		if out == "" || strings.Contains(out, "Broadside") {
			t.Errorf("the match without a winner is\n%s", out)
		}
		for _, c := range []struct{ line, begins, has string }{
			{"record sample000002", "{\n  \"version\": 1,\n", `"event": "fired"`},
			{"record --json SAMPLE000002", "{\n  \"version\": 1,\n", `"rating": {`},
			{"replay sample000002", "bob against ann · classic", "\n\nBroadside · "},
			{"replay --cast sample000002", `{"version":2,"width":80,"height":24,`, "'s fleet"},
			{"replay sample000002 --cast", `{"version":2,"width":80,"height":24,`, "'s fleet"},
		} {
			status, out, errs := runCommand(t, s, "", c.line)
			if status != 0 || errs != "" || !strings.HasPrefix(out, c.begins) || !strings.Contains(out, c.has) {
				t.Errorf("%s: got status %d, errors %q, output %.300q", c.line, status, errs, out)
			}
		}
	})
}

// TestPuzzlesShowLastResult checks that the result of today's puzzles appears once there is no other puzzle.
func TestPuzzlesShowLastResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openPuzzleStore(t)
		defer s.Close()
		ann := must.Get(s.Accounts.FindByKey(t.Context(), "SHA256:ann"))
		for n := range 2 * puzzle.PerDay {
			must.Do(s.Puzzles.Answer(t.Context(), ann.ID, n+1, "A1", "2000-01-01"))
		}
		status, out, errs := runCommand(t, s, "SHA256:ann", "puzzle")
		if status != 0 || !strings.Contains(out, "Broadside · puzzles 2000-01-01") {
			t.Errorf("got status %d, output %q, errors %q", status, out, errs)
		}
	})
}

func TestClosedStore(t *testing.T) {
	s := openSampleStore(t)
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
	defer l.Close()
	cfg := newConfig(t, s, l)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	status, out, errs := runWithConfig(cfg, sshd.User{Name: "ann"}, "history", nothing)
	if status != 1 || out != "" || errs != "The data can't be read right now. Try again in a minute.\n" {
		t.Errorf("got status %d, output %q, errors %q", status, out, errs)
	}
}

// FuzzCommandLine checks that, for any command line of an operator, the exit status is right and an
// error is one clean line, with the usage on another one.
func FuzzCommandLine(f *testing.F) {
	for _, line := range []string{
		"leaderboard --rules classic --of people --limit 3 --json", "history ann --limit=2", "profile ann", "record sample000001",
		"replay --cast sample000001", "profile -- --json", "record ' OR 1=1 --", "leaderboard --limit 99999999999999999999", "history -",
		"profile ---", "leaderboard -rfx", "history --=", "record %s%n", "profile \xff", "daily --day 0000-01-01", "daily --json --limit 1", "replay --help",
		"ban ann --for 24h --reason rude", "ban 192.0.2.0/24", "ban ::1/128", "ban SHA256:x", "ban 1.2.3.4/-1", "ban 256.1.1.1", "ban fe80::1%eth0",
		"ban ann --for 9e99h", "ban / --for d", "unban ann", "bans --json", "mute bob --reason ' x", "unmute bob", "rename ann ANN",
		"broadcast %s%n", "lockdown maybe", "log --limit 3", "list -x", "kick p1", "kick --help",
	} {
		f.Add(line)
	}
	s := openSampleStore(f)
	f.Cleanup(func() { s.Close() })
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
	f.Cleanup(l.Close)
	cfg := newConfig(f, s, l)
	reads := strings.Fields("leaderboard daily history profile record replay")
	others := strings.Fields("list nodes kick ban unban bans mute unmute rename broadcast lockdown log")
	f.Fuzz(func(t *testing.T, line string) {
		// Package sshd removes unprintable characters first.
		line = strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) {
				return -1
			}
			return r
		}, strings.ToValidUTF8(line, ""))
		words := strings.Fields(line)
		if len(words) == 0 {
			return
		}
		if !slices.Contains(reads, words[0]) && !slices.Contains(others, words[0]) {
			line = "ban " + line
		}
		status, out, errs := runWithConfig(cfg, operator, line, nothing)
		if (status == 0) != (errs == "") || slices.Contains(reads, words[0]) && (status == 0) != (out != "") || status < 0 || status > 2 {
			t.Errorf("%q: got status %d, output %q, errors %q", line, status, out, errs)
		}
		whole := strings.HasSuffix(errs, ".\n") || strings.HasSuffix(errs, "?\n") || strings.Contains(errs, "\nUsage: ssh ")
		if errs != "" && (!whole || strings.Count(errs, "\n") != status || !utf8.ValidString(errs)) {
			t.Errorf("%q: got errors %q", line, errs)
		}
		if strings.Contains(errs, "can't be read right now") {
			t.Errorf("%q: got an internal error", line)
		}
	})
}
