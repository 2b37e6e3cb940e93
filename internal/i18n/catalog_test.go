package i18n

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/feature/plural"
)

// verb matches a verb of package fmt: the number of its argument, and the verb.
var verb = regexp.MustCompile(`%[-+ #0]*(?:\d+)?(?:\.\d+)?(?:\[(\d+)\])?(?:\d+)?([a-zA-Z%])`)

// Verbs returns the verbs of a text by argument, counted from 1.
func Verbs(text string) map[int]string {
	all := map[int]string{}
	next := 1
	for _, m := range verb.FindAllStringSubmatch(text, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			fmt.Sscan(m[1], &next)
		}
		all[next] = m[2]
		next++
	}
	return all
}

// Keys returns the keys of the English texts.
func Keys() []Key {
	var all []Key
	for key := range catalogs()[0].texts() {
		all = append(all, key)
	}
	return all
}

// faults returns the errors in catalogs: texts that are empty or not in English, verbs that
// differ from the English ones, and missing plural forms. A missing translation is not an
// error, because they are shown in English; see TestTranslationsAreComplete.
func faults(all []*catalog) []string {
	var found []string
	english := all[0].texts()
	for _, c := range all {
		fault := func(key Key, format string, args ...any) {
			found = append(found, fmt.Sprintf("%v.toml: %s: %s", c.tag, key, fmt.Sprintf(format, args...)))
		}
		texts := c.texts()
		for key, t := range texts {
			original, ok := english[key]
			if !ok {
				fault(key, "is not in en.toml")
				continue
			}
			want := fmt.Sprint(Verbs(original.other))
			for form, text := range each(t) {
				if got := fmt.Sprint(Verbs(text)); text == "" || got != want && (form == plural.Other || len(Verbs(text)) > 0) {
					fault(key, "%q has the verbs %v, want %v", text, got, want)
				}
			}
			for form, n := range c.counts() {
				if t.forms != nil && t.forms[form] == "" {
					fault(key, "lacks the form for %d", n)
				}
			}
			if t.forms != nil && !strings.Contains(want, ":d") {
				fault(key, "has forms and no %%d")
			}
		}
	}
	return found
}

// each returns the forms of a text.
func each(t text) map[plural.Form]string {
	all := map[plural.Form]string{plural.Other: t.other}
	if t.forms != nil {
		for form, text := range t.forms {
			if text != "" {
				all[plural.Form(form)] = text
			}
		}
	}
	return all
}

// counts returns a number for each plural form of a language.
func (c *catalog) counts() map[plural.Form]int {
	all := map[plural.Form]int{}
	for n := range 1000 {
		all[plural.Cardinal.MatchPlural(c.tag, n, 0, 0, 0, 0)] = n
	}
	return all
}

func TestCatalogs(t *testing.T) {
	for _, fault := range faults(catalogs()) {
		t.Error(fault)
	}
}

// TestLanguageIsOneFile adds a language with four plural forms.
func TestLanguageIsOneFile(t *testing.T) {
	folder := fstest.MapFS{}
	for _, name := range []string{"locales/en.toml", "locales/de.toml"} {
		data, err := locales.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		folder[name] = &fstest.MapFile{Data: data}
	}
	var polish strings.Builder
	for key, of := range catalogs()[0].texts() {
		switch {
		case key == "language-name":
			polish.WriteString("language-name = \"polski\"\n")
		case key == "n-ships":
			polish.WriteString("n-ships = { one = \"%d statek\", few = \"%d statki\", many = \"%d statków\", other = \"%d statku\" }\n")
		default:
			fmt.Fprintf(&polish, "%s = %q\n", key, of.other)
		}
	}
	folder["locales/pl.toml"] = &fstest.MapFile{Data: []byte(polish.String())}
	all, err := open(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 3 {
		t.Fatalf("%d languages, want 3", len(all))
	}
	l := Language{all[2]}
	if l.String() != "pl" || l.Name() != "polski" {
		t.Errorf("the language is %v with the name %q", l, l.Name())
	}
	for n, want := range map[int]string{1: "1 statek", 3: "3 statki", 5: "5 statków", 22: "22 statki", 100: "100 statków", 1005: "1\u00a0005 statków"} {
		if got := l.Text("n-ships", n); got != want {
			t.Errorf("%d ships are %q, want %q", n, got, want)
		}
	}
	for _, fault := range faults(all) {
		t.Error(fault)
	}
}

// TestFaultsAreFound checks that [faults] and [open] detect translators' mistakes.
func TestFaultsAreFound(t *testing.T) {
	english := "hello = \"Hello %s\"\nships = { one = \"%d ship\", other = \"%d ships\" }\n"
	for name, c := range map[string]struct{ file, want string }{
		"complete":     {"hello = \"Hallo %s\"\nships = { one = \"%d Schiff\", other = \"%d Schiffe\" }\n", ""},
		"untranslated": {"hello = \"Hallo %s\"\n", ""},
		"additional":   {"hello = \"Hallo %s\"\nships = \"%d\"\nbye = \"x\"\n", "bye: is not in en.toml"},
		"verbs":        {"hello = \"Hallo %d\"\nships = \"%d\"\n", "map[1:d], want map[1:s]"},
		"form":         {"hello = \"Hallo %s\"\nships = { other = \"%d Schiffe\" }\n", "ships: lacks the form for 1"},
		"empty":        {"hello = \"\"\nships = \"%d\"\n", "hello: \"\""},
		"not counted":  {"hello = { one = \"Hallo %s\", other = \"Hallo %s\" }\nships = \"%d\"\n", "has forms and no %d"},
	} {
		all, err := open(fstest.MapFS{"locales/en.toml": {Data: []byte(english)}, "locales/de.toml": {Data: []byte(c.file)}})
		if err != nil {
			t.Fatal(err)
		}
		found := strings.Join(faults(all), "\n")
		if (c.want == "") != (found == "") || !strings.Contains(found, c.want) {
			t.Errorf("%s: found %q, want %q", name, found, c.want)
		}
	}
	for _, bad := range []string{"hello = 1", "hello = { some = \"x\" }", "hello = { one = 1 }", "hello", "a = \"1\"\na = \"2\""} {
		if _, err := readTexts(fstest.MapFS{"de.toml": {Data: []byte(bad)}}, "de.toml"); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
	if _, err := open(fstest.MapFS{"locales/klingon!.toml": {}}); err == nil {
		t.Error("a file without a language was opened")
	}
}

func TestFallback(t *testing.T) {
	all, err := open(fstest.MapFS{"locales/en.toml": {Data: []byte("a = \"A %s\"")}, "locales/de.toml": {}})
	if err != nil {
		t.Fatal(err)
	}
	l := Language{all[1]}
	if got := l.Text("a", "x"); got != "A x" {
		t.Errorf("a text without translation is %q", got)
	}
	if got := l.Text("%s: %s", "x", "y"); got != "x: y" {
		t.Errorf("a format is %q", got)
	}
}
