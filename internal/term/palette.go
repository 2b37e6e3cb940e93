package term

import (
	"image/color"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Palette maps styles to control sequences, and characters to those that a terminal can
// show. It is immutable and can be shared.
type Palette struct {
	sequences [styleCount]string // the control sequence that begins each style
	ascii     bool
}

// paletteKey identifies a palette.
type paletteKey struct {
	theme   Theme
	profile colorprofile.Profile
	ascii   bool
}

// palettes caches palettes by paletteKey. There are few, and sessions share them.
var palettes sync.Map

// PaletteFor returns the palette for a player's preferences on a terminal.
func PaletteFor(c Appearance, t Terminal) *Palette {
	k := paletteKey{c.Theme, t.Profile, c.Glyphs == ASCII || c.Glyphs == AutoGlyphs && t.ASCII}
	if k.profile == colorprofile.Unknown {
		k.profile = colorprofile.TrueColor
	}
	if k.theme == Auto || k.theme >= themeCount {
		k.theme = [...]Theme{UnknownBackground: Classic, DarkBackground: Dark, LightBackground: Light}[t.Background]
	}
	if k.profile <= colorprofile.ASCII {
		k.theme = Mono
	}
	if l, ok := palettes.Load(k); ok {
		return l.(*Palette)
	}
	l, _ := palettes.LoadOrStore(k, k.make())
	return l.(*Palette)
}

func (k paletteKey) make() *Palette {
	l := &Palette{ascii: k.ascii}
	if k.profile == colorprofile.NoTTY {
		return l
	}
	for i, p := range themes[k.theme] {
		l.sequences[i] = p.sequence(k.profile)
	}
	return l
}

// pen is the appearance of a style in a theme.
type pen struct {
	fg, bg colour
	attrs  string // SGR parameters besides the colours
}

// colour is a 24-bit colour with its replacement among the 16 basic colours. The zero value
// means no colour.
type colour struct {
	rgb   uint32
	basic uint8 // number of the colour plus 1
}

func c(rgb uint32, basic uint8) colour { return colour{rgb, basic + 1} }

func (p pen) sequence(profile colorprofile.Profile) string {
	var params []string
	if p.attrs != "" {
		params = append(params, p.attrs)
	}
	params = append(params, p.fg.params(profile, 30)...)
	params = append(params, p.bg.params(profile, 40)...)
	if len(params) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(params, ";") + "m"
}

// params returns the SGR parameters of a colour. Base is 30 for the foreground and 40 for
// the background.
func (c colour) params(profile colorprofile.Profile, base int) []string {
	n := int(c.basic) - 1
	switch {
	case n < 0:
		return nil
	case profile == colorprofile.TrueColor:
		return []string{strconv.Itoa(base + 8), "2", strconv.Itoa(int(c.rgb >> 16)), strconv.Itoa(int(c.rgb >> 8 & 0xff)), strconv.Itoa(int(c.rgb & 0xff))}
	case profile == colorprofile.ANSI256:
		return []string{strconv.Itoa(base + 8), "5", strconv.Itoa(int(c.indexed()))}
	case n < 8:
		return []string{strconv.Itoa(base + n)}
	}
	return []string{strconv.Itoa(base + 60 + n - 8)}
}

// indexed returns the nearest of the 256 colours.
func (c colour) indexed() ansi.IndexedColor { return ansi.Convert256(c.full()) }

func (c colour) full() color.RGBA {
	return color.RGBA{uint8(c.rgb >> 16), uint8(c.rgb >> 8), uint8(c.rgb), 0xff}
}

// Sequence returns the control sequence of the style whose mark a text begins with, and the
// length of the mark, or 0 if there is no mark. A nil Palette recognizes no marks.
func (l *Palette) Sequence(text string) (seq string, mark int) {
	if l == nil {
		return "", 0
	}
	k, n := markAt(text)
	return l.sequences[k], n
}

// Paint returns a line as the terminal receives it: with control sequences for styles, and
// with characters that the terminal can show. Widths do not change.
func (l *Palette) Paint(line string) string {
	line = l.Transliterate(line)
	if strings.IndexByte(line, '\x1b') < 0 {
		return line
	}
	var b strings.Builder
	b.Grow(2 * len(line)) // marks are short
	for {
		i := strings.IndexByte(line, '\x1b')
		if i < 0 {
			b.WriteString(line)
			return b.String()
		}
		k, n := markAt(line[i:])
		if n == 0 {
			i++ // another sequence, such as the end of a style
			b.WriteString(line[:i])
			line = line[i:]
			continue
		}
		b.WriteString(line[:i])
		b.WriteString(l.sequences[k])
		line = line[i+n:]
	}
}

// markAt returns the style whose mark a text begins with, and the length of the mark, or 0
// if there is none.
func markAt(s string) (k, n int) {
	if !strings.HasPrefix(s, markBegin) {
		return 0, 0
	}
	for n = len(markBegin); n < len(s) && n < len(markBegin)+3; n++ {
		switch c := s[n]; {
		case c >= '0' && c <= '9':
			k = 10*k + int(c-'0')
		case c == 'm' && k < int(styleCount):
			return k, n + 1
		default:
			return 0, 0
		}
	}
	return 0, 0
}

// Transliterate replaces characters that the terminal cannot show with others of the same
// width. A nil Palette changes nothing.
func (l *Palette) Transliterate(text string) string {
	if l == nil || !l.ascii || isASCII(text) {
		return text
	}
	var b strings.Builder
	for text != "" {
		seq, width := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		text = text[len(seq):]
		if isASCII(seq) {
			b.WriteString(seq)
			continue
		}
		r, size := utf8.DecodeRuneInString(seq)
		if c, ok := asciiFor[r]; ok && size == len(seq) {
			b.WriteByte(c)
			continue
		}
		b.WriteString(strings.Repeat("?", width))
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
