package newline_test

import (
	"testing"

	"broadside/internal/newline"
)

func TestNormalize(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "",
		"a\nb\n":            "a\nb\n",
		"a\r\nb\r\n":        "a\nb\n",
		"a\rb\r":            "a\nb\n",
		"a\r\r\nb\n\rc\r":   "a\n\nb\n\nc\n",
		"ä\r\x00\r\n\xff\r": "ä\n\x00\n\xff\n",
	} {
		if got := newline.Normalize(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
