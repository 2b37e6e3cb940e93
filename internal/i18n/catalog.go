package i18n

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/leonelquinteros/gotext"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed locales/*.po
var locales embed.FS

// catalog holds the texts of one language. They are read on first use.
type catalog struct {
	tag     language.Tag
	texts   func() *gotext.Po       // nil for English
	printer func() *message.Printer // formats numbers
	spell   func(string) string     // changes the spelling of a text; nil to keep it
	ascii   *catalog                // the same language in ASCII; nil if it has no such spelling
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

// open returns English and a catalog for each file of the folder locales.
func open(files fs.FS) ([]*catalog, error) {
	names, err := fs.Glob(files, "locales/*.po")
	if err != nil {
		return nil, err
	}
	all := []*catalog{newCatalog(language.English)}
	for _, name := range names {
		tag, err := language.Parse(strings.TrimSuffix(path.Base(name), ".po"))
		if err != nil {
			return nil, fmt.Errorf("%s: the name of a file is the tag of its language: %w", name, err)
		}
		c := newCatalog(tag)
		c.texts = sync.OnceValue(func() *gotext.Po {
			data, err := fs.ReadFile(files, name)
			if err != nil {
				panic(err)
			}
			po := gotext.NewPo()
			po.Parse(data)
			return po
		})
		if tag == language.German {
			ascii := *c
			ascii.spell = spellInASCII
			c.ascii = &ascii
		}
		all = append(all, c)
	}
	return all, nil
}

func newCatalog(tag language.Tag) *catalog {
	return &catalog{tag: tag, printer: sync.OnceValue(func() *message.Printer {
		digits, _ := tag.SetTypeForKey("nu", "latn") // Latin digits, as on the boards
		return message.NewPrinter(digits)
	})}
}

// umlauts are the letters that German writes as two without them.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue")

// capitalUmlaut matches such a letter in a word of capital letters.
var capitalUmlaut = regexp.MustCompile(`[ÄÖÜ][A-ZÄÖÜ]|[A-ZÄÖÜ][ÄÖÜ]`)

// spellInASCII returns a German text with two letters for each umlaut.
func spellInASCII(text string) string {
	text = capitalUmlaut.ReplaceAllStringFunc(text, func(pair string) string { return strings.ToUpper(umlauts.Replace(pair)) })
	return umlauts.Replace(text)
}

// format returns the text of a key in this language, in the plural form for the arguments,
// or in English if the language lacks it.
func (c *catalog) format(key Key, args []any) string {
	text, context, _ := strings.Cut(string(key), "##")
	one, other, counted := strings.Cut(text, "||")
	if c.texts == nil {
		if counted && count(args) != 1 {
			return other
		}
		return one
	}
	po := c.texts()
	switch {
	case counted && context != "":
		text = po.GetNC(one, other, count(args), context)
	case counted:
		text = po.GetN(one, other, count(args))
	case context != "":
		text = po.GetC(text, context)
	default:
		text = po.Get(text, []any(nil)...) // formatted by the caller
	}
	if c.spell != nil {
		return c.spell(text)
	}
	return text
}

// count returns the number that selects the plural form: the first one among the arguments.
func count(args []any) int {
	for _, a := range args {
		if n, ok := a.(int); ok {
			return max(n, -n)
		}
	}
	return 0
}
