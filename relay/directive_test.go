package relay

import (
	"io"
	"regexp"
	"strings"
	"testing"

	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/relay/client"
)

var cleanName = regexp.MustCompile(`^[A-Za-z0-9_-]{0,16}$`)

// FuzzDirective checks that every directive has an answer of one line of printable text, and that names
// are clean.
func FuzzDirective(f *testing.F) {
	for _, s := range []string{
		"% hello broadside/1 name=kraken", "% vs bot easy", "% vs any", "% vs player \x1b[2J", "% rules classic",
		"% rules \x00\xff", "% layout uniform", "% ready", "% token 6f", "% games 100", "%", "% \u202e dance",
	} {
		f.Add([]byte(s))
	}
	l := lobbytest.Open(lobby.Config{})
	defer l.Close()
	server := New(Config{Host: &session.Host{Lobby: l}})
	f.Fuzz(func(t *testing.T, line []byte) {
		if len(line) == 0 || line[0] != '%' {
			return
		}
		c := newConn(server, &streamTransport{ReadCloser: io.NopCloser(strings.NewReader("")), Writer: io.Discard})
		defer c.leave()
		if err := c.openSession(""); err != nil {
			t.Fatal(err)
		}
		defer c.session.Close()
		answer, ready, _ := c.applyDirective(client.ParseDirective(line))
		if !c.usesDirectives {
			t.Errorf("usesDirectives = false after %q", line)
		}
		if !strings.HasPrefix(answer, "ok ") && !strings.HasPrefix(answer, "error ") {
			t.Errorf("applyDirective(%q) = %q, want ok or error", line, answer)
		}
		if ready && !strings.HasPrefix(answer, "ok ") {
			t.Errorf("applyDirective(%q) = %q, but the client may enter", line, answer)
		}
		if s := stripUnprintable(answer); strings.ContainsAny(s, "\r\n\x1b\x00") {
			t.Errorf("applyDirective(%q) = %q, want printable text", line, s)
		}
		if !cleanName.MatchString(c.identity().Name) {
			t.Errorf("after %q, the client's name is %q", line, c.identity().Name)
		}
	})
}
