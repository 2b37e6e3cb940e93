package client

import (
	"slices"
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
			t.Errorf("%q is %+v", c.line, d)
		}
	}
}
