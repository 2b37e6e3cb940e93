package client

import (
	"slices"
	"strings"
	"testing"
)

func TestParseDirective(t *testing.T) {
	for _, c := range []struct {
		line, verb string
		args       []string
	}{
		{"% ready", "ready", nil},
		{"%ready", "ready", nil},
		{"%\t Ready \t", "ready", nil},
		{"% vs bot hard", "vs", []string{"bot", "hard"}},
		{"%", "", nil},
		{"%   ", "", nil},
		{"%% ready", "%", []string{"ready"}},
	} {
		d := ParseDirective([]byte(c.line))
		if d.Verb != c.verb || !slices.Equal(d.Args, c.args) {
			t.Errorf("ParseDirective(%q) = %+v, want %q %q", c.line, d, c.verb, c.args)
		}
	}
}

// TestDirectivesLines checks that directives come in an order that a server accepts, and that empty fields are
// left out.
func TestDirectivesLines(t *testing.T) {
	d := Directives{
		Name: "kraken", Token: "bs_x", Rules: "hasbro", Layout: "uniform", Games: 3, Versus: "bot hard", Ladder: true,
	}
	want := "% hello broadside/1 name=kraken|% token bs_x|% rules hasbro|% layout uniform|% games 3|" +
		"% resume|% ladder|% vs bot hard|% ready"
	if got := strings.Join(d.Lines("% resume"), "|"); got != want {
		t.Errorf("Lines() = %s, want %s", got, want)
	}
	if got, want := strings.Join(Directives{}.Lines(), "|"), "% hello broadside/1|% ready"; got != want {
		t.Errorf("without fields, Lines() = %s, want %s", got, want)
	}
}
