package chat

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzClean checks that any text is cleaned to one short line without control
// characters.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"hello", "\x1b[2J", "a\u202eb", "\xff", strings.Repeat("ab ", 99)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := cleanLine(s)
		if n := utf8.RuneCountInString(got); n > MaxLine || !utf8.ValidString(got) {
			t.Errorf("%d characters of %q", n, got)
		}
		if strings.ContainsAny(got, "\x1b\n\r\t\x00\u202e\u200b") || strings.TrimSpace(got) != got || strings.Contains(got, "  ") {
			t.Errorf("not clean: %q", got)
		}
		if again := cleanLine(got); again != got {
			t.Errorf("%q cleaned again is %q", got, again)
		}
	})
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"  two \t\r\n words  ":               "two words",
		"\x1b[31mred\x1b]0;title\x07":        "[31mred]0;title",
		"\u202eevil\u2066\u200b\u200d\ufeff": "evil",
		"a\u0300\u0301\u0302\u20dd":          "a",
		"\u3164x\u115f\u2800\u034f":          "x",
		"bad\xff\xfeutf8\x00":                "badutf8",
		strings.Repeat("é", 200):             strings.Repeat("é", MaxLine),
		strings.Repeat("x ", 100):            strings.TrimSpace(strings.Repeat("x ", MaxLine/2)),
		strings.Repeat("y", 10<<20):          strings.Repeat("y", MaxLine),
		"":                                   "", "\x1b\x00": "", strings.Repeat("\u200b", 10<<20): "",
	} {
		if got := cleanLine(text); got != want {
			t.Errorf("%.20q is cleaned to %q, want %q", text, got, want)
		}
	}
}
