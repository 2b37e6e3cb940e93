package board

import (
	"slices"

	"github.com/charmbracelet/x/ansi"

	"broadside/internal/term"
	"broadside/tui/format"
)

// Panel is a board with text above and below it.
type Panel struct {
	Heading string
	Board   *Board
	Below   string // adds a line only if some panel of the scene has it
}

// Scene is one or two boards with their text.
type Scene struct {
	Status  string // above everything else
	Panels  []Panel
	Text    []string // below everything else; if space is short, the last lines are kept
	Aside   []string // to the right of a single board
	Instead []string // replaces Text if Aside does not fit
	Brief   string   // replaces Text, above the bottom bar, if no line of it fits
}

// Space is the part of the screen to draw a scene in.
type Space struct {
	Width, Height int        // in cells
	Chosen        int        // the board to show if only one fits
	Windows       *[2]Window // the part of each board shown last; nil: always start at the first cell
	Before        []string   // the lines of two boards as drawn last, to be reused if unchanged
}

// Spot is the position of a board, for the mouse.
type Spot struct {
	Panel     int // index
	Left, Top int
	Form      Form
	Window    Window
}

// Arrangement is a scene as drawn.
type Arrangement struct {
	Lines    []string // as wide as the space
	Spots    []Spot
	TextLost bool // the scene has Text, and none of it fits
}

// fitting describes how boards fit into a space.
type fitting struct {
	form    Form
	columns int
	rows    int
	boards  int  // 1 or 2
	aside   bool // there is room beside the board
	spare   int  // lines left below the status, the heading and the board
}

const (
	boardGap   = 4  // between two boards, or a board and the text beside it
	aboveBoard = 2  // lines: the status and the heading
	spareLines = 3  // wanted below a board with grid lines
	twoBoards  = 80 // width of the narrowest screen that shows two boards
	fewestRows = 8  // shown of a board that is too tall
)

// LabelWidth is the width of the row labels to the left of a board.
const LabelWidth = 3

// fitInto chooses the largest form in which boards of a size fit into a space. If two
// boards don't fit, it chooses one; if a whole board doesn't fit, it chooses a part of
// one.
func fitInto(s Space, size, boards, aside int) fitting {
	room := s.Height - aboveBoard
	try := func(f Form, n, aside int) (a fitting, wide, high bool) {
		w, h := f.Outer(size, size)
		need := n*w + (n-1)*boardGap
		if aside > 0 {
			need += boardGap + aside
		}
		a = fitting{form: f, columns: size, rows: size, boards: n, aside: aside > 0, spare: room - h}
		return a, need <= s.Width, a.spare >= 0 && (!f.Lines || a.spare >= spareLines)
	}
	whole := []Form{Huge, Wide, Grid, Compact, Tight}
	small := []Form{Narrow, Tiny}
	type attempt struct {
		boards, aside int
		forms         []Form
	}
	attempts := []attempt{{boards, aside, whole}, {boards, aside, small}, {1, 0, whole}, {1, 0, small}}
	if boards == 2 && s.Width < twoBoards {
		attempts = attempts[2:]
	}
	for _, t := range attempts {
		for _, f := range t.forms {
			if a, wide, high := try(f, t.boards, t.aside); wide && high {
				return a
			}
		}
	}
	// Show at least some rows, with some lines below.
	if room > 2*fewestRows {
		room -= spareLines
	}
	for _, t := range attempts {
		for _, f := range []Form{Compact, Tight, Narrow, Tiny} {
			a, wide, _ := try(f, t.boards, t.aside)
			if _, rows := f.Rooms(s.Width, room); wide && rows >= min(size, fewestRows) {
				return a.within(rows, s.Height)
			}
		}
	}
	a, _, _ := try(Tight, 1, 0)
	columns, rows := a.form.Rooms(s.Width, room)
	a.columns = max(1, min(columns, size))
	return a.within(rows, s.Height)
}

// within reduces the number of board rows to fit a height.
func (a fitting) within(rows, height int) fitting {
	a.rows = max(1, min(a.rows, rows))
	_, h := a.form.Outer(a.columns, a.rows)
	a.spare = max(0, height-aboveBoard-h)
	return a
}

// arranger draws a scene into a space.
type arranger struct {
	Space
	scene  Scene
	fit    fitting
	first  int // index of the first panel shown
	width  int // of a board
	margin int
	out    Arrangement
}

// Arrange draws a scene as large as fits into a space.
func Arrange(s Space, scene Scene) Arrangement {
	aside := format.Widest(scene.Aside)
	a := arranger{Space: s, scene: scene, fit: fitInto(s, scene.Panels[0].Board.Size(), len(scene.Panels), aside)}
	text := scene.Text
	if aside > 0 && !a.fit.aside {
		text = scene.Instead
	}
	if a.fit.boards < len(scene.Panels) {
		a.first = s.Chosen
	}
	a.width, _ = a.fit.form.Outer(a.fit.columns, a.fit.rows)
	total := a.fit.boards*a.width + (a.fit.boards-1)*boardGap
	if a.fit.aside {
		total += boardGap + aside
	}
	a.margin = max(0, (s.Width-total)/2)
	a.out.Lines = []string{format.Pad(a.inset(format.Width(scene.Status))+scene.Status, s.Width)}
	spare := a.fit.spare
	if spare >= 5 {
		a.out.Lines, spare = append(a.out.Lines, ""), spare-1
	}
	spare = a.addBoards(spare)
	kept := a.addText(text, spare)
	a.out.TextLost = len(text) > 0 && kept == 0
	return a.out
}

// inset returns the indentation of text of a width. Text is aligned with the boards;
// wide text starts further left.
func (a *arranger) inset(wide int) string {
	return format.Spaces(min(a.margin+LabelWidth, a.Width-wide))
}

// addBoards adds the boards with their captions and the text beside them. It returns
// the number of lines left.
func (a *arranger) addBoards(spare int) int {
	below := slices.ContainsFunc(a.scene.Panels, func(p Panel) bool { return p.Below != "" })
	block := []string{a.captions(func(p Panel) string { return term.Strong.Render(p.Heading) })}
	block = append(block, a.draw()...)
	if below && spare > 0 {
		block = append(block, a.captions(func(p Panel) string { return p.Below }))
	}
	gap := format.Spaces(boardGap)
	for i, l := range block {
		if a.fit.aside && i < len(a.scene.Aside) {
			l += gap + a.scene.Aside[i]
		}
		a.out.Lines = append(a.out.Lines, l)
	}
	if a.fit.aside && len(block) < len(a.scene.Aside) {
		for _, l := range a.scene.Aside[len(block):] {
			a.out.Lines, spare = append(a.out.Lines, format.Spaces(a.margin+a.width)+gap+l), spare-1
		}
	}
	if below {
		spare--
	}
	return spare
}

// captions returns a line with the caption of each panel.
func (a *arranger) captions(text func(Panel) string) string {
	width := a.width - LabelWidth
	if a.fit.boards == 1 && !a.fit.aside {
		width = a.Width - a.margin - LabelWidth
	}
	l := format.Spaces(a.margin) + "   " + format.Pad(text(a.scene.Panels[a.first]), width)
	if a.fit.boards == 2 {
		l += format.Spaces(boardGap) + "   " + format.Pad(text(a.scene.Panels[a.first+1]), width)
	}
	return l
}

// draw draws the boards and records their spots.
func (a *arranger) draw() []string {
	var boards [2]*Board
	var windows [2]Window
	for i := range a.fit.boards {
		n := a.first + i
		w := Window{Columns: a.fit.columns, Rows: a.fit.rows}
		if a.Windows != nil {
			w.Left, w.Top = a.Windows[n].Left, a.Windows[n].Top
		}
		b := a.scene.Panels[n].Board
		at := b.Aim
		if n := len(b.Last); at == Nowhere && n > 0 {
			at = b.Last[n-1]
		}
		w = w.Follow(at, b.Size())
		if a.Windows != nil {
			a.Windows[n] = w
		}
		boards[i], windows[i] = b, w
		a.out.Spots = append(a.out.Spots, Spot{n, a.margin + i*(a.width+boardGap), len(a.out.Lines) + 1, a.fit.form, w})
	}
	if a.fit.boards == 2 {
		return DrawPair(boards, a.fit.form, windows, a.margin, boardGap, a.Before)
	}
	lines := boards[0].Draw(a.fit.form, windows[0])
	for i, l := range lines {
		lines[i] = format.Spaces(a.margin) + l
	}
	return lines
}

// addText adds as much of the text as fits, and returns the number of lines added.
func (a *arranger) addText(text []string, spare int) int {
	if spare > len(text) && len(text) > 0 {
		a.out.Lines, spare = append(a.out.Lines, ""), spare-1
	}
	for len(text) > max(0, spare) && text[len(text)-1] == "" {
		text = text[:len(text)-1]
	}
	if spare < len(text) { // the last ones matter most
		text = text[len(text)-max(0, spare):]
	}
	indent := a.inset(format.Widest(text)) // the same indentation for all lines
	for _, l := range text {
		a.out.Lines = append(a.out.Lines, ansi.Truncate(indent+l, a.Width, "…"))
	}
	return len(text)
}
