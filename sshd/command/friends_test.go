package command_test

import (
	"strings"
	"testing"

	"broadside/internal/store"
)

func TestFriends(t *testing.T) {
	bubble(t, func(t *testing.T, s *store.Store) {
		for _, x := range []struct{ fingerprint, line, out, errs string }{
			{"SHA256:ann", "friends", "You are not following anyone.", ""},
			{"SHA256:ann", "friends add BOB", "You follow BOB.", ""},
			{"SHA256:ann", "friends", "bob   offline", ""},
			{"SHA256:ann", "friends --json", `"state": "offline"`, ""},
			{"SHA256:ann", "friends add hard", "", "you cannot follow hard"},
			{"SHA256:ann", "friends add nobody-here", "", "nobody has the name"},
			{"SHA256:ann", "friends remove bob", "You no longer follow bob.", ""},
			{"SHA256:ann", "friends remove bob", "", "you do not follow bob"},
			{"SHA256:ann", "friends add", "", "name is missing"},
			{"SHA256:new", "friends", "", "no account yet"},
			{"", "friends", "", "connect with an SSH key"},
		} {
			status, out, errs := ask(s, x.fingerprint, x.line)
			if !strings.Contains(out, x.out) || !strings.Contains(strings.ToLower(errs), strings.ToLower(x.errs)) || (status == 0) != (x.errs == "") {
				t.Errorf("%s: status %d, output %q, errors %q", x.line, status, out, errs)
			}
		}
	})
}
