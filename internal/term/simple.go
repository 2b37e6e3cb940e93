package term

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
)

// Most lines are simple: they contain only characters that are one cell wide on every
// terminal, and styles. Comparing simple lines takes a tenth of the time.

// simpleCell is a cell with one character and the control sequences of its style.
type simpleCell struct{ text, style string }

// simpleRow holds the cells of a simple line.
type simpleRow []simpleCell

// simplePairs pools rows, like rowPairs.
var simplePairs = sync.Pool{New: func() any { return new([2]simpleRow) }}

// simple is a fast version of line. It returns false, and writes nothing, if a line is not
// simple.
func (p *painter) simple(y, width int, before, after styledLine) bool {
	pair := simplePairs.Get().(*[2]simpleRow)
	defer simplePairs.Put(pair)
	var ok [2]bool
	pair[0], ok[0] = pair[0].parse(before, width)
	pair[1], ok[1] = pair[1].parse(after, width)
	if !ok[0] || !ok[1] {
		return false
	}
	old, new := pair[0], pair[1]
	blank := simpleCell{" ", p.ground}
	same := func(x int) bool { return x < len(old) && new[x].same(old[x]) || x >= len(old) && new[x].same(blank) }
	plain := func(from, to int) bool {
		for _, c := range new[from:to] {
			if !c.shownIn(new[from-1].style) {
				return false
			}
		}
		return true
	}
	p.spans(y, new.filled(blank), old.filled(blank), same, plain, func(from, to int) { p.simpleSpan(from, y, new[from:to]) })
	return true
}

// same reports whether two cells look the same.
func (c simpleCell) same(as simpleCell) bool { return c.text == as.text && c.shownIn(as.style) }

// shownIn reports whether a cell looks the same in another style. The colour of the text of a
// space does not matter.
func (c simpleCell) shownIn(style string) bool {
	return c.style == style || c.text == " " && groundOf(c.style) == groundOf(style)
}

// parse converts a line to at most width cells, reusing the memory of r. It returns false if
// the line is not simple.
func (r simpleRow) parse(d styledLine, width int) (simpleRow, bool) {
	r = r[:0]
	style := d.palette.background()
	surface := Ground
	line := d.palette.transliterate(d.text)
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c >= ' ' && c < 0x7f:
			if len(r) < width {
				r = append(r, simpleCell{line[i : i+1], style})
			}
			i++
		case c >= utf8.RuneSelf:
			char, size := utf8.DecodeRuneInString(line[i:])
			if !singleWidth(char) {
				return r, false
			}
			if len(r) < width {
				r = append(r, simpleCell{line[i : i+size], style})
			}
			i += size
		case c == '\x1b':
			seq, n, next := d.palette.markSequence(line[i:], surface)
			if n == 0 {
				return r, false
			}
			style, surface = seq, next
			i += n
		default:
			return r, false
		}
	}
	return r, true
}

// filled returns the number of cells up to the last that is not blank.
func (r simpleRow) filled(blank simpleCell) int {
	n := len(r)
	for n > 0 && r[n-1].same(blank) {
		n--
	}
	return n
}

// simpleSpan writes cells, beginning at column x of line y.
func (p *painter) simpleSpan(x, y int, cells simpleRow) {
	p.move(x, y)
	for i := range cells {
		if c := &cells[i]; !p.seqKnown || !c.shownIn(p.seq) {
			p.setSequence(cells[i:].style())
		}
		p.b.WriteString(cells[i].text)
	}
	p.x += len(cells)
}

// style returns the style for the first cell. Spaces take that of the text that follows, if it
// has the same background.
func (r simpleRow) style() string {
	for _, c := range r {
		switch {
		case groundOf(c.style) != groundOf(r[0].style):
			return r[0].style
		case c.text != " ":
			return c.style
		}
	}
	return r[0].style
}

// setSequence is like setStyle for the style that control sequences define.
func (p *painter) setSequence(seq string) {
	key, known := change{p.profile, p.seq, p.swapped, seq}, p.seqKnown
	if known {
		if to, ok := changes.get(key); ok {
			p.b.WriteString(to.text)
			p.pen = to.pen
			return
		}
	}
	begin := p.b.Len()
	style := styleOf(seq)
	p.setStyle(&style)
	p.seq, p.seqKnown = strings.Clone(seq), true // it would keep a frame in memory
	if known {
		changes.put(key, changed{p.b.String()[begin:], p.pen})
	}
}

// styleOf returns the style that control sequences define.
func styleOf(seq string) uv.Style {
	if seq == "" {
		return uv.Style{}
	}
	probe := row{cells: uv.NewLine(1)}
	uv.NewStyledString(seq+"x").Draw(&probe, probe.Bounds())
	return probe.cells[0].Style
}

// change is a change from one style to another in a colour profile.
type change struct {
	profile colorprofile.Profile
	from    string // sequence
	swapped bool   // see pen
	to      string // sequence
}

// changed is the text that makes a change, and the resulting style.
type changed struct {
	text string
	pen  pen
}

// changeTable caches changes of styles. Screens use the same few hundred again and again;
// changes beyond the table's capacity are computed each time.
type changeTable struct {
	mu    sync.RWMutex
	known map[change]changed // guarded by mu
}

const manyChanges = 4096

var changes changeTable

func (t *changeTable) get(c change) (changed, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	to, ok := t.known[c]
	return to, ok
}

func (t *changeTable) put(c change, to changed) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = map[change]changed{}
	}
	if len(t.known) < manyChanges {
		// Clone the texts, which would otherwise keep whole frames in memory.
		c.from, c.to, to.text = strings.Clone(c.from), strings.Clone(c.to), strings.Clone(to.text)
		t.known[c] = to
	}
}
