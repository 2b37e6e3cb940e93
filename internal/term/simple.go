package term

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Most lines have nothing but characters that are one cell wide everywhere, and
// colours. They are compared here, in a tenth of the time that it takes for
// lines of any kind.

// simpleCell is a cell of such a line: one character, and the control sequences
// that make its style.
type simpleCell struct{ text, style string }

// simpleRow is such a line.
type simpleRow []simpleCell

// simplePairs are shared, as rowPairs are.
var simplePairs = sync.Pool{New: func() any { return new([2]simpleRow) }}

// simple is line for simple lines. It returns false for others, with nothing
// written.
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
	end := new.filled()
	from, to := -1, -1 // the span to be written
	for x := range end {
		if x < len(old) && old[x] == new[x] || x >= len(old) && new[x] == blank {
			continue
		}
		if from >= 0 && x-to > maxGap {
			p.simpleSpan(from, y, new[from:to])
			from = -1
		}
		if from < 0 {
			from = x
		}
		to = x + 1
	}
	if from >= 0 {
		p.simpleSpan(from, y, new[from:to])
	}
	if old.filled() > end {
		if to != end || from < 0 { // else the cursor is there
			p.move(end, y)
		}
		p.setStyle(nil)
		p.b.WriteString(ansi.EraseLineRight)
	}
	return true
}

var blank = simpleCell{text: " "}

// parse makes the cells of a line, at most width of them, in the memory of r.
// It returns false if the line is not simple.
func (r simpleRow) parse(d styledLine, width int) (simpleRow, bool) {
	r = r[:0]
	style := ""
	line := d.palette.Transliterate(d.text)
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c >= ' ' && c < 0x7f:
			if len(r) < width {
				r = append(r, simpleCell{line[i : i+1], style})
			}
			i++
		case c >= utf8.RuneSelf:
			char, size := utf8.DecodeRuneInString(line[i:])
			if !SingleWidth(char) {
				return r, false
			}
			if len(r) < width {
				r = append(r, simpleCell{line[i : i+size], style})
			}
			i += size
		case c == '\x1b':
			seq, n := d.palette.Sequence(line[i:])
			if n == 0 {
				n = sgr(line[i:])
				seq = line[i : i+n]
			}
			if n == 0 {
				return r, false
			}
			switch {
			case seq == ansi.ResetStyle || seq == "\x1b[0m":
				style = ""
			case style == "":
				style = seq
			default:
				style += seq
			}
			i += n
		default:
			return r, false
		}
	}
	return r, true
}

// sgr is the length of the sequence of a style that a text begins with; 0 if
// there is none.
func sgr(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// filled is the number of cells up to the last that is not blank.
func (r simpleRow) filled() int {
	n := len(r)
	for n > 0 && r[n-1] == blank {
		n--
	}
	return n
}

// simpleSpan writes cells from column x of line y on.
func (p *painter) simpleSpan(x, y int, cells simpleRow) {
	p.move(x, y)
	for i := range cells {
		if c := &cells[i]; !p.seqKnown || c.style != p.seq {
			p.setSequence(c.style)
		}
		p.b.WriteString(cells[i].text)
	}
}

// wearSeq is wear for the style that control sequences make.
func (p *painter) setSequence(seq string) {
	key, known := change{p.profile, p.seq, seq}, p.seqKnown
	if known {
		if to, ok := changes.get(key); ok {
			p.b.WriteString(to.text)
			p.pen, p.seq = to.pen, seq
			return
		}
	}
	begin := p.b.Len()
	style := styleOf(seq)
	p.setStyle(&style)
	if known {
		changes.put(key, changed{p.b.String()[begin:], p.pen})
	}
	p.seq, p.seqKnown = seq, true
}

// styleOf is the style that sequences make.
func styleOf(seq string) uv.Style {
	if seq == "" {
		return uv.Style{}
	}
	probe := row{cells: uv.NewLine(1)}
	uv.NewStyledString(seq+"x").Draw(&probe, probe.Bounds())
	return probe.cells[0].Style
}

// change is one from a style to another at a kind of terminal, and changed what
// brings the terminal there.
type change struct {
	profile  colorprofile.Profile
	from, to string // sequences
}
type changed struct {
	text string
	pen  uv.Style
}

// changeTable remembers changes. Screens have some hundreds, again and again;
// those beyond its size are worked out each time.
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
		// The texts are parts of whole frames otherwise.
		c.from, c.to, to.text = strings.Clone(c.from), strings.Clone(c.to), strings.Clone(to.text)
		t.known[c] = to
	}
}
