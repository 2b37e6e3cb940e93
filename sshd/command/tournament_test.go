package command_test

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"broadside/internal/store"
)

// TestTournament organizes cups with commands. Each command runs on a server that has just
// started.
func TestTournament(t *testing.T) {
	bubble(t, func(t *testing.T, s *store.Store) {
		// run checks a command. errs begins with the exit status 2 for a wrong command line.
		run := func(fingerprint, line, out, errs string) string {
			t.Helper()
			status, said, failed := ask(s, fingerprint, line)
			errs, wrong := strings.CutPrefix(errs, "2 ")
			if wrong != (status == 2) || !strings.Contains(said, out) || !strings.Contains(strings.ToLower(failed), strings.ToLower(errs)) || (status == 0) != (errs == "") {
				t.Errorf("%s: status %d, output %q, errors %q", line, status, said, failed)
			}
			return said
		}
		_, said, _ := ask(s, "SHA256:ann", "cup new Class 5b --rounds 2 --grace 1m")
		code := strings.TrimSpace(said)
		for _, x := range []struct{ fingerprint, line, out, errs string }{
			{"SHA256:ann", "cup", "not started", ""},
			{"SHA256:bob", "cup", "You aren't in a tournament yet", ""},
			{"SHA256:ann", "cup join CODE easy ann", "Class 5b: Swiss, classic, casual, entrants: 2, not started", ""},
			{"SHA256:bob", "cup join CODE", "entrants: 3", ""},
			{"SHA256:bob", "cup join code medium", "", "only the owner"},
			{"SHA256:bob", "cup join CODE nobody-here", "", "neither a built-in bot"},
			{"SHA256:bob", "cup leave CODE easy", "", "only the owner"},
			{"SHA256:bob", "cup leave CODE", "entrants: 2", ""},
			{"SHA256:bob", "cup start CODE", "", "only the owner"},
			{"SHA256:ann", "cup table CODE", "easy", ""},
			{"SHA256:ann", "cup pause CODE", "not started", ""},
			{"SHA256:ann", "cup new x --format league", "", "2 the format must be"},
			{"SHA256:ann", "cup new x --start yesterday", "", "2 --start cannot be"},
			{"SHA256:ann", "cup new x --clock 0s", "", "2 needs a clock"},
			{"SHA256:ann", "cup new x --grace 48h", "", "2 at most a day"},
			{"SHA256:ann", "cup new", "", "2 name is missing"},
			{"SHA256:ann", "cup table", "", "2 code is missing"},
			{"SHA256:ann", "cup table K3F-97W-QXM", "", "there is no tournament"},
			{"SHA256:ann", "cup elsewhere", "", "there is no tournament"},
			{"", "cup new x", "", "choose a name"},
			{"", "cup join CODE", "", "choose a name"},
		} {
			run(x.fingerprint, strings.ReplaceAll(strings.ReplaceAll(x.line, "CODE", code), "code", strings.ToLower(code)), x.out, x.errs)
		}
		run("SHA256:ann", "cup start "+code, "round 1 of 1", "")
		run("SHA256:bob", "cup join "+code, "", "has begun")
		checkTournamentExports(t, s, code)
		run("SHA256:ann", "cup end "+code, "over", "")
		run("SHA256:ann", "cup table "+code+" --json", `"phase": "over"`, "")
		run("SHA256:ann", "cup table "+code+" --csv", "place,name,kind,points,wins,draws,losses,byes,buchholz\n1,", "")
		run("SHA256:ann", "cup start "+code, "", "is over")
	})
}

// checkTournamentExports checks that both exports of a running cup can be read.
func checkTournamentExports(t *testing.T, s *store.Store, code string) {
	t.Helper()
	_, said, _ := ask(s, "SHA256:ann", "cup export "+code)
	if rows, err := csv.NewReader(strings.NewReader(said)).ReadAll(); err != nil || len(rows) != 2 || rows[1][1] != "ann" && rows[1][2] != "ann" {
		t.Errorf("the export is %q, %v", said, err)
	}
	var cup struct {
		Format string
		Table  []struct{ Name string }
		Games  []struct{ First, Second string }
	}
	_, said, _ = ask(s, "SHA256:ann", "cup export --json "+code)
	if err := json.Unmarshal([]byte(said), &cup); err != nil || cup.Format != "swiss" || len(cup.Table) != 2 || len(cup.Games) != 1 {
		t.Errorf("the export is %s, %v", said, err)
	}
}

// TestTournamentStartsOnTime checks that a cup starts at its time, and that it is over if nobody
// has joined.
func TestTournamentStartsOnTime(t *testing.T) {
	bubble(t, func(t *testing.T, s *store.Store) {
		_, said, _ := ask(s, "SHA256:ann", "cup new Empty --start 10m")
		code := strings.TrimSpace(said)
		if _, out, _ := ask(s, "SHA256:ann", "cup next "+code); !strings.Contains(out, "starts on") {
			t.Errorf("before the start: %q", out)
		}
		time.Sleep(11 * time.Minute)
		ask(s, "SHA256:ann", "cup") // the server must be running
		if _, out, _ := ask(s, "SHA256:ann", "cup next "+code); !strings.Contains(out, "over") {
			t.Errorf("after the start: %q", out)
		}
	})
}
