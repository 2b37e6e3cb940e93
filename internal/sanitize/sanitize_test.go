package sanitize_test

import (
	"testing"

	"broadside/internal/sanitize"
)

func TestNormalizeNewlines(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "",
		"a\nb\n":            "a\nb\n",
		"a\r\nb\r\n":        "a\nb\n",
		"a\rb\r":            "a\nb\n",
		"a\r\r\nb\n\rc\r":   "a\n\nb\n\nc\n",
		"ä\r\x00\r\n\xff\r": "ä\n\x00\n\xff\n",
	} {
		if got := sanitize.NormalizeNewlines(text); got != want {
			t.Errorf("NormalizeNewlines(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for s, want := range map[string]string{
		"":                       "",
		"Anna-Lena Müller 42":    "Anna-Lena Müller 42",
		"a\x1b[2Jb\r\n\x07":      "a[2Jb",
		"a\u202eb\u200bc\u0301d": "abcd",
		"\u2800\u3164\ufffd\xff": "",
		"船 ⚓":                    "船 ⚓",
		"Options\u00a0:":         "Options :",
	} {
		if got := sanitize.Text(s); got != want {
			t.Errorf("Text(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestIsAlphanumeric(t *testing.T) {
	for s, want := range map[string]bool{"": true, "azAZ09": true, "a-b_": true, "-": true, "a b": false, "ä": false, "a\n": false, "a.b": false, "\xff": false} {
		if got := sanitize.HasOnlyAlphanumerics(s, "_-"); got != want {
			t.Errorf("IsAlphanumeric(%q) = %v", s, got)
		}
	}
}
