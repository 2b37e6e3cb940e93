package i18n

import (
	"strings"
	"testing"
)

func TestNumbersFollowLanguage(t *testing.T) {
	german := MustParse("de")
	for n, want := range map[int]string{0: "0 Schüsse", 1: "1 Schuss", 2: "2 Schüsse", 12345: "12.345 Schüsse", -1: "-1 Schuss"} {
		if got := german.Text("%d shot||%d shots", n); got != want {
			t.Errorf("text for %d shots = %q, want %q", n, got, want)
		}
	}
}

// TestTextsWithOne checks texts in which a number is often 1.
func TestTextsWithOne(t *testing.T) {
	for _, c := range []struct {
		language string
		key      Key
		args     []any
		want     string
	}{
		{"en", "you have already challenged %s: wait %d second before you try again||you have already challenged %s: wait %d seconds before you try again", []any{"ada", 1}, "you have already challenged ada: wait 1 second before you try again"},
		{"de", "you have already challenged %s: wait %d second before you try again||you have already challenged %s: wait %d seconds before you try again", []any{"ada", 1}, "du hast ada schon herausgefordert: Warte 1 Sekunde bis zum nächsten Mal"},
		{"fr", "%s: %d of %d hit||%s: %d of %d hit", []any{"ada", 1, 5}, "ada\u00a0: 1 touché sur 5"},
		{"fr", "won %d of %d||won %d of %d", []any{1, 3}, "1 victoire sur 3"},
		{"es", "You have not finished: %d fired so far.||You have not finished: %d fired so far.", []any{1}, "No has terminado: 1 disparo hasta ahora."},
	} {
		if got := MustParse(c.language).Text(c.key, c.args...); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	for name, want := range map[string]string{
		"de": "de", "de_AT.UTF-8": "de", "DE-ch": "de", "de@euro": "de", "en_GB": "en", "en": "en",
		"C": "", "tlh_KX.UTF-8": "", "": "", "deutsch": "", "-": "",
	} {
		l, ok := Parse(name)
		if ok != (want != "") || ok && l.String() != want || !ok && l != English {
			t.Errorf("Parse(%q) = %v, %v, want %q", name, l, ok, want)
		}
	}
}

func TestIsYes(t *testing.T) {
	german := MustParse("de")
	for _, c := range []struct {
		l    Language
		key  string
		want bool
	}{{English, "y", true}, {English, "j", false}, {german, "j", true}, {german, "y", true}, {german, "n", false}} {
		if c.l.IsYes(c.key) != c.want {
			t.Errorf("%v: IsYes(%q) = %v", c.l, c.key, !c.want)
		}
	}
}

func BenchmarkConstant(b *testing.B) {
	german := MustParse("de")
	b.ReportAllocs()
	for b.Loop() {
		german.Text("Your turn.")
	}
}

func BenchmarkString(b *testing.B) {
	german := MustParse("de")
	b.ReportAllocs()
	for b.Loop() {
		german.Text("Press enter to fire at %s.", "B7")
	}
}

func BenchmarkPlural(b *testing.B) {
	german := MustParse("de")
	b.ReportAllocs()
	for b.Loop() {
		german.Text("%d ship||%d ships", 3)
	}
}

// BenchmarkOpen measures how long it takes to read a language's file.
func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		all, err := openCatalogs(locales)
		if err != nil {
			b.Fatal(err)
		}
		all[1].texts()
	}
}

func TestGermanInASCII(t *testing.T) {
	de := MustParse("de")
	for text, want := range map[string]string{
		de.ASCIISpelling().Text("Welcome back. Your match continues."): "Willkommen zurueck. Deine Partie geht weiter.",
		de.Text("Welcome back. Your match continues."):                 "Willkommen zurück. Deine Partie geht weiter.",
		de.ASCIISpelling().ASCIISpelling().String():                    "de",
		English.ASCIISpelling().Text("Your turn."):                     English.Text("Your turn."),
	} {
		if text != want {
			t.Errorf("got %q, want %q", text, want)
		}
	}
	for key := range de.catalog().translations() {
		if text := de.ASCIISpelling().Text(key); strings.ContainsAny(text, "äöüßÄÖÜ") {
			t.Errorf("Text(%s) = %q", key, text)
		}
	}
}
