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
	// canExchange is set if colours that are exchanged in reverse look exactly like the colours.
	canExchange bool
	// texts and grounds have each colour's SGR parameters as the colour of text and of the background.
	texts   [colour.Count]string
	grounds [colour.Count]string
	// canonical has the first colour with the same parameters as each colour.
	canonical [colour.Count]colour.Name
}

// Detail is how much of a board a palette can show. Each value includes the smaller ones.
type Detail uint8

// Details, least first.
const (
	Letters Detail = iota // ASCII, possibly with colours
	Cells                 // characters, but no colours
	Shapes                // colours, but no tones of water
	Waves                 // everything
)

type paletteKey struct {
	theme   Theme
	profile colorprofile.Profile
	ascii   bool
	flat    bool
}

// palettes caches palettes by their paletteKey. There are few, and sessions share them.
var palettes sync.Map

// PaletteFor returns the palette for a player's preferences on a terminal.
func PaletteFor(c Appearance, t Terminal) *Palette {
	k := paletteKey{c.Theme, t.Profile, c.Glyphs == ASCII || c.Glyphs != Unicode && t.ASCII, c.Sea == PlainSea}
	if k.profile == colorprofile.Unknown {
		k.profile = colorprofile.TrueColor
	}
	if k.theme != Mono && colour.FindTheme(string(k.theme)) == nil {
		k.theme = Navy
		if t.Background == LightBackground {
			k.theme = Light
		}
	}
	if k.profile <= colorprofile.ASCII {
		k.theme = Mono
	}
	if k.flat {
		// Sequences for 256 colours are shorter.
		k.profile = min(k.profile, colorprofile.ANSI256)
	}
	// Only navy has chosen tones of water among 256 colours.
	k.flat = k.flat || k.ascii || k.profile < colorprofile.ANSI256 || k.profile == colorprofile.ANSI256 && k.theme != Navy
	cached, ok := palettes.Load(k)
	if !ok {
		cached, _ = palettes.LoadOrStore(k, newPalette(k))
	}
	return cached.(*Palette)
}

func newPalette(k paletteKey) *Palette {
	p := &Palette{detail: Waves, attributes: k.profile > colorprofile.NoTTY, canExchange: k.profile >= colorprofile.ANSI256}
	theme := colour.FindTheme(string(k.theme))
	switch {
	case k.ascii:
		p.detail = Letters
	case theme == nil:
		p.detail = Cells
	case k.flat:
		p.detail = Shapes
	}
	if theme == nil {
		p.canExchange = false
		return p
	}
	colours := *theme.Theme()
	if k.flat {
		colours = colours.Flatten()
	}
	p.texts[colour.None], p.grounds[colour.None] = "39", "49"
	first := map[string]colour.Name{}
	for i := colour.None + 1; i < colour.Count; i++ {
		p.texts[i], p.grounds[i] = colourParameters(colours[i], k.profile, 30), colourParameters(colours[i], k.profile, 40)
		if _, ok := first[p.texts[i]]; !ok {
			first[p.texts[i]] = i
		}
		p.canonical[i] = first[p.texts[i]]
	}
	return p
}

// Detail returns how much of a board the palette can show.
func (p *Palette) Detail() Detail { return p.detail }

// isBright reports whether a pen's background is the brighter of the terminal's two
// colours if there are no others.
func isBright(ground colour.Name) bool {
	switch ground {
	case colour.Bar, colour.Accent, colour.Key, colour.Hit, colour.Ship, colour.Aim, colour.Ghost, colour.Wrong, colour.Flash, colour.Spray, colour.Fire, colour.Ember:
		return true
	}
	return false
}

// look is how a terminal shows a character. If characters look the same with a palette, their looks are
// equal.
type look struct {
	text, ground  colour.Name
	bold, reverse bool
}

// normalize returns the same look without exchanged colours.
func (l look) normalize() look {
	if l.reverse && l.ground != colour.None {
		return l.exchangeColours()
	}
	return l
}

// exchangeColours returns the same look with exchanged colours and the other value of reverse.
func (l look) exchangeColours() look { return look{l.ground, l.text, l.bold, !l.reverse} }

// look returns a pen's look. Without colours, some backgrounds are the brighter of the terminal's
// two colours.
func (p *Palette) look(pen Pen) look {
	switch {
	case p.texts[colour.Text] != "":
		return look{text: p.canonical[pen.Text], ground: p.canonical[pen.Ground], bold: pen.Bold}
	case p.attributes:
		return look{bold: pen.Bold || pen.Text == colour.Mark, reverse: isBright(pen.Ground)}
	}
	return look{}
}

// lookSequence returns the control sequence that changes a terminal's look.
func (p *Palette) lookSequence(from, to look) string {
	if to == from {
		return ""
	}
	params := make([]string, 0, 4)
	if to.reverse != from.reverse {
		params = append(params, switchParameter(to.reverse, "7", "27"))
	}
	if to.ground != from.ground {
		params = append(params, p.grounds[to.ground])
	}
	if to.text != from.text {
		params = append(params, p.texts[to.text])
	}
	if to.bold != from.bold {
		params = append(params, switchParameter(to.bold, "1", "22"))
	}
	return "\x1b[" + strings.Join(params, ";") + "m"
}

// switchParameter returns the SGR parameter that switches an attribute on or off.
func switchParameter(isOn bool, on, off string) string {
	if isOn {
		return on
	}
	return off
}

// colourParameters returns a colour's SGR parameters. Base is 30 for text and 40 for the
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

// readMark reads the mark at the start of a text. It returns the look and the surface after the mark,
// and the mark's length, which is 0 if there is none.
func (p *Palette) readMark(text string, before look, on Surface) (after look, next Surface, length int) {
	if strings.HasPrefix(text, StyleEnd) {
		return p.look(Plain.Pen().inherit(on)), on, len(StyleEnd)
	}
	numbers, n, length := parseMark(text)
	switch {
	case n == 1 && numbers[0] < int(surfaceCount):
		next = Surface(numbers[0])
		return p.look(Plain.Pen().inherit(next)), next, length
	case n > 1 && numbers[0] < int(colour.Count) && numbers[1] < int(colour.Count):
		pen := Pen{colour.Name(numbers[0]), colour.Name(numbers[1]), numbers[2] == 1}
		return p.look(pen.inherit(on)), on, length
	}
	return before, on, 0
}

// Paint returns a line as the terminal receives it: with control sequences for styles, and
// with characters that the terminal can show. Its width does not change. At its start and end, the terminal
// has its own look.
func (p *Palette) Paint(line string) string {
	cells, _ := p.parseLine(nil, line, math.MaxInt)
	var b bytes.Buffer
	painter := painter{b: &b, palette: p}
	for i, c := range cells {
		if c.width == 0 {
			continue
		}
		painter.changeLookFor(cells[i:])
		b.WriteString(c.text)
	}
	painter.changeLook(look{})
	return b.String()
}

// transliterate replaces characters that the terminal cannot show with others of the same
// width.
func (p *Palette) transliterate(text string) string {
	if p.detail != Letters || isASCII(text) {
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
