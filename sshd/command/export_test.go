package command_test

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
	"broadside/sshd/command"
)

// TestExport checks that an export has all public matches, oldest first, in several parts.
func TestExport(t *testing.T) {
	runInBubble(t, func(t *testing.T, s *store.Store) {
		want := []string{"sample000000", "sample000001", "sample000002", "sample000003", "sample000004", "sample000005"}
		for seed := uint64(6); seed < 60; seed++ {
			rules := match.Classic()
			if seed == 40 {
				rules = match.Naval()
			}
			m := storetest.NewMatch(seed, rules, "guest", "other")
			m.Private = seed%10 == 0 && seed != 40
			if _, err := s.Matches.Finish(t.Context(), m); err != nil {
				t.Fatal(err)
			}
			if !m.Private {
				want = append(want, m.ID)
			}
		}
		for _, c := range []struct {
			line string
			want []string
		}{
			{"export", want},
			{"export --since 1999-12-31 --rules Naval", []string{"sample000040"}},
			{"export --since 2026-05-06", want[28:]},
			{"export --rules custom", nil},
			{"record sample000002 --short", []string{"sample000002"}},
		} {
			status, out, errs := runCommand(t, s, "SHA256:ann", c.line)
			var got []string
			for line := range strings.Lines(out) {
				id, _, _ := strings.Cut(strings.TrimPrefix(line, "game('"), "'")
				got = append(got, id)
			}
			if status != 0 || errs != "" || !slices.Equal(got, c.want) {
				t.Errorf("%s: got status %d, errors %s, matches %v, want %v", c.line, status, errs, got, c.want)
			}
		}
		for line, want := range map[string]string{
			"export --since today":  "--since must be a date, such as",
			"export --rules chess":  "chess",
			"export 2026-01-01":     `unexpected argument "2026-01-01"`,
			"record --short":        "MATCH is missing",
			"record nobody --short": "There is no match",
		} {
			if status, out, errs := runCommand(t, s, "", line); status == 0 || out != "" || !strings.Contains(errs, want) {
				t.Errorf("%s: got status %d, output %q, errors %q", line, status, out, errs)
			}
		}
	})
}

// TestExportsTakeTurns checks that an export whose reader is slow does not delay others.
func TestExportsTakeTurns(t *testing.T) {
	runInBubble(t, func(t *testing.T, s *store.Store) {
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		defer l.Close()
		commands := command.New(command.Config{Host: &session.Host{Lobby: l}})
		start := func(out io.Writer) (status int, errs string) {
			var e bytes.Buffer
			status = commands.ParseLine(sshd.User{Language: i18n.English}, []string{"export"}).Run(context.Background(), nothing, out, &e)
			return status, e.String()
		}
		reader, writer := io.Pipe()
		done := make(chan int)
		go func() {
			status, _ := start(writer)
			writer.Close()
			done <- status
		}()
		// The first export waits for its reader.
		synctest.Wait()
		if status, errs := start(io.Discard); status != 0 {
			t.Errorf("second export: got status %d, errors %s", status, errs)
		}
		text, err := io.ReadAll(reader)
		if status := <-done; status != 0 || err != nil || bytes.Count(text, []byte("\n")) != 6 {
			t.Errorf("first export: got status %d after %d matches: %v", status, bytes.Count(text, []byte("\n")), err)
		}
	})
}
