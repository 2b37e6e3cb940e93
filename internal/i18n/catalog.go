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

// catalog holds the texts of one language. They are read when they are first used.
type catalog struct {
	tag language.Tag
	// texts is nil for English.
	texts   func() *gotext.Po
	printer func() *message.Printer
	// spell changes a text's spelling, unless it is nil.
	spell func(string) string
	// ascii is the same language spelled in ASCII, or nil if no letters change.
	ascii *catalog
}

// catalogs returns the available languages: English, and then the others sorted by their codes.
var catalogs = sync.OnceValue(func() []*catalog {
	all, err := openCatalogs(locales)
	if err != nil {
		// A test reads all files.
		panic(err)
	}
	return all
})

// openCatalogs returns English and a catalog for each file in the folder locales.
func openCatalogs(files fs.FS) ([]*catalog, error) {
	names, err := fs.Glob(files, "locales/*.po")
	if err != nil {
		return nil, err
	}
	all := []*catalog{newCatalog(language.English)}
	for _, name := range names {
		tag, err := language.Parse(strings.TrimSuffix(path.Base(name), ".po"))
		if err != nil {
			return nil, fmt.Errorf("%s: a file must have its language's tag as its name: %w", name, err)
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
			ascii.spell = spellUmlautsInASCII
			c.ascii = &ascii
		}
		all = append(all, c)
	}
	return all, nil
}

func newCatalog(tag language.Tag) *catalog {
	return &catalog{tag: tag, printer: sync.OnceValue(func() *message.Printer {
		// Digits are Latin, as on the boards.
		digits, _ := tag.SetTypeForKey("nu", "latn")
		return message.NewPrinter(digits)
	})}
}

// umlauts replaces the letters that German writes as two letters in ASCII.
var umlauts = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue")

// capitalUmlaut matches an umlaut in a word of capital letters.
var capitalUmlaut = regexp.MustCompile(`[ÄÖÜ][A-ZÄÖÜ]|[A-ZÄÖÜ][ÄÖÜ]`)

// spellUmlautsInASCII returns a German text with two letters for each umlaut.
func spellUmlautsInASCII(text string) string {
	text = capitalUmlaut.ReplaceAllStringFunc(text, func(pair string) string { return strings.ToUpper(umlauts.Replace(pair)) })
	return umlauts.Replace(text)
}

// lookUpText returns a key's text in the plural form for the arguments. It is English if the language lacks the
// text.
func (c *catalog) lookUpText(key Key, args []any) string {
	text, context, _ := strings.Cut(string(key), "##")
	one, other, counted := strings.Cut(text, "||")
	if c.texts == nil {
		if counted && countArgument(args) != 1 {
			return other
		}
		return one
	}
	po := c.texts()
	switch {
	case counted && context != "":
		text = po.GetNC(one, other, countArgument(args), context)
	case counted:
		text = po.GetN(one, other, countArgument(args))
	case context != "":
		text = po.GetC(text, context)
	default:
		// The caller formats the text.
		text = po.Get(text, []any(nil)...)
	}
	if c.spell != nil {
		return c.spell(text)
	}
	return text
}

// countArgument returns the number that selects the plural form: the first one among the arguments.
func countArgument(args []any) int {
	for _, a := range args {
		if n, ok := a.(int); ok {
			return max(n, -n)
		}
	}
	return 0
}
