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
	Lines          []string // as wide as the space
	Spots          []Spot
	PanelTextShown bool // the text of the panels is shown, or the pane
	TextLost       bool // the scene has text, and none of it fits
}

// arranger draws a scene into a space.
type arranger struct {
	Space
	scene  Scene
	fit    fitting
	panels []Panel // those that fit
	first  int     // index of the first of them
	width  int     // of a board
	gap    int     // between two boards, or a board and the text beside it
	margin int
	column int  // width of the ships to the right of a single board; 0 if they are not there
	pane   bool // there is room for the pane
	spare  int  // lines left
	out    Arrangement
}

// Arrange draws a scene as large as fits into a space.
func Arrange(s Space, scene Scene) Arrangement {
	aside := text.MaxWidth(scene.Aside)
	a := arranger{Space: s, scene: scene, fit: chooseFitting(s, scene.Panels[0].Board.Size(), len(scene.Panels), aside)}
	texts := scene.Text
	if aside > 0 && !a.fit.aside {
		texts = scene.Instead
	}
	if a.fit.boards < len(scene.Panels) {
		a.first = s.Chosen
	}
	a.panels, a.spare = scene.Panels[a.first:a.first+a.fit.boards], a.fit.spare
	a.width, _ = a.fit.form.OuterSize(a.fit.columns, a.fit.rows)
	a.layOutColumns(aside)
	a.addBlankIfSpare(6)
	a.addStatus()
	a.addBlankIfSpare(4)
	a.addBoards()
	if a.column == 0 && a.fit.form.Height != Medium.Height {
		a.addShips()
	}
	a.addPanelText()
	kept := a.addText(texts)
	a.out.TextLost = kept == 0 && (len(texts) > 0 || scene.Panels[0].Text != nil && !a.out.PanelTextShown)
	if a.pane {
		a.addPane()
	}
	return a.out
}

// layOutColumns decides whether there is room for a pane and for the ships of a single board beside it, and sets
// the margin and the gap between two boards.
func (a *arranger) layOutColumns(aside int) {
	a.gap = minGap
	room := a.Width - a.fit.boards*a.width
	if a.fit.aside {
		room -= aside + minGap
	}
	p := &a.panels[0]
	if a.fit.boards == 1 && !a.fit.aside && p.Chart != nil && a.fit.form.Height == 1 && 2*len(p.Chart.Rules.Fleet) <= a.fit.rows {
		n := 1 + text.MaxWidth(ShipRows(p.Chart, a.Detail))
		if room >= n {
			a.column = n
			room -= n
		}
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

// addLine adds a line.
func (a *arranger) addLine(line string) {
	a.out.Lines = append(a.out.Lines, line)
	a.spare--
}

// addBlankIfSpare adds a blank line if more than n lines are left.
func (a *arranger) addBlankIfSpare(n int) {
	if a.spare > n {
		a.addLine("")
	}
}

// addStatus adds the status, aligned with the board that it is about. Wide text starts
// further left.
func (a *arranger) addStatus() {
	width := a.Width
	if a.pane {
		width -= paneWidth + 1
	}
	left := a.margin + LabelWidth
	if a.fit.boards == 2 && a.scene.Turn == 1 {
		left += a.width + a.gap
	}
	left = max(0, min(left, width-text.Width(a.scene.Status)))
	line := ansi.Truncate(text.Spaces(left)+a.scene.Status, width, "")
	a.out.Lines = append(a.out.Lines, text.Pad(line, width))
}

// addBoards adds the boards with their captions and the text or the ships beside them, and records their
// spots.
func (a *arranger) addBoards() {
	blocks := [][]string{nil}
	height := 0
	for i := range a.panels {
		p, w := &a.panels[i], Window{Columns: a.fit.columns, Rows: a.fit.rows}
		at := p.Board.Aim
		n := len(p.Board.Last)
		if at == Nowhere && n > 0 {
			at = p.Board.Last[n-1]
		}
		if a.Windows != nil {
			w.Left, w.Top = a.Windows[a.first+i].Left, a.Windows[a.first+i].Top
		}
		w = w.ScrollTo(at, p.Board.Size())
		if a.Windows != nil {
			a.Windows[a.first+i] = w
		}
		left := a.margin + i*(a.width+a.gap)
		a.out.Spots = append(a.out.Spots, Spot{a.first + i, left, len(a.out.Lines) + 1, a.fit.form, w})
		block := append([]string{a.caption(p)}, p.Board.Draw(a.fit.form, w)...)
		blocks, height = append(blocks, block), len(block)
	}
	if a.fit.aside {
		blocks = append(blocks, a.scene.Aside)
	}
	lines := text.JoinColumns(a.gap, blocks[1:]...)
	if a.column > 0 {
		for i, ship := range ShipRows(a.panels[0].Chart, a.Detail) {
			lines[2+2*i] += " " + ship // below the heading and the numbers
		}
	}
	for _, l := range lines {
		a.out.Lines = append(a.out.Lines, text.Spaces(a.margin)+l)
	}
	a.spare -= len(lines) - height
}

// shipsText returns the ships of a panel, or "".
func (a *arranger) shipsText(p *Panel) string {
	if p.Chart == nil {
		return ""
	}
	return strings.Join(ShipRows(p.Chart, a.Detail), " ")
}

// caption returns the line above a board: its heading, and on the right the ships if they fit, or else the
// note.
func (a *arranger) caption(p *Panel) string {
	width := a.width - LabelWidth
	if a.fit.boards == 1 && !a.fit.aside {
		width = max(width, min(a.Width-a.margin-LabelWidth, text.Width(p.Heading)+2+text.Width(p.Note)))
	}
	note := term.Faint.Render(p.Note)
	ships := a.shipsText(p)
	if ships != "" && a.fit.form.Height == Medium.Height && text.Width(ships)+text.Width(p.Heading) < width {
		note = ships
	}
	return p.caption(note, width)
}

// caption returns the heading and a note, above the cells of a board.
func (p *Panel) caption(note string, width int) string {
	heading := term.Strong.Render(p.Heading)
	room := width - text.Width(heading) - text.Width(note)
	if room > 0 {
		heading += text.Spaces(room) + note
	}
	return text.Spaces(LabelWidth) + text.Pad(heading, width)
}

// lineBelow returns a line with texts below the boards. The last one may be as wide as there is room.
func (a *arranger) lineBelow(texts []string) string {
	line := text.Spaces(a.margin)
	for i, t := range texts {
		width := a.width - LabelWidth + a.gap
		if i == len(texts)-1 {
			width = a.Width - text.Width(line) - LabelWidth
		}
		line += text.Spaces(LabelWidth) + text.Pad(t, width)
	}
	return line
}

// addShips adds a line with the ships of each panel.
func (a *arranger) addShips() {
	var ships []string
	for i := range a.panels {
		ships = append(ships, a.shipsText(&a.panels[i]))
	}
	if strings.Join(ships, "") == "" || a.spare < 1 {
		return
	}
	a.addBlankIfSpare(4)
	a.addLine(a.lineBelow(ships))
}

// addPanelText adds as much of the text of the panels as fits.
func (a *arranger) addPanelText() {
	rows, columns := 0, 0
	for i := range a.panels {
		rows = max(rows, len(a.panels[i].Text))
		if i == 0 || a.panels[i].Text != nil {
			columns = i + 1
		}
	}
	if a.out.PanelTextShown = a.pane; rows == 0 || a.spare < 1 || a.pane {
		return
	}
	a.out.PanelTextShown = true
	a.addBlankIfSpare(rows)
	for row := range min(rows, a.spare) {
		texts := make([]string, columns)
		for i := range texts {
			all := a.panels[i].Text
			if row < len(all) {
				texts[i] = all[row]
			}
		}
		a.addLine(a.lineBelow(texts))
	}
}

// addPane adds the pane at the right edge, using the full height.
func (a *arranger) addPane() {
	content := a.scene.Pane(a.Height - 2)
	for len(a.out.Lines) < a.Height {
		a.out.Lines = append(a.out.Lines, "")
	}
	width := a.Width - paneWidth - 1
	for i, l := range a.out.Lines {
		line := ""
		if i < len(content) {
			line = content[i]
		}
		l = ansi.Truncate(l, width, "")
		a.out.Lines[i] = text.Pad(l, width) + term.Card.Fill("  "+line, paneWidth)
	}
}

// addText adds as much of the text as fits, and returns the number of lines added.
func (a *arranger) addText(texts []string) int {
	if len(texts) > 0 {
		a.addBlankIfSpare(len(texts))
	}
	room := max(0, a.spare)
	for len(texts) > room && texts[len(texts)-1] == "" {
		texts = texts[:len(texts)-1]
	}
	texts = texts[max(0, len(texts)-room):]                                  // the last ones matter most
	left := max(0, min(a.margin+LabelWidth, a.Width-1-text.MaxWidth(texts))) // the same for all lines
	for _, l := range texts {
		a.addLine(ansi.Truncate(text.Spaces(left)+l, a.Width, "…"))
	}
	return len(texts)
}
