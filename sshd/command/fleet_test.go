package command_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/sshd"
)

// send runs a command line with input.
func send(s *store.Store, fingerprint, line string, in io.ReadCloser) (status int, out, errs string) {
	return run(s, sshd.User{Name: "ann", Fingerprint: fingerprint}, line, in)
}

const (
	apart    = "# my own\n5 A1 A5\nSchlachtschiff C1 C4\ncruiser (0,4), (2,4)\nsubmarine G1 G3\ndestroyer I1 I2\n"
	touching = "5 A1 A5\n4 B1 B4\n3 C1 C3\n3 D1 D3\n2 E1 E2"
)

func TestFleets(t *testing.T) {
	bubble(t, func(t *testing.T, s *store.Store) {
		for _, c := range []struct {
			line, in string
			status   int
			says     string // its beginning, of the output or of the errors
		}{
			{"fleet list", "", 0, "You have no saved fleets. To save one: ssh HOST fleet import"},
			{"fleet list --json", "", 0, "[]\n"},
			{"fleet import Home", apart, 0, "saved: Home, classic\n"},
			{"fleet import Home", strings.ReplaceAll(apart, "\n", "\r"), 0, "saved: Home, classic\n"},
			{"fleet import tight", touching, 0, "saved: tight, hasbro\n"},
			{"fleet import tight --rules classic", touching, 1, "Invalid classic fleet: line 2: "},
			{"fleet import bad", "5 A1 A5\n\n4 C1 C5\n", 1, "Invalid classic fleet: line 3: "},
			{"fleet import bad", "5 A1 A5\n", 1, "Invalid classic fleet: "},
			{"fleet import bad", "", 1, "Invalid classic fleet: no ships found"},
			{"fleet import bad", strings.Repeat("#\n", 64<<10), 1, "Invalid classic fleet: the layout file is too long: at most"},
			{"fleet import two", "Player 1\n" + apart + "Player 2\n" + apart, 1, "This file has two fleets"},
			{"fleet import 0123456789abcdefg", apart, 1, "The name of a fleet is 1 to 16"},
			{"fleet import ../x", apart, 1, "The name of a fleet is 1 to 16"},
			{"fleet list", "", 0, "NAME   RULES    SAVED (UTC)\nHome   classic  2000-01-01 00:00\ntight  hasbro   2000-01-01 00:00\n"},
			{"fleet export HOME", "", 0, "carrier A1 A5\nbattleship C1 C4\ncruiser E1 E3\n"},
			{"fleet export bad", "", 1, "You have no saved fleet with that name."},
			{"fleet remove home", "", 0, "removed: home\n"},
			{"fleet remove home", "", 1, "You have no saved fleet with that name."},
			{"fleet", "", 2, "Choose one of these commands:\n  ssh HOST fleet list"},
			{"fleet sink", "", 2, "Choose one of these commands:\n"},
			{"fleet import", apart, 2, "Fleet import: NAME is missing.\nUsage: ssh HOST fleet import NAME"},
			{"fleet list all", "", 2, `Fleet list: unexpected argument "all".`},
			{"fleet import x --rules chess", apart, 2, `There are no rules called "chess"`},
		} {
			status, out, errs := send(s, "SHA256:ann", c.line, io.NopCloser(strings.NewReader(c.in)))
			if status != c.status || !strings.HasPrefix(out+errs, c.says) || (out == "") == (errs == "") {
				t.Errorf("%s: status %d, output %q, errors %q; want status %d and %q", c.line, status, out, errs, c.status, c.says)
			}
		}
		_, out, _ := send(s, "SHA256:ann", "fleet list --json", nothing)
		var all []struct {
			Name, Rules, Saved string
			Layout             []string
		}
		if err := json.Unmarshal([]byte(out), &all); err != nil || len(all) != 1 || all[0].Name != "tight" || len(all[0].Layout) != 5 {
			t.Errorf("as JSON: %s (%v)", out, err)
		}
		// An exported fleet can be imported.
		_, out, _ = send(s, "SHA256:ann", "fleet export tight", nothing)
		if status, _, errs := send(s, "SHA256:bob", "fleet import tight", io.NopCloser(strings.NewReader(out))); status != 0 {
			t.Errorf("imported again: %s", errs)
		}
		for i := 1; i < store.MaxFleets; i++ {
			send(s, "SHA256:ann", fmt.Sprint("fleet import n", i), io.NopCloser(strings.NewReader(apart)))
		}
		if status, _, errs := send(s, "SHA256:ann", "fleet import one-more", io.NopCloser(strings.NewReader(apart))); status != 1 || !strings.Contains(errs, "20 saved fleets") {
			t.Errorf("one too many: status %d, %s", status, errs)
		}
		for key, want := range map[string]string{"": "connect with an SSH key", "SHA256:new": "no account yet"} {
			if status, _, errs := send(s, key, "fleet list", nothing); status != 1 || !strings.Contains(errs, want) {
				t.Errorf("the key %q: status %d, %s", key, status, errs)
			}
		}
	})
}

// TestFleetThatNeverComes checks that a command does not wait for input that never comes.
func TestFleetThatNeverComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sampleStore(t)
		defer s.Close()
		in, out := io.Pipe()
		defer out.Close()
		start := time.Now()
		status, _, errs := send(s, "SHA256:ann", "fleet import home", in)
		if status != 1 || !strings.Contains(errs, "no fleet on standard input") && !strings.Contains(errs, "No fleet on standard input") || time.Since(start) > time.Minute {
			t.Errorf("status %d after %v, %s", status, time.Since(start), errs)
		}
	})
}
