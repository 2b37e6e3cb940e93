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
		got := clean(s)
		if n := utf8.RuneCountInString(got); n > MaxLine || !utf8.ValidString(got) {
			t.Errorf("%d characters of %q", n, got)
		}
		if strings.ContainsAny(got, "\x1b\n\r\t\x00\u202e\u200b") || strings.TrimSpace(got) != got || strings.Contains(got, "  ") {
			t.Errorf("not clean: %q", got)
		}
		if again := clean(got); again != got {
			t.Errorf("%q cleaned again is %q", got, again)
		}
	})
}
