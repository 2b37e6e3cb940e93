package i18n

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
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

// translations returns the forms of all texts of a language. Those of English are in the code.
func (c *catalog) translations() map[Key][]string {
	all := map[Key][]string{}
	domain := c.texts().GetDomain()
	contexts := domain.GetCtxTranslations()
	contexts[""] = domain.GetTranslations()
	for context, texts := range contexts {
		for id, translation := range texts {
			if id == "" {
				continue // the header
			}
			key, forms := id, 1
			if translation.PluralID != "" {
				key, forms = key+"||"+translation.PluralID, 2
			}
			if context != "" {
				key += "##" + context
			}
			all[Key(key)] = make([]string, max(forms, len(translation.Trs)))
			for i, text := range translation.Trs {
				all[Key(key)][i] = text
			}
		}
	}
	return all
}

// Translations returns the keys that each language translates.
func Translations() map[Language]map[Key]bool {
	all := map[Language]map[Key]bool{}
	for _, c := range catalogs()[1:] {
		l := Language{c}
		all[l] = map[Key]bool{}
		for key := range c.translations() {
			all[l][key] = true
		}
	}
	return all
}

// pluralForms returns the English forms of a key.
func (key Key) pluralForms() []string {
	text, _, _ := strings.Cut(string(key), "##")
	return strings.Split(text, "||")
}

// findFaults returns the errors in a language: texts that are empty, and verbs that differ from the
// English ones. file has the language's texts as they are written.
func (c *catalog) findFaults(file string) []string {
	var found []string
	fault := func(key Key, format string, args ...any) {
		found = append(found, fmt.Sprintf("%v: %s: %s", c.tag, key, fmt.Sprintf(format, args...)))
	}
	texts := c.translations()
	// Not counting the header: the parser silently skips what it cannot read, and a text that is
	// defined twice.
	if written := len(regexp.MustCompile(`(?m)^msgid `).FindAllString(file, -1)) - 1; written != len(texts) {
		fault("", "%d texts are written and %d are read: one is written twice, or not valid", written, len(texts))
	}
	for key, forms := range texts {
		original := key.pluralForms()
		want := fmt.Sprint(Verbs(original[len(original)-1]))
		if len(original) > 1 && !strings.Contains(want, ":d") {
			fault(key, "has forms and no %%d")
		}
		for i, text := range forms {
			got := fmt.Sprint(Verbs(text))
			// In a singular, the number may be a word.
			if text == "" || got != want && (i == len(forms)-1 || len(Verbs(text)) > 0) {
				fault(key, "%q has the verbs %v, want %v", text, got, want)
			}
		}
	}
	return found
}

func TestCatalogsHaveNoFaults(t *testing.T) {
	for _, c := range catalogs()[1:] {
		file, err := locales.ReadFile("locales/" + c.tag.String() + ".po")
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range c.findFaults(string(file)) {
			t.Error(fault)
		}
	}
}

// TestFrenchSpaces checks that no line can break before a punctuation mark, which French puts a space before.
func TestFrenchSpaces(t *testing.T) {
	file, err := locales.ReadFile("locales/fr.po")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range regexp.MustCompile(`(?m)^msgstr.* [:;!?].*`).FindAllString(string(file), -1) {
		t.Errorf("%s: want a no-break space before the punctuation mark", line)
	}
}

// TestLanguageIsOneFile checks that a file adds a language, here one with three plural forms.
func TestLanguageIsOneFile(t *testing.T) {
	const polish = `
msgid ""
msgstr ""
"Language: pl\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

msgctxt "language"
msgid "English"
msgstr "polski"

msgid "%d ship"
msgid_plural "%d ships"
msgstr[0] "%d statek"
msgstr[1] "%d statki"
msgstr[2] "%d statków"
`
	all, err := openCatalogs(fstest.MapFS{"locales/pl.po": {Data: []byte(polish)}})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 {
		t.Fatalf("got %d languages, want 2", len(all))
	}
	l := Language{all[1]}
	if l.String() != "pl" || l.Name() != "polski" {
		t.Errorf("got language %v with the name %q", l, l.Name())
	}
	for n, want := range map[int]string{1: "1 statek", 3: "3 statki", 5: "5 statków", 22: "22 statki", 100: "100 statków", 1005: "1\u00a0005 statków"} {
		if got := l.Text("%d ship||%d ships", n); got != want {
			t.Errorf("text for %d ships = %q, want %q", n, got, want)
		}
	}
	if got := l.Text("Hello %s", "x"); got != "Hello x" {
		t.Errorf("text without a translation = %q", got)
	}
	for _, fault := range all[1].findFaults(polish) {
		t.Error(fault)
	}
}

// TestFaultsAreFound checks that translators' mistakes are detected.
func TestFaultsAreFound(t *testing.T) {
	const header = "msgid \"\"\nmsgstr \"\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n"
	for name, c := range map[string]struct{ file, want string }{
		"complete":    {"msgid \"Hello %s\"\nmsgstr \"Hallo %s\"\n\nmsgid \"%d ship\"\nmsgid_plural \"%d ships\"\nmsgstr[0] \"ein Schiff\"\nmsgstr[1] \"%d Schiffe\"\n", ""},
		"verbs":       {"msgid \"Hello %s\"\nmsgstr \"Hallo %d\"\n", "map[1:d], want map[1:s]"},
		"order":       {"msgid \"%s and %d\"\nmsgstr \"%[2]d und %[1]s\"\n", ""},
		"form":        {"msgid \"%d ship\"\nmsgid_plural \"%d ships\"\nmsgstr[0] \"%d Schiff\"\n", `"" has the verbs map[], want map[1:d]`},
		"empty":       {"msgid \"Hello\"\nmsgstr \"\"\n", `""`},
		"twice":       {"msgid \"Hello\"\nmsgstr \"Hallo\"\n\nmsgid \"Hello\"\nmsgstr \"Hallo\"\n", "2 texts are written and 1 are read"},
		"no quote":    {"msgid Hello\nmsgstr \"Hallo\"\n", "1 texts are written and 0 are read"},
		"not counted": {"msgid \"a ship\"\nmsgid_plural \"ships\"\nmsgstr[0] \"ein Schiff\"\nmsgstr[1] \"Schiffe\"\n", "has forms and no %d"},
	} {
		all, err := openCatalogs(fstest.MapFS{"locales/de.po": {Data: []byte(header + c.file)}})
		if err != nil {
			t.Fatal(err)
		}
		found := strings.Join(all[1].findFaults(header+c.file), "\n")
		if (c.want == "") != (found == "") || !strings.Contains(found, c.want) {
			t.Errorf("findFaults(%s) = %q, want %q", name, found, c.want)
		}
	}
	if _, err := openCatalogs(fstest.MapFS{"locales/klingon!.po": {}}); err == nil {
		t.Error("openCatalogs accepts a file name that is no language")
	}
}

func TestKeySyntax(t *testing.T) {
	for key, want := range map[Key]string{
		"%s: %d":                          "x: 1",
		"%s has %d ship||%s has %d ships": "x has 1 ship",
		"%s, %d##list":                    "x, 1",
		"%s: %d||%s of %d##of":            "x: 1",
	} {
		if got := English.Text(key, "x", 1); got != want {
			t.Errorf("Text(%q) = %q, want %q", key, got, want)
		}
	}
}
