package term

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"

	"broadside/tui/term/colour"
)

// Palette maps styles to control sequences, and characters to those that a terminal can
// show. It is immutable and can be shared.
type Palette struct {
	detail Detail
	// attributes is set if the terminal shows bold and reverse.
	attributes bool
	// canExchange is set if exchanged colours in reverse look exactly like the colours.
	canExchange bool
	// texts and grounds have the SGR parameters of each colour as text and as background.
	texts   [colour.Count]string
	grounds [colour.Count]string
	// canonical has the first colour with the same parameters.
	canonical [colour.Count]colour.Name
}

// Detail is how much of a board a palette can show. Each value includes those below it.
type Detail uint8

// Details, least first.
const (
	// Letters means ASCII, possibly with colours.
	Letters Detail = iota
	// Cells means all characters, but no colours.
	Cells
	// Shapes means colours, but no tones of water.
	Shapes
	// Waves means everything.
	Waves
)

// paletteKey identifies a palette.
type paletteKey struct {
	theme   Theme
	profile colorprofile.Profile
	ascii   bool
	flat    bool
}

// palettes caches palettes by paletteKey. There are few, and sessions share them.
var palettes sync.Map

// PaletteFor returns the palette for a player's preferences on a terminal.
func PaletteFor(c Appearance, t Terminal) *Palette {
	k := paletteKey{c.Theme, t.Profile, c.Glyphs == ASCII || c.Glyphs != Unicode && t.ASCII, c.Sea == PlainSea}
	if k.profile == colorprofile.Unknown {
		k.profile = colorprofile.TrueColor
	}
	if k.theme != Mono && colour.FindTheme(string(k.theme)) == nil {
		if k.theme = Navy; t.Background == LightBackground {
			k.theme = Light
		}
	}
	if k.profile <= colorprofile.ASCII {
		k.theme = Mono
	}
	// The line is slow.
	if k.flat {
		k.profile = min(k.profile, colorprofile.ANSI256)
	}
	// Only navy has chosen tones of water among 256 colours.
	k.flat = k.flat || k.ascii || k.profile < colorprofile.ANSI256 || k.profile == colorprofile.ANSI256 && k.theme != Navy
	if l, ok := palettes.Load(k); ok {
		return l.(*Palette)
	}
	l, _ := palettes.LoadOrStore(k, k.make())
	return l.(*Palette)
}

func (k paletteKey) make() *Palette {
	l := &Palette{detail: Waves, attributes: k.profile > colorprofile.NoTTY, canExchange: k.profile >= colorprofile.ANSI256}
	theme := colour.FindTheme(string(k.theme))
	switch {
	case k.ascii:
		l.detail = Letters
	case theme == nil:
		l.detail = Cells
	case k.flat:
		l.detail = Shapes
	}
	if theme == nil {
		l.canExchange = false
		return l
	}
	colours := *theme.Theme()
	if k.flat {
		colours = colours.Flatten()
	}
	l.texts[colour.None], l.grounds[colour.None] = "39", "49"
	first := map[string]colour.Name{}
	for i := colour.None + 1; i < colour.Count; i++ {
		l.texts[i], l.grounds[i] = colourParameters(colours[i], k.profile, 30), colourParameters(colours[i], k.profile, 40)
		if _, ok := first[l.texts[i]]; !ok {
			first[l.texts[i]] = i
		}
		l.canonical[i] = first[l.texts[i]]
	}
	return l
}

// Detail returns how much of a board the palette can show.
func (l *Palette) Detail() Detail { return l.detail }

// isBright reports whether the background of a pen is the brighter of the terminal's two
// colours where there are no others.
func isBright(ground colour.Name) bool {
	switch ground {
	case colour.Bar, colour.Accent, colour.Key, colour.Hit, colour.Ship, colour.Aim, colour.Ghost, colour.Wrong, colour.Flash, colour.Spray, colour.Fire, colour.Ember:
		return true
	}
	return false
}

// look is how a terminal shows a character. Looks of one palette that are alike are equal.
type look struct {
	text, ground  colour.Name
	bold, reverse bool
}

// normalize returns the look without exchanged colours.
func (l look) normalize() look {
	if l.reverse && l.ground != colour.None {
		return l.exchangeColours()
	}
	return l
}

// exchangeColours returns a look that is the same, with exchanged colours and the other value of reverse.
func (l look) exchangeColours() look { return look{l.ground, l.text, l.bold, !l.reverse} }

// look returns the look of a pen. Without colours, some backgrounds are the brighter of the terminal's
// two colours.
func (l *Palette) look(p Pen) look {
	switch {
	case l.texts[colour.Text] != "":
		return look{text: l.canonical[p.Text], ground: l.canonical[p.Ground], bold: p.Bold}
	case l.attributes:
		return look{bold: p.Bold || p.Text == colour.Mark, reverse: isBright(p.Ground)}
	}
	return look{}
}

// lookSequence returns the control sequence that changes the look of a terminal, beginning with the background.
func (l *Palette) lookSequence(from, to look) string {
	if to == from {
		return ""
	}
	params := make([]string, 0, 4)
	if to.reverse != from.reverse {
		params = append(params, switchParameter(to.reverse, "7", "27"))
	}
	if to.ground != from.ground {
		params = append(params, l.grounds[to.ground])
	}
	if to.text != from.text {
		params = append(params, l.texts[to.text])
	}
	if to.bold != from.bold {
		params = append(params, switchParameter(to.bold, "1", "22"))
	}
	return "\x1b[" + strings.Join(params, ";") + "m"
}

// switchParameter returns one of two values.
func switchParameter(on bool, yes, no string) string {
	if on {
		return yes
	}
	return no
}

// colourParameters returns the SGR parameters of a colour. Base is 30 for text and 40 for the
// background.
func colourParameters(v colour.Value, profile colorprofile.Profile, base int) string {
	n := int(v.Basic)
	switch {
	case profile == colorprofile.TrueColor:
		return strconv.Itoa(base+8) + ";2;" + strconv.Itoa(int(v.RGB>>16)) + ";" + strconv.Itoa(int(v.RGB>>8&0xff)) + ";" + strconv.Itoa(int(v.RGB&0xff))
	case profile == colorprofile.ANSI256:
		return strconv.Itoa(base+8) + ";5;" + strconv.Itoa(int(v.Index))
	case n < 8:
		return strconv.Itoa(base + n)
	}
	return strconv.Itoa(base + 60 + n - 8)
}

// readMark reads the mark that a text begins with. It returns the look and the surface after the mark,
// and its length, which is 0 if there is none.
func (l *Palette) readMark(text string, before look, on Surface) (after look, next Surface, length int) {
	if strings.HasPrefix(text, StyleEnd) {
		return l.look(Plain.Pen().inherit(on)), on, len(StyleEnd)
	}
	numbers, n, length := parseMark(text)
	switch {
	case n == 1 && numbers[0] < int(surfaceCount):
		next = Surface(numbers[0])
		return l.look(Plain.Pen().inherit(next)), next, length
	case n > 1 && numbers[0] < int(colour.Count) && numbers[1] < int(colour.Count):
		p := Pen{colour.Name(numbers[0]), colour.Name(numbers[1]), numbers[2] == 1}
		return l.look(p.inherit(on)), on, length
	}
	return before, on, 0
}

// Paint returns a line as the terminal receives it: with control sequences for styles, and
// with characters that the terminal can show. Widths do not change. Other lines have the terminal's own
// look at their start and their end.
func (l *Palette) Paint(line string) string {
	cells, _ := l.parseLine(nil, line, math.MaxInt)
	var b bytes.Buffer
	p := painter{b: &b, palette: l}
	for i, c := range cells {
		if c.width == 0 {
			continue
		}
		p.changeLookFor(cells[i:])
		b.WriteString(c.text)
	}
	p.changeLook(look{})
	return b.String()
}

// transliterate replaces characters that the terminal cannot show with others of the same
// width.
func (l *Palette) transliterate(text string) string {
	if l.detail != Letters || isASCII(text) {
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
		if c, ok := asciiReplacements[r]; ok && size == len(seq) {
			b.WriteByte(c)
			continue
		}
		// Letters with an accent lose it.
		letter := norm.NFD.String(seq)[0]
		if letter < utf8.RuneSelf && width == 1 {
			b.WriteByte(letter)
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
