package relay

import (
	"strings"
	"testing"

	"broadside/relay/program"
)

// TestUnknownDirectiveNamesAll checks that the answer to an unknown directive lists those of the server.
func TestUnknownDirectiveNamesAll(t *testing.T) {
	t.Parallel()
	var verbs []string
	for _, e := range directiveTable {
		verbs = append(verbs, e.verb)
	}
	listed := strings.Replace(strings.Join(verbs, ", "), ", ready", " and ready", 1)
	if got, want := program.UnknownDirective, "error unknown directive: there are "+listed; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
