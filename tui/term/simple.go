package term

import (
	"sync"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// Most lines are simple: they contain only characters that are one cell wide on every
// terminal, and styles. Comparing simple lines takes a tenth of the time.

// simpleCell is a cell with one character.
type simpleCell struct {
	char  rune
	style *sequence
}

// simpleRow holds the cells of a simple line.
type simpleRow []simpleCell

// simplePairs pools rows, like rowPairs.
var simplePairs = sync.Pool{New: func() any { return new([2]simpleRow) }}

// simple is a fast version of line. It returns false, and writes nothing, if a line is not simple.
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
	blank := simpleCell{' ', p.ground}
	same := func(x int) bool { return x < len(old) && new[x].same(old[x]) || x >= len(old) && new[x].same(blank) }
	plain := func(from, to int) bool {
		for _, c := range new[from:to] {
			if !c.looksSame(new[from-1].style) {
				return false
			}
		}
		return true
	}
	p.spans(y, new.filled(blank), old.filled(blank), same, plain, func(from, to int) { p.simpleSpan(from, y, new[from:to]) })
	return true
}

// same reports whether two cells look the same.
func (c simpleCell) same(as simpleCell) bool { return c.char == as.char && c.looksSame(as.style) }

// looksSame reports whether a cell looks the same in another style. The colour of the text of a
// space does not matter.
func (c simpleCell) looksSame(style *sequence) bool {
	return c.style == style || c.char == ' ' && c.style.ground == style.ground
}

// parse converts a line to at most width cells, reusing the memory of r. It returns false if
// the line is not simple.
func (r simpleRow) parse(d styledLine, width int) (simpleRow, bool) {
	r = r[:0]
	style := d.palette.plain(Ground)
	surface := Ground
	line := d.palette.transliterate(d.text)
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c >= ' ' && c < 0x7f:
			if len(r) < width {
				r = append(r, simpleCell{rune(c), style})
			}
			i++
		case c >= utf8.RuneSelf:
			char, size := utf8.DecodeRuneInString(line[i:])
			if !singleWidth(char) {
				return r, false
			}
			if len(r) < width {
				r = append(r, simpleCell{char, style})
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
		if p.seq == nil || !cells[i].looksSame(p.seq) {
			p.setSequence(cells[i:].style())
		}
		p.b.WriteRune(cells[i].char)
	}
	p.x += len(cells)
}

// style returns the style for the first cell. Spaces take that of the text that follows, if it
// has the same background.
func (r simpleRow) style() *sequence {
	for _, c := range r {
		switch {
		case c.style.ground != r[0].style.ground:
			return r[0].style
		case c.char != ' ':
			return c.style
		}
	}
	return r[0].style
}

// setSequence is like setStyle for the style that a control sequence defines.
func (p *painter) setSequence(seq *sequence) {
	if seq != p.seq {
		p.change(seq.style, seq.text)
		p.seq = seq
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
