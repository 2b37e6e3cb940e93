package term

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"

	"broadside/tui/term/colour"
)

// Palette maps styles to control sequences, and characters to those that a terminal can
// show. It is immutable and can be shared.
type Palette struct {
	sequences [surfaceCount][styleCount]*sequence // the control sequence that begins each style
	texts     [colour.Count]string                // SGR parameters of each colour as the colour of text
	grounds   [colour.Count]string                // the same, of the background
	bold      string                              // SGR parameter of bold text
	blank     uv.Style                            // of blank cells
	detail    Detail
	cells     [colour.Count]atomic.Pointer[cellRow] // sequences of pens, by the colour of the text
	known     sync.Map                              // sequences, by their text
}

// cellRow caches the sequences of pens with one colour of text, by the background and
// whether they are bold.
type cellRow [colour.Count][2]atomic.Pointer[sequence]

// Detail is how much of a board a palette can show. Each value includes those below it.
type Detail uint8

// Details, least first.
const (
	Letters Detail = iota // ASCII, possibly with colours
	Cells                 // characters, but no colours
	Shapes                // colours, but no tones of water
	Waves                 // everything
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
	k := paletteKey{c.Theme, t.Profile, c.Glyphs == ASCII || c.Glyphs == AutoGlyphs && t.ASCII, c.Sea == PlainSea}
	if k.profile == colorprofile.Unknown {
		k.profile = colorprofile.TrueColor
	}
	if k.theme == Auto || k.theme >= themeCount {
		if k.theme = Navy; t.Background == LightBackground {
			k.theme = Light
		}
	}
	if k.profile <= colorprofile.ASCII {
		k.theme = Mono
	}
	if k.flat { // a slow line
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

// themes holds the colours of each theme that has any.
var themes = [themeCount]func() *colour.Theme{
	Navy: colour.Navy, Light: colour.Light, Contrast: colour.Contrast, ColourBlind: colour.ColourBlind, Classic: colour.Classic,
}

func (k paletteKey) make() *Palette {
	l := &Palette{bold: "1", detail: Waves}
	var theme *colour.Theme
	if f := themes[k.theme]; f != nil {
		theme = f()
	}
	switch {
	case k.ascii:
		l.detail = Letters
	case theme == nil:
		l.detail = Cells
	case k.flat:
		l.detail = Shapes
	}
	switch {
	case k.profile == colorprofile.NoTTY:
		l.bold = ""
	case theme != nil:
		colours := *theme
		if k.flat {
			colours = colours.Flat()
		}
		for i := colour.None + 1; i < colour.Count; i++ {
			l.texts[i], l.grounds[i] = params(colours[i], k.profile, 30), params(colours[i], k.profile, 40)
		}
	}
	for s := range surfaceCount {
		for i, p := range pens {
			l.sequences[s][i] = l.sequence(p.on(s))
		}
	}
	l.blank = l.plain(Ground).style
	return l
}

// Detail returns how much of a board the palette can show.
func (l *Palette) Detail() Detail { return l.detail }

// bright reports whether the background of a pen is the brighter of the terminal's two
// colours where there are no others.
func bright(ground colour.Name) bool {
	switch ground {
	case colour.Bar, colour.Accent, colour.Key, colour.Hit, colour.Ship, colour.Aim, colour.Ghost, colour.Wrong, colour.Flash, colour.Spray, colour.Fire, colour.Ember:
		return true
	}
	return false
}

// sequence returns the control sequence of a pen. It begins with the background.
func (l *Palette) sequence(p Pen) *sequence {
	var all []string
	mono := l.grounds[colour.Ground] == ""
	if mono && l.bold != "" && bright(p.Ground) {
		all = append(all, "7")
	}
	for _, s := range []string{l.grounds[p.Ground], l.texts[p.Text]} {
		if s != "" {
			all = append(all, s)
		}
	}
	if (p.Bold || mono && p.Text == colour.Mark) && l.bold != "" {
		all = append(all, l.bold)
	}
	if len(all) == 0 {
		return &noSequence
	}
	seq := newSequence("\x1b[" + strings.Join(all, ";") + "m")
	known, _ := l.known.LoadOrStore(seq.text, seq)
	return known.(*sequence)
}

// sequence is the control sequence of a pen. Equal sequences of a palette are one value, so that
// cells can be compared quickly.
type sequence struct {
	text   string
	ground string   // the part that sets the background
	style  uv.Style // the style that text sets
}

// noSequence is the sequence of text in the terminal's own style. It must not be changed.
var noSequence sequence

func newSequence(text string) *sequence {
	n := 1
	switch {
	case strings.HasPrefix(text, "\x1b[48;2;"):
		n = 5
	case strings.HasPrefix(text, "\x1b[48;5;"):
		n = 3
	}
	for i := range len(text) {
		if text[i] == ';' || text[i] == 'm' {
			if n--; n == 0 {
				return &sequence{text, text[:i], styleOf(text)}
			}
		}
	}
	return &sequence{text, text, styleOf(text)}
}

// cell returns the control sequence of a pen on Ground.
func (l *Palette) cell(p Pen) *sequence {
	row := l.cells[p.Text].Load()
	if row == nil {
		row = new(cellRow)
		l.cells[p.Text].Store(row) // if two sessions do so, one row is dropped
	}
	at := &row[p.Ground][0]
	if p.Bold {
		at = &row[p.Ground][1]
	}
	seq := at.Load()
	if seq == nil {
		seq = l.sequence(p)
		at.Store(seq)
	}
	return seq
}

// params returns the SGR parameters of a colour. Base is 30 for text and 40 for the
// background.
func params(v colour.Value, profile colorprofile.Profile, base int) string {
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

// plain returns the control sequence of unstyled text on a surface. A nil Palette has none.
func (l *Palette) plain(on Surface) *sequence {
	if l == nil {
		return &noSequence
	}
	return l.sequences[on][Plain]
}

// markSequence returns the control sequence of the mark at the beginning of a text, the length of
// the mark (0: there is none), and the surface after it. A nil Palette recognizes only StyleEnd.
func (l *Palette) markSequence(text string, on Surface) (seq *sequence, mark int, next Surface) {
	if strings.HasPrefix(text, StyleEnd) {
		return l.plain(on), len(StyleEnd), on
	}
	if l == nil || !strings.HasPrefix(text, markBegin) {
		return nil, 0, on
	}
	var numbers [3]int
	n := 0
	for i := len(markBegin); i < len(text) && i < len(markBegin)+len("100;100;1m"); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			numbers[n] = 10*numbers[n] + int(c-'0')
		case c == ';' && n < len(numbers)-1:
			n++
		case c == 'm':
			seq, next, ok := l.marked(numbers, n+1, on)
			if !ok {
				return nil, 0, on
			}
			return seq, i + 1, next
		default:
			return nil, 0, on
		}
	}
	return nil, 0, on
}

// marked returns the control sequence for the numbers in a mark.
func (l *Palette) marked(numbers [3]int, n int, on Surface) (seq *sequence, next Surface, ok bool) {
	first, second := numbers[0], numbers[1]
	switch {
	case n == 1 && first < int(styleCount):
		return l.sequences[on][first], on, true
	case n == 1 && first >= firstSurface && first < firstSurface+int(surfaceCount):
		next = Surface(first - firstSurface)
		return l.plain(next), next, true
	case n > 1 && first < int(colour.Count) && second < int(colour.Count):
		p := Pen{colour.Name(first), colour.Name(second), numbers[2] == 1}
		return l.cell(p.on(on)), on, true
	}
	return nil, on, false
}

// Paint returns a line as the terminal receives it: with control sequences for styles, and
// with characters that the terminal can show. Widths do not change. Other lines are on
// Ground at their start and their end.
func (l *Palette) Paint(line string) string {
	line = l.transliterate(line)
	current := l.plain(Ground)
	if current.text == "" && strings.IndexByte(line, '\x1b') < 0 {
		return line
	}
	var b strings.Builder
	b.Grow(2 * len(line)) // marks are short
	b.WriteString(current.text)
	surface := Ground
	for {
		i := strings.IndexByte(line, '\x1b')
		if i < 0 {
			b.WriteString(line)
			if current.text != "" {
				b.WriteString(StyleEnd)
			}
			return b.String()
		}
		b.WriteString(line[:i])
		seq, n, next := l.markSequence(line[i:], surface)
		if n == 0 {
			b.WriteByte('\x1b') // another sequence
			line = line[i+1:]
			continue
		}
		if current.text != "" {
			b.WriteString(StyleEnd)
		}
		b.WriteString(seq.text)
		surface, current = next, seq
		line = line[i+n:]
	}
}

// transliterate replaces characters that the terminal cannot show with others of the same
// width. A nil Palette changes nothing.
func (l *Palette) transliterate(text string) string {
	if l == nil || l.detail != Letters || isASCII(text) {
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
		// Letters with an accent lose it.
		if letter := norm.NFD.String(seq)[0]; letter < utf8.RuneSelf && width == 1 {
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
