package command_test

import (
	"strings"
	"testing"

	"broadside/internal/store"
)

// TestRegister checks that a key opens an account after register, that repeating the command
// changes nothing, and that names and keys are checked.
func TestRegister(t *testing.T) {
	bubble(t, func(t *testing.T, s *store.Store) {
		for _, c := range []struct {
			key, line string
			status    int
			out, errs string
		}{
			{"", "whoami", 0, "ACCOUNT   none: you are a guest\nKEY       –\nPROGRAMS  –\n", ""},
			{"", "register carl", 2, "", "an account needs a key"},
			{"SHA256:carl", "register", 2, "", "NAME is missing"},
			{"SHA256:carl", "register BOB", 1, "", "taken"},
			{"SHA256:carl", "register x", 1, "", "A name has 3 to 16"},
			{"SHA256:carl", "register carl", 0, "ACCOUNT   carl\nKEY       SHA256:carl\nPROGRAMS  –\n", ""},
			{"SHA256:carl", "register Carl --json", 0, "{\n  \"account\": \"carl\",\n  \"key\": \"SHA256:carl\",\n  \"programs\": []\n}\n", ""},
			{"SHA256:carl", "register anton", 1, "", "Your key already belongs to the account carl"},
			{"SHA256:carl", "token new kraken1 --json", 0, "{\n  \"name\": \"kraken1\",\n  \"token\": \"bs_", ""},
			{"SHA256:carl", "whoami", 0, "PROGRAMS  kraken1\n", ""},
			{"", "bots --rules salvo", 0, "NAME ", ""},
			{"", "bots --rules chess", 2, "", `no rules called "chess"`},
			{"", "rules", 0, "naval    10×10  5 4 4 3 3 3 2 2 2 2  no contact, ships move\n", ""},
			{"", "version", 0, "devel", ""},
		} {
			status, out, errs := ask(s, c.key, c.line)
			if status != c.status || !strings.Contains(out, c.out) || (c.out == "") != (out == "") || !strings.Contains(errs, c.errs) || (c.errs == "") != (errs == "") {
				t.Errorf("%s: status %d, output %q, errors %q; want status %d, %q, %q", c.line, status, out, errs, c.status, c.out, c.errs)
			}
		}
	})
}
