package sanitize_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"broadside/internal/sanitize"
)

func TestDecode(t *testing.T) {
	for _, text := range []string{"", "x", "bs_0000\n", "Zerstörer I1 I2\nAvión 船 ⚓ 🚢\n\n", "\n# x\n"} {
		for _, end := range []string{"\n", "\r\n", "\r"} {
			for name, encoded := range encodeInAll(strings.ReplaceAll(text, "\n", end)) {
				if got := sanitize.Decode([]byte(encoded)); got != text {
					t.Errorf("%s with %q: Decode(%q) = %q, want %q", name, end, encoded, got, text)
				}
			}
		}
	}
	for text, want := range map[string]string{
		"a\xffb":                 "a\xffb",
		"ab\x00c":                "ab\x00c",
		"\x00\x00a":              "\x00\x00a",
		"\xff":                   "\xff",
		"\xef\xbb":               "\xef\xbb",
		"\ufeff\ufeffa":          "\ufeffa",
		"a\x00b\x00\n":           "ab\n",
		"\xff\xfea\x00\x3d\xd8":  "a\ufffd",
		"\xff\xfe\x3d\xd8a\x00b": "\ufffdb",
	} {
		if got := sanitize.Decode([]byte(text)); got != want {
			t.Errorf("Decode(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestReaderDecodesPieces checks that a text that arrives in pieces is decoded in the same way, and
// that errors of the source are returned.
func TestReaderDecodesPieces(t *testing.T) {
	const text = "Zerstörer 🚢\r\nx"
	for name, encoded := range encodeInAll(text) {
		if name != "UTF-16LE" {
			got, err := io.ReadAll(iotest.OneByteReader(sanitize.NewReader(iotest.OneByteReader(strings.NewReader(encoded)))))
			if string(got) != text || err != nil {
				t.Errorf("%s: got %q, %v", name, got, err)
			}
		}
		broken := errors.New("broken")
		got, err := io.ReadAll(sanitize.NewReader(io.MultiReader(strings.NewReader(encoded), iotest.ErrReader(broken))))
		if string(got) != text || !errors.Is(err, broken) {
			t.Errorf("%s, then an error: got %q, %v", name, got, err)
		}
	}
}

// TestReaderDoesNotWait checks that a single byte is returned before the next one arrives.
func TestReaderDoesNotWait(t *testing.T) {
	in, out := io.Pipe()
	defer in.Close()
	go io.WriteString(out, "\n")
	b := make([]byte, 9)
	if n, err := sanitize.NewReader(in).Read(b); string(b[:n]) != "\n" || err != nil {
		t.Errorf("Read = %q, %v, want a line feed", b[:n], err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range encodeInAll("Zerstörer 🚢\r\n") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if decoded := sanitize.Decode([]byte(text)); strings.Contains(decoded, "\r") {
			t.Errorf("Decode(%q) = %q", text, decoded)
		}
		if !utf8.ValidString(text) || strings.HasPrefix(text, "\x00") {
			return
		}
		want := sanitize.NormalizeNewlines("#" + text)
		for name, encoded := range encodeInAll("#" + text) {
			if got := sanitize.Decode([]byte(encoded)); got != want {
				t.Errorf("%s: Decode(%q) = %q, want %q", name, encoded, got, want)
			}
		}
	})
}

func TestQuoteTruncated(t *testing.T) {
	for s, want := range map[string]string{
		"(1,[0,0]).":                    `"(1,[0,0])."`,
		"\x00\xffä\x1b[2J\"\t":          `"\x00\xff\u00e4\x1b[2J\"\t"`,
		"0123456789abcdefghijklmnopqrs": `"0123456789abcdefghijklmno"...`,
		strings.Repeat("\x00", 9):       `"\x00\x00\x00\x00\x00\x00"...`,
	} {
		if got := sanitize.QuoteTruncated(s, 30); got != want {
			t.Errorf("QuoteTruncated(%q) = %s, want %s", s, got, want)
		}
	}
}
