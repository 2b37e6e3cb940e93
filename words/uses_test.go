package words_test

import (
	"go/types"
	"regexp"
	"slices"
	"testing"

	"broadside/words"
)

// letters is what makes a text one that has to be translated.
var letters = regexp.MustCompile(`[A-Za-z]{2}`)

// TestEveryTextIsThere reads the whole program.
func TestEveryTextIsThere(t *testing.T) {
	fset, all := program(t)
	texts, calls, wrong := used(fset, all)
	for _, w := range wrong {
		t.Error(w)
	}
	for text, at := range texts {
		if !words.Has(text) && letters.MatchString(withoutVerbs.ReplaceAllString(text, "")) {
			t.Errorf("%v: %q has no German: see german_*.go", at, text)
		}
	}
	for _, key := range words.Keys() {
		if _, ok := texts[key]; !ok {
			t.Errorf("%q is in the catalogs, and nobody says it", key)
		}
	}
	for _, c := range calls {
		verbs := words.Verbs(c.text)
		if c.more {
			continue
		}
		if len(verbs) != len(c.args) {
			t.Errorf("%v: %q takes %d arguments and gets %d", c.at, c.text, len(verbs), len(c.args))
			continue
		}
		for i, a := range c.args {
			whole := false
			if b, ok := a.Underlying().(*types.Basic); ok {
				whole = b.Info()&types.IsInteger != 0
			}
			if v := verbs[i+1]; v == "d" != whole && v != "s" && v != "v" && v != "q" && v != "c" {
				t.Errorf("%v: argument %d of %q is %v", c.at, i+1, c.text, a)
			}
		}
	}
}

var withoutVerbs = regexp.MustCompile(`%[-+ #0-9.\[\]]*[a-z]`)

// plainly are the strings of the screens that are the same in every language,
// or are no words.
var plainly = []string{
	`gamesscreen.go: "   ssh HOST replay "`,
	`page.go: "Broadside"`,
	`waitscreen.go: "ssh -t HOST join "`,
}

// TestScreensSayTexts finds English on the screens that is no text.
func TestScreensSayTexts(t *testing.T) {
	fset, all := program(t)
	at := slices.IndexFunc(all, func(s source) bool { return s.path == "broadside/tui" })
	if at < 0 {
		t.Fatal("the screens do not speak")
	}
	for _, l := range literals(fset, all[at]) {
		if !slices.Contains(plainly, l) {
			t.Errorf("%s is on a screen and no text: have it said, or list it in plainly", l)
		}
	}
}
