package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestLog: what a log was given comes before what a line says, in every format,
// and a new level holds for logs that were made before.
func TestLog(t *testing.T) {
	for format, want := range map[string]string{
		"text":   ` INFO comes conn=3 session=4 name=ann`,
		"logfmt": ` level=info msg=comes conn=3 session=4 name=ann`,
		"json":   `"msg":"comes","conn":3,"session":4,"name":"ann"`,
	} {
		var out bytes.Buffer
		log, setLevel, err := newLog(&out, "warn", format)
		if err != nil {
			t.Fatal(err)
		}
		one := log.With("conn", 3)
		two, other := one.With("session", 4), one.With("hatch", "aft")
		two.Info("too early")
		setLevel("info")
		two.Info("comes", "name", "ann")
		if s := out.String(); !strings.Contains(s, want) || strings.Count(s, "\n") != 1 {
			t.Errorf("%s: %q, want %q", format, s, want)
		}
		out.Reset()
		other.Info("goes")
		if s := out.String(); !strings.Contains(s, "aft") || strings.Contains(s, "session") {
			t.Errorf("%s: a log has the attributes of its sibling: %q", format, s)
		}
	}
}
