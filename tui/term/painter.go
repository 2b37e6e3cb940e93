package term

import (
	"bytes"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// painter writes the changes of one frame.
type painter struct {
	b       *bytes.Buffer
	palette *Palette
	// x and y are the position of the terminal's cursor. If it is unknown, y is -1.
	x, y int
	// look is the look of the terminal's next character.
	look look
}

// maxGap is the maximum number of unchanged cells between changed ones that are rewritten
// because moving the cursor takes more bytes.
const maxGap = 5

// rowPairs pools the cells of two lines to compare, because only a few writers are active at a time.
var rowPairs = sync.Pool{New: func() any { return new([2][]cell) }}

// updateLine updates line y of the terminal.
func (p *painter) updateLine(y, width int, before, after string) {
	rows := rowPairs.Get().(*[2][]cell)
	defer rowPairs.Put(rows)
	var uncertainBefore, uncertainAfter bool
	rows[0], uncertainBefore = p.palette.parseLine(rows[0][:0], before, width)
	rows[1], uncertainAfter = p.palette.parseLine(rows[1][:0], after, width)
	blank := p.blankCell()
	old, new := rows[0][:contentLength(rows[0], blank)], rows[1][:contentLength(rows[1], blank)]
	if uncertainBefore || uncertainAfter {
		// Terminals disagree on the width of such characters, so the columns of this
		// line are unknown.
		p.moveCursor(0, y)
		p.erase(ansi.EraseLineRight)
		p.writeCells(0, y, new)
		return
	}
	p.writeDifferences(y, old, new)
}

// blankCell returns what a cell is after it was erased.
func (p *painter) blankCell() cell { return cell{" ", 1, p.palette.look(Plain.Pen().inherit(Ground))} }

// writeDifferences writes the changed parts of line y and erases its rest. It also rewrites short
// gaps between them if this does not change the look.
func (p *painter) writeDifferences(y int, old, new []cell) {
	blank := p.blankCell()
	from, to := -1, -1 // the cells to write, if any
	for x := range new {
		if x < len(old) && new[x].looksLike(old[x]) || x >= len(old) && new[x].looksLike(blank) {
			continue
		}
		if from >= 0 && (x-to > maxGap || !allLookSameIn(new[to:x], new[to-1].look)) {
			p.writeCells(from, y, new[from:to])
			from = -1
		}
		if from < 0 {
			from = x
		}
		to = x + 1
	}
	if from >= 0 {
		p.writeCells(from, y, new[from:to])
	}
	if len(old) > len(new) {
		if to != len(new) || from < 0 { // otherwise the cursor is already there
			p.moveCursor(len(new), y)
		}
		p.erase(ansi.EraseLineRight)
	}
}

func allLookSameIn(cells []cell, l look) bool {
	for _, c := range cells {
		if !c.looksSameIn(l) {
			return false
		}
	}
	return true
}

// erase writes a control sequence that erases cells. Terminals give them the current
// background.
func (p *painter) erase(seq string) {
	p.b.WriteString(p.palette.lookSequence(p.look, p.blankCell().look))
	p.look = p.blankCell().look
	p.b.WriteString(seq)
}

// writeCells writes cells from column x of line y.
func (p *painter) writeCells(x, y int, cells []cell) {
	p.moveCursor(x, y)
	for i, c := range cells {
		if c.width == 0 {
			continue // the right half of a wide character
		}
		p.changeLookFor(cells[i:])
		p.b.WriteString(c.text)
		if p.x++; c.hasUncertainWidth() {
			p.y = -1
			p.moveCursor(x+i+c.width, y)
		}
	}
}

// changeLookFor changes the terminal's look to that of the first cell, unless the cell looks the same
// already.
func (p *painter) changeLookFor(cells []cell) {
	if !cells[0].looksSameIn(p.look.normalize()) {
		p.changeLook(textLook(cells))
	}
}

// textLook returns the look for the first cell. A space takes the look of the text that follows if
// their backgrounds are the same.
func textLook(cells []cell) look {
	first := cells[0].look
	for _, c := range cells {
		if c.look.ground != first.ground || c.look.reverse != first.reverse {
			return first
		}
		if c.text != " " {
			return c.look
		}
	}
	return first
}

func (p *painter) moveCursor(x, y int) {
	if y == p.y && x == p.x {
		return
	}
	if y == p.y && x > p.x {
		p.b.WriteString(ansi.CursorForward(x - p.x))
	} else {
		p.b.WriteString(ansi.CursorPosition(x+1, y+1))
	}
	p.x, p.y = x, y
}

// changeLook changes the look of the terminal's next characters with as few bytes as possible.
func (p *painter) changeLook(want look) {
	next, change := want, p.palette.lookSequence(p.look, want)
	anew := ansi.ResetStyle + p.palette.lookSequence(look{}, want)
	if len(anew) < len(change) {
		change = anew
	}
	if p.palette.canExchange {
		swapped := p.palette.lookSequence(p.look, want.exchangeColours())
		if len(swapped) < len(change) {
			next, change = want.exchangeColours(), swapped
		}
	}
	p.b.WriteString(change)
	p.look = next
}
