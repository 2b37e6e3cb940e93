package board

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
)

// Panel is a board with text above and below it.
type Panel struct {
	Heading string
	Note    string // to the right of the heading
	Board   *Board
	Chart   *match.Chart // of the fleet on the board, whose ships are listed; nil: no list
	Text    []string     // below the board, most important first
}

// Scene is one or two boards with their text.
type Scene struct {
	Status  string // above the boards
	Turn    int    // the board above which Status starts
	Panels  []Panel
	Text    []string // below everything else; if space is short, the last lines are kept
	Aside   []string // to the right of a single board
	Instead []string // replaces Text if Aside does not fit
	Brief   string   // replaces Text, above the bottom bar, if no line of it fits
	// Pane returns the content of a pane to the right of two boards, of at most height
	// lines, each at most PaneText wide. It replaces the text of the panels. Nil: no pane.
	Pane func(height int) []string
}

// PaneText is the width of the text in a pane.
const PaneText = 22

// paneWidth is the width of a pane with its margins.
const paneWidth = PaneText + 4

// Space is the part of the screen to draw a scene in.
type Space struct {
	Width, Height int         // in cells
	Detail        term.Detail // what the terminal can show
	Chosen        int         // the board to show if only one fits
	Windows       *[2]Window  // the part of each board shown last; nil: always start at the first cell
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
	Told     bool // the text of the panels is shown, or the pane
	TextLost bool // the scene has text, and none of it fits
}

// arranger draws a scene into a space.
type arranger struct {
	Space
	scene  Scene
	fit    fitting
	first  int // index of the first panel shown
	width  int // of a board
	gap    int // between two boards, or a board and the text beside it
	margin int
	pane   bool // there is room for the pane
	out    Arrangement

	statusWidth int // cells from the left edge to the end of the room for the status
}

// Arrange draws a scene as large as fits into a space.
func Arrange(s Space, scene Scene) Arrangement {
	aside := text.Widest(scene.Aside)
	a := arranger{Space: s, scene: scene, fit: fitInto(s, scene.Panels[0].Board.Size(), len(scene.Panels), aside)}
	texts := scene.Text
	if aside > 0 && !a.fit.aside {
		texts = scene.Instead
	}
	if a.fit.boards < len(scene.Panels) {
		a.first = s.Chosen
	}
	a.width, _ = a.fit.form.Outer(a.fit.columns, a.fit.rows)
	a.spread(aside)
	a.statusWidth = a.Width
	if a.pane {
		a.statusWidth -= paneWidth + 1
	}
	spare := a.fit.spare
	if spare > 6 {
		a.blank()
		spare--
	}
	a.addStatus()
	if spare > 4 {
		a.blank()
		spare--
	}
	spare = a.addBoards(spare)
	kept := a.addText(texts, spare)
	a.out.TextLost = kept == 0 && (len(texts) > 0 || scene.Panels[0].Text != nil && !a.out.Told)
	if a.pane {
		a.addPane()
	}
	return a.out
}

// spread decides whether there is room for a pane, and sets the margin and the gap between
// two boards.
func (a *arranger) spread(aside int) {
	a.gap = minGap
	room := a.Width - a.fit.boards*a.width
	if a.fit.aside {
		room -= aside + minGap
	}
	if n := a.columnWidth(); room >= n {
		room -= n
	}
	if a.pane = a.scene.Pane != nil && a.fit.boards == 2 && room >= paneWidth+2*minGap; a.pane {
		room -= paneWidth + 1
	}
	if a.fit.boards == 2 {
		a.gap = max(minGap, min(8, (room+1)/3))
		room -= a.gap
	}
	a.margin = max(0, room/2)
}

func (a *arranger) blank() { a.out.Lines = append(a.out.Lines, "") }

// addStatus adds the status, aligned with the board that it is about. Wide text starts
// further left.
func (a *arranger) addStatus() {
	left := a.margin + LabelWidth
	if a.fit.boards == 2 && a.scene.Turn == 1 {
		left += a.width + a.gap
	}
	// If the status does not fit at left, it begins further to the left.
	left = max(0, min(left, a.statusWidth-text.Width(a.scene.Status)))
	line := ansi.Truncate(text.Spaces(left)+a.scene.Status, a.statusWidth, "")
	a.out.Lines = append(a.out.Lines, text.Pad(line, a.statusWidth))
}

// addBoards adds the boards with their captions and the text beside and below them. It
// returns the number of lines left.
func (a *arranger) addBoards(spare int) int {
	block := []string{a.captions()}
	block = append(block, a.draw()...)
	gap := text.Spaces(a.gap)
	column := a.shipColumn()
	for i, l := range block {
		switch {
		case a.fit.aside && i < len(a.scene.Aside):
			l += gap + a.scene.Aside[i]
		case i < len(column):
			l += column[i]
		}
		a.out.Lines = append(a.out.Lines, l)
	}
	if a.fit.aside && len(block) < len(a.scene.Aside) {
		for _, l := range a.scene.Aside[len(block):] {
			a.out.Lines, spare = append(a.out.Lines, text.Spaces(a.margin+a.width)+gap+l), spare-1
		}
	}
	if column == nil && a.fit.form.Height != Medium.Height {
		spare = a.addShips(spare)
	}
	return a.addPanelText(spare)
}

// ships returns the ships of a panel, or "".
func (a *arranger) ships(p *Panel) string {
	if p.Chart == nil {
		return ""
	}
	return strings.Join(Ships(p.Chart, a.Detail), " ")
}

// captions returns a line with the caption of each panel: its heading, and on the right the
// ships if they fit, or else the note.
func (a *arranger) captions() string {
	line := text.Spaces(a.margin)
	for i := range a.fit.boards {
		p := &a.scene.Panels[a.first+i]
		width := a.width - LabelWidth
		if a.fit.boards == 1 && !a.fit.aside {
			width = max(width, min(a.Width-a.margin-LabelWidth, text.Width(p.Heading)+2+text.Width(p.Note)))
		}
		note := term.Faint.Render(p.Note)
		if ships := a.ships(p); ships != "" && a.fit.form.Height == Medium.Height && text.Width(ships)+text.Width(p.Heading) < width {
			note = ships
		}
		if i > 0 {
			line += text.Spaces(a.gap)
		}
		line += p.caption(note, width)
	}
	return line
}

// caption returns the heading and a note, above the cells of a board.
func (p *Panel) caption(note string, width int) string {
	heading := term.Strong.Render(p.Heading)
	if room := width - text.Width(heading) - text.Width(note); room > 0 {
		heading += text.Spaces(room) + note
	}
	return text.Spaces(LabelWidth) + text.Pad(heading, width)
}

// shipColumn returns lines with the ships of a single board, for the space to its right, or
// nil if there is no room or too much.
func (a *arranger) shipColumn() []string {
	if n := a.columnWidth(); n == 0 || a.Width-a.margin-a.width < n {
		return nil
	}
	ships := Ships(a.scene.Panels[a.first].Chart, a.Detail)
	lines := make([]string, 2+2*len(ships)) // below the heading and the numbers
	for i, s := range ships {
		lines[2+2*i] = " " + s
	}
	return lines
}

// columnWidth returns the width of the ships of a single board in a column, or 0 if they are
// not shown like that.
func (a *arranger) columnWidth() int {
	p := &a.scene.Panels[a.first]
	if a.fit.boards != 1 || a.fit.aside || p.Chart == nil || a.fit.form.Height > 1 || 2*len(p.Chart.Rules.Fleet) > a.fit.rows {
		return 0
	}
	return 1 + text.Widest(Ships(p.Chart, a.Detail))
}

// addShips adds a line with the ships of each panel.
func (a *arranger) addShips(spare int) int {
	line := text.Spaces(a.margin)
	found := false
	for i := range a.fit.boards {
		ships := a.ships(&a.scene.Panels[a.first+i])
		found = found || ships != ""
		line += text.Spaces(LabelWidth) + text.Pad(ships, a.width-LabelWidth+a.gap)
	}
	if !found || spare < 1 {
		return spare
	}
	if spare > 4 {
		a.blank()
		spare--
	}
	a.out.Lines = append(a.out.Lines, ansi.Truncate(line, a.Width, ""))
	return spare - 1
}

// addPanelText adds as much of the text of the panels as fits.
func (a *arranger) addPanelText(spare int) int {
	rows := 0
	for i := range a.fit.boards {
		rows = max(rows, len(a.scene.Panels[a.first+i].Text))
	}
	if a.out.Told = a.pane; rows == 0 || spare < 1 || a.pane {
		return spare
	}
	a.out.Told = true
	if spare > rows {
		a.blank()
		spare--
	}
	for row := range min(rows, spare) {
		line := text.Spaces(a.margin)
		for i := range a.fit.boards {
			content, width := "", a.width-LabelWidth
			if all := a.scene.Panels[a.first+i].Text; row < len(all) {
				content = all[row]
			}
			if i == a.fit.boards-1 || a.scene.Panels[a.first+1].Text == nil {
				width = a.Width - a.margin - i*(a.width+a.gap) - LabelWidth
			}
			line += text.Spaces(LabelWidth) + text.Pad(content, width)
			if width > a.width {
				break
			}
			if i < a.fit.boards-1 {
				line += text.Spaces(a.gap)
			}
		}
		a.out.Lines, spare = append(a.out.Lines, line), spare-1
	}
	return spare
}

// addPane adds the pane at the right edge, using the full height.
func (a *arranger) addPane() {
	content := a.scene.Pane(a.Height - 2)
	for len(a.out.Lines) < a.Height {
		a.blank()
	}
	for i, l := range a.out.Lines {
		line := ""
		if i < len(content) {
			line = content[i]
		}
		if w := text.Width(l); w > a.Width-paneWidth-1 {
			l = ansi.Truncate(l, a.Width-paneWidth-1, "")
		}
		l += text.Spaces(a.Width - paneWidth - 1 - text.Width(l))
		a.out.Lines[i] = l + term.Card.Fill("  "+line, paneWidth)
	}
}

// draw draws the boards and records their spots.
func (a *arranger) draw() []string {
	var lines []string
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
		a.out.Spots = append(a.out.Spots, Spot{n, a.margin + i*(a.width+a.gap), len(a.out.Lines) + 1, a.fit.form, w})
		drawn, before := b.Draw(a.fit.form, w), text.Spaces(a.margin)
		if i > 0 {
			before = text.Spaces(a.gap)
		} else {
			lines = make([]string, len(drawn))
		}
		for y, l := range drawn {
			lines[y] += before + l
		}
	}
	return lines
}

// addText adds as much of the text as fits, and returns the number of lines added.
func (a *arranger) addText(texts []string, spare int) int {
	if spare > len(texts) && len(texts) > 0 {
		a.blank()
		spare--
	}
	for len(texts) > max(0, spare) && texts[len(texts)-1] == "" {
		texts = texts[:len(texts)-1]
	}
	if spare < len(texts) { // the last ones matter most
		texts = texts[len(texts)-max(0, spare):]
	}
	left := max(0, min(a.margin+LabelWidth, a.Width-1-text.Widest(texts))) // the same for all lines
	for _, l := range texts {
		a.out.Lines = append(a.out.Lines, ansi.Truncate(text.Spaces(left)+l, a.Width, "…"))
	}
	return len(texts)
}
