package board

import (
	"broadside/match"
)

// Memo remembers the content of the lines of two boards as drawn last. The zero value
// remembers nothing.
type Memo struct {
	lines []drawnLine
	form  Form
	same  uint64 // hash of everything else that affects all lines
}

// drawnLine is a line with parts of two boards.
type drawnLine struct {
	left, right uint64 // hashes of what the boards show
	split, end  int    // in bytes: where the part of the right board begins, and the length
}

// DrawPair draws two boards of equal size side by side, each as Draw does, with a gap
// between them and a margin on the left. Before holds the lines of the previous drawing,
// which memo describes; it reuses their unchanged parts.
func DrawPair(b [2]*Board, f Form, w [2]Window, margin, gap int, before []string, memo *Memo) []string {
	var d [2]*drawing
	same := mix(mix(1, uint64(margin)), uint64(gap))
	for i := range d {
		d[i] = newDrawing(b[i], f, w[i])
		defer drawings.Put(d[i])
		if b[i].texts != nil {
			same++
		}
		same = mix(same, uint64(w[i].Left)|uint64(w[i].Top)<<8|uint64(w[i].Columns)<<16|uint64(w[i].Rows)<<24|uint64(b[i].size)<<32|uint64(b[i].water)<<40)
	}
	_, height := f.Outer(w[0].Columns, w[0].Rows)
	if memo == nil {
		memo = &Memo{}
	}
	if memo.form != f || memo.same != same || len(memo.lines) != height {
		*memo = Memo{make([]drawnLine, height), f, same}
	}
	out := make([]string, height)
	for i := range out {
		known := ""
		if end := memo.lines[i].end; i < len(before) && len(before[i]) >= end {
			known = before[i][:end] // there can be text to the right of the boards
		}
		out[i] = drawPairLine(d, i, margin, gap, known, &memo.lines[i])
	}
	return out
}

// drawPairLine draws a line of both boards. Known is the line as m describes it, or "".
func drawPairLine(d [2]*drawing, i, margin, gap int, known string, m *drawnLine) string {
	left, right := d[0].hash(i), d[1].hash(i)
	sameLeft, sameRight := known != "" && left == m.left, known != "" && right == m.right
	if sameLeft && sameRight {
		return known
	}
	l := &d[0].line
	if sameLeft {
		l.text = append(l.text, known[:m.split]...)
	} else {
		l.spaces(margin)
		d[0].row(i)
		l.end()
		l.spaces(gap)
	}
	split := len(l.text)
	if sameRight {
		l.text = append(l.text, known[m.split:]...)
	} else {
		d[1].row(i)
		d[1].end()
		l.text, d[1].text = append(l.text, d[1].text...), d[1].text[:0]
	}
	drawn := l.take(known)
	*m = drawnLine{left, right, split, len(drawn)}
	return drawn
}

// hash returns a number for everything that a line of the board shows, besides its form.
func (d *drawing) hash(i int) uint64 {
	if i < headings {
		return mix(1, uint64(d.Aim.X))
	}
	i -= headings
	h := uint64(1)
	_, dy := d.offset()
	first := max(0, (4*i-dy)/(4*d.Height))
	last := min(d.Rows-1, (4*i+3-dy)/(4*d.Height))
	for row := first; row <= last; row++ {
		h = mix(h, d.rowHash(d.Top+row))
	}
	return h
}

// rowHash returns a number for everything that a row of cells shows.
func (d *drawing) rowHash(y int) uint64 {
	cells, known := d.looksOf(y), &d.looks[y&1].hash
	if *known != 0 {
		return *known
	}
	h := uint64(y)
	if y == int(d.Aim.Y) { // its label
		h += match.MaxSize
	}
	for x := d.Left; x < d.Left+d.Columns; x++ {
		h = cells[x].hash(h)
		if d.texts != nil {
			for _, r := range d.texts[match.At(x, y)] {
				h = mix(h, uint64(r))
			}
		}
	}
	*known = h
	return h
}
