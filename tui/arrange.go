package tui

import (
	"slices"

	"github.com/charmbracelet/x/ansi"

	"broadside/match"
	"broadside/tui/board"
)

// shown is a board with what stands above and below it.
type shown struct {
	heading string
	board   *board.Board
	below   string // takes no line if nothing is below any board
}

// scene is one or two boards with what belongs to them.
type scene struct {
	status  string // above all
	boards  []shown
	text    []string // below all; the last lines matter most
	aside   []string // at the right of a single board
	instead []string // in place of text, where there is no room aside
	brief   string   // in place of text, above the keys, where there is no room for any of it
}

// space is where boards are to stand.
type space struct {
	width, height int              // in cells
	chosen        int              // the board to be shown where there is room for one only
	views         *[2]board.Window // what of the boards was shown last; nil if they are shown once
	before        []string         // the lines of two boards as drawn last, if they are still there
}

// spot is where a board stands, for the mouse: what is drawn of it begins
// there.
type spot struct {
	n         int // which of the boards it is
	left, top int
	form      board.Form
	window    board.Window
}

// arrangement is how boards stand in a space.
type arrangement struct {
	form    board.Form
	columns int
	rows    int
	boards  int  // 1 or 2
	aside   bool // there is room beside the board
	spare   int  // lines left below the status, the heading and the board
}

const (
	boardGap   = 4 // between two boards, or a board and what stands beside it
	aboveBoard = 2 // lines: what is going on, and the heading
	spareLines = 3 // wanted below a board with lines in it
)

// arrange chooses the largest form in which boards of a size fit into a space.
// Where there is no room for two, one is shown; where there is none for a whole
// one, a part of it.
func arrange(s space, size, boards, aside int) arrangement {
	room := s.height - aboveBoard
	try := func(f board.Form, n, aside int) (a arrangement, wide, high bool) {
		w, h := f.Outer(size, size)
		need := n*w + (n-1)*boardGap
		if aside > 0 {
			need += boardGap + aside
		}
		a = arrangement{form: f, columns: size, rows: size, boards: n, aside: aside > 0, spare: room - h}
		return a, need <= s.width, a.spare >= 0 && (!f.Lines || a.spare >= spareLines)
	}
	whole := []board.Form{board.Huge, board.Wide, board.Grid, board.Compact, board.Tight}
	small := []board.Form{board.Narrow, board.Tiny}
	type attempt struct {
		boards, aside int
		forms         []board.Form
	}
	attempts := []attempt{{boards, aside, whole}, {boards, aside, small}, {1, 0, whole}, {1, 0, small}}
	if boards == 2 && s.width < twoBoards {
		attempts = attempts[2:]
	}
	for _, t := range attempts {
		for _, f := range t.forms {
			if a, wide, high := try(f, t.boards, t.aside); wide && high {
				return a
			}
		}
	}
	// A part of the rows at least, with some lines below.
	if room > 2*fewestRows {
		room -= spareLines
	}
	for _, t := range attempts {
		for _, f := range []board.Form{board.Compact, board.Tight, board.Narrow, board.Tiny} {
			a, wide, _ := try(f, t.boards, t.aside)
			if _, rows := f.Rooms(s.width, room); wide && rows >= min(size, fewestRows) {
				return a.within(rows, s.height)
			}
		}
	}
	a, _, _ := try(board.Tight, 1, 0)
	columns, rows := a.form.Rooms(s.width, room)
	a.columns = max(1, min(columns, size))
	return a.within(rows, s.height)
}

// within shows so many rows of the board in a space of a height.
func (a arrangement) within(rows, height int) arrangement {
	a.rows = max(1, min(a.rows, rows))
	_, h := a.form.Outer(a.columns, a.rows)
	a.spare = max(0, height-aboveBoard-h)
	return a
}

const (
	twoBoards  = 80 // the narrowest screen on which two boards stand
	fewestRows = 8  // of a board that is too high
)

// onBoards draws one or two boards with a line above them and text below, and
// tells where they stand, and whether there was no room for any of the text. The
// lines are as wide as the space.
func onBoards(s space, of scene) (lines []string, spots []spot, mute bool) {
	all, text := of.boards, of.text
	aside := widest(of.aside)
	a := arrange(s, all[0].board.Size(), len(all), aside)
	if aside > 0 && !a.aside {
		text = of.instead
	}
	mute = len(text) > 0
	first, n := 0, a.boards
	if n < len(all) {
		first = s.chosen
	}
	width, _ := a.form.Outer(a.columns, a.rows)
	total := n*width + (n-1)*boardGap
	if a.aside {
		total += boardGap + aside
	}
	margin := max(0, (s.width-total)/2)
	// Text begins where the boards do, or further left if it is long.
	inset := func(wide int) string { return spaces(max(0, min(margin+labelWidth, s.width-wide))) }
	lines = []string{pad(inset(textWide(of.status))+of.status, s.width)}
	spare := a.spare
	below := slices.ContainsFunc(all, func(b shown) bool { return b.below != "" })
	if spare >= 5 {
		lines, spare = append(lines, ""), spare-1
	}
	over := width - labelWidth // for what stands above and below a board
	if n == 1 && !a.aside {
		over = s.width - margin - labelWidth
	}
	var boards [2]*board.Board
	var windows [2]board.Window
	for i := range n {
		b := all[first+i]
		w := board.Window{Columns: a.columns, Rows: a.rows}
		if s.views != nil {
			w.Left, w.Top = s.views[first+i].Left, s.views[first+i].Top
		}
		at := b.board.Aim
		if at == board.Nowhere {
			at = b.board.Last
		}
		w = w.Follow(at, b.board.Size())
		if s.views != nil {
			s.views[first+i] = w
		}
		boards[i], windows[i] = b.board, w
		spots = append(spots, spot{first + i, margin + i*(width+boardGap), len(lines) + 1, a.form, w})
	}
	indent, gap := spaces(margin), spaces(boardGap)
	// each is a line with something for each board.
	each := func(of func(b shown) string) string {
		l := indent + "   " + pad(of(all[first]), over)
		if n == 2 {
			l += gap + "   " + pad(of(all[first+1]), over)
		}
		return l
	}
	block := []string{each(func(b shown) string { return looks().strong.Render(b.heading) })}
	if n == 2 {
		block = append(block, board.DrawPair(boards, a.form, windows, margin, boardGap, s.before)...)
	} else {
		for _, l := range boards[0].Draw(a.form, windows[0]) {
			block = append(block, indent+l)
		}
	}
	if below && spare > 0 {
		block = append(block, each(func(b shown) string { return b.below }))
	}
	for i, l := range block {
		if a.aside && i < len(of.aside) {
			l += gap + of.aside[i]
		}
		lines = append(lines, l)
	}
	if a.aside && len(block) < len(of.aside) {
		for _, l := range of.aside[len(block):] {
			lines, spare = append(lines, spaces(margin+width)+gap+l), spare-1
		}
	}
	if below {
		spare--
	}
	if spare > len(text) && len(text) > 0 {
		lines, spare = append(lines, ""), spare-1
	}
	for len(text) > max(0, spare) && text[len(text)-1] == "" {
		text = text[:len(text)-1]
	}
	if spare < len(text) { // the last ones matter most
		text = text[len(text)-max(0, spare):]
	}
	// Lines that begin further left do so together.
	indent = inset(widest(text))
	for _, l := range text {
		lines = append(lines, ansi.Truncate(indent+l, s.width, "…"))
	}
	return lines, spots, mute && len(text) == 0
}

// labelWidth is the width of what stands at the left of a board's cells.
const labelWidth = 3

// room is the height of what stands between the bar and the notice.
func (m *Model) room() int {
	if m.callLine() != "" {
		return m.height - 4
	}
	return m.height - 3
}

// showBoards is onBoards on this screen. It notes where the boards stand, and
// what is to be said above the keys: the rest of a status that is too long, or
// what has happened if there is no room for it below the boards.
func (m *Model) showBoards(of scene) []string {
	s := space{width: m.width, height: m.room(), chosen: min(m.chosen, len(of.boards)-1), views: &m.views, before: m.before}
	m.blaze(of.boards)
	rest := ""
	if parts := styledParts(of.status, m.width); len(parts) > 1 {
		of.status, rest = parts[0], parts[1]
	}
	lines, spots, mute := onBoards(s, of)
	if m.brief = rest; rest == "" && mute {
		m.brief = of.brief
	}
	m.spots = spots
	m.folded = len(spots) < len(of.boards)
	return lines
}

// hovered puts the mouse's mark on a board, if it is there.
func (m *Model) hovered(n int, b *board.Board) {
	if m.hover.screen == m.screen && m.hover.n == n {
		b.Hover = m.hover.at
	}
}

// hover is where the mouse is.
type hover struct {
	screen screen // on which it was there
	n      int    // the board
	at     match.Cell
}
