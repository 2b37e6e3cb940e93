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

func TestHello(t *testing.T) {
	for _, c := range []struct {
		line, name string
		ok         bool
	}{
		{"% hello broadside/1 name=kraken version=2.1", "kraken", true},
		{"% hello broadside/1 version=2.1 name=Kr-a_k3n", "Kr-a_k3n", true},
		{"% hello broadside/1", "", true},
		{"% hello broadside/1 colour=red", "", true},
		{"% hello broadside/1 name=" + strings.Repeat("x", 16), strings.Repeat("x", 16), true},
		{"% hello broadside/1 name=" + strings.Repeat("x", 17), "", false},
		{"% hello broadside/1 name=", "", false},
		{"% hello broadside/1 name=a=b", "", false},
		{"% hello broadside/1 name=\x1b[31mred", "", false},
		{"% hello broadside/1 name=krakén", "", false},
		{"% hello broadside/2 name=kraken", "", false},
		{"% hello", "", false},
	} {
		name, wrong := parseHello(client.ParseDirective([]byte(c.line)).Args)
		if (wrong == "") != c.ok || name != c.name {
			t.Errorf("%q is %q, wrong: %q", c.line, name, wrong)
		}
	}
}

var clean = regexp.MustCompile(`^[A-Za-z0-9_-]{0,16}$`)

// FuzzDirective checks that every directive has exactly one answer, which is one line of
// printable text, and that names are clean.
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
		c := newConn(server, carriedWire{ReadCloser: io.NopCloser(strings.NewReader("")), Writer: io.Discard})
		defer c.leave()
		if err := c.open(""); err != nil {
			t.Fatal(err)
		}
		defer c.session.Close()
		answer, ready, _ := c.obey(client.ParseDirective(line))
		if !c.directing {
			t.Error("a client that has sent a directive is not known to understand directives")
		}
		if !strings.HasPrefix(answer, "ok ") && !strings.HasPrefix(answer, "error ") {
			t.Errorf("%q is answered %q", line, answer)
		}
		if ready && !strings.HasPrefix(answer, "ok ") {
			t.Errorf("%q lets the client in, with %q", line, answer)
		}
		if s := printable(answer); strings.ContainsAny(s, "\r\n\x1b\x00") {
			t.Errorf("%q is answered %q", line, s)
		}
		if !clean.MatchString(c.identity().Name) {
			t.Errorf("%q names the client %q", line, c.identity().Name)
		}
	})
}

// TestLeaveBeforeSession checks that a client can be disconnected before its session is open.
func TestLeaveBeforeSession(t *testing.T) {
	l := lobbytest.Open(lobby.Config{})
	defer l.Close()
	c := newConn(New(Config{Host: &session.Host{Lobby: l}}), carriedWire{ReadCloser: io.NopCloser(strings.NewReader("")), Writer: io.Discard})
	c.leave()
	if err := c.open(""); err != nil {
		t.Fatal(err)
	}
	c.run()
}
