package i18n

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed locales/*.toml
var locales embed.FS

// catalog holds the texts of one language. They are read on first use.
type catalog struct {
	tag     language.Tag
	texts   func() map[Key]text
	printer func() *message.Printer // formats numbers
	english *catalog                // nil for English
	ascii   *catalog                // the same texts in ASCII; nil if they have no such spelling
}

// text is a text in one language. Its forms are CLDR plural forms, indexed by
// [plural.Form]. The first number among the arguments selects the form.
type text struct {
	other string
	forms *[plural.Many + 1]string // nil if there is only one
}

// catalogs returns the available languages: English, then the others sorted by their
// codes.
var catalogs = sync.OnceValue(func() []*catalog {
	all, err := open(locales)
	if err != nil {
		panic(err) // cannot happen: a test reads all files
	}
	return all
})

// open returns a catalog for each file of the folder locales, English first.
func open(files fs.FS) ([]*catalog, error) {
	names, err := fs.Glob(files, "locales/*.toml")
	if err != nil {
		return nil, err
	}
	english := &catalog{}
	all := []*catalog{english}
	for _, name := range names {
		tag, err := language.Parse(strings.TrimSuffix(path.Base(name), ".toml"))
		if err != nil {
			return nil, fmt.Errorf("%s: the name of a file is the tag of its language: %w", name, err)
		}
		c := &catalog{english: english}
		if tag == language.English {
			c = english
		} else {
			all = append(all, c)
		}
		c.tag = tag
		c.texts = sync.OnceValue(func() map[Key]text {
			texts, err := readTexts(files, name)
			if err != nil {
				panic(err)
			}
			return texts
		})
		c.printer = sync.OnceValue(func() *message.Printer {
			digits, _ := tag.SetTypeForKey("nu", "latn") // Latin digits, as on the boards
			return message.NewPrinter(digits)
		})
		if tag == language.German {
			ascii := *c
			ascii.texts = sync.OnceValue(func() map[Key]text { return spellInASCII(c.texts()) })
			c.ascii = &ascii
		}
	}
	return all, nil
}

// umlauts are the letters that German writes as two without them.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue")

// capitalUmlaut matches such a letter in a word of capital letters.
var capitalUmlaut = regexp.MustCompile(`[ÄÖÜ][A-ZÄÖÜ]|[A-ZÄÖÜ][ÄÖÜ]`)

// spellInASCII returns texts with two letters for each umlaut.
func spellInASCII(texts map[Key]text) map[Key]text {
	spell := func(s string) string {
		s = capitalUmlaut.ReplaceAllStringFunc(s, func(pair string) string { return strings.ToUpper(umlauts.Replace(pair)) })
		return umlauts.Replace(s)
	}
	spelled := make(map[Key]text, len(texts))
	for key, t := range texts {
		t.other = spell(t.other)
		if t.forms != nil {
			all := *t.forms
			for form, s := range all {
				all[form] = spell(s)
			}
			t.forms = &all
		}
		spelled[key] = t
	}
	return spelled
}

// forms are the names of plural forms in a file.
var forms = map[string]plural.Form{
	"zero": plural.Zero, "one": plural.One, "two": plural.Two, "few": plural.Few, "many": plural.Many, "other": plural.Other,
}

// readTexts reads a file. Each entry is a key with a text, or with a table of plural
// forms.
func readTexts(files fs.FS, name string) (map[Key]text, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	var entries map[Key]any
	if err := toml.Unmarshal(data, &entries); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	texts := make(map[Key]text, len(entries))
	for key, entry := range entries {
		if texts[key], err = readText(entry); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, key, err)
		}
	}
	return texts, nil
}

func readText(entry any) (text, error) {
	switch entry := entry.(type) {
	case string:
		return text{other: entry}, nil
	case map[string]any:
		t := text{forms: new([plural.Many + 1]string)}
		for name, s := range entry {
			form, known := forms[name]
			said, isText := s.(string)
			if !known || !isText {
				return text{}, fmt.Errorf("%s = %v is not a plural form", name, s)
			}
			t.forms[form] = said
		}
		t.other = t.forms[plural.Other]
		return t, nil
	}
	return text{}, fmt.Errorf("%v is neither a text nor a table of plural forms", entry)
}

// lookup returns the text of a key, falling back to English and then to the key itself.
func (c *catalog) lookup(key Key) text {
	if t, ok := c.texts()[key]; ok {
		return t
	}
	if c.english != nil {
		return c.english.lookup(key)
	}
	return text{other: string(key)}
}

// format returns the text with the arguments, in the right plural form.
func (c *catalog) format(t text, args []any) string {
	if t.forms == nil {
		return t.other
	}
	const enough = 10_000_000 // plural rules ignore higher digits
	for _, a := range args {
		if n, ok := a.(int); ok {
			form := plural.Cardinal.MatchPlural(c.tag, max(n, -n)%enough, 0, 0, 0, 0)
			return cmp.Or(t.forms[form], t.other)
		}
	}
	return t.other
}
