package board

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
)

// Panel is a board with text around it: the heading and the note above it, and below it Text, whose first lines
// matter most. If Chart is not nil, the ships that it knows are listed, too.
type Panel struct {
	Heading string
	Note    string
	Board   *Board
	Chart   *match.Chart
	Text    []string
}

// Scene is one or two boards with their text.
type Scene struct {
	// Status is above the boards. It starts above the panel with index Turn.
	Status string
	Turn   int
	Panels []Panel
	// Text is below everything else. If space is short, its last lines are kept.
	Text []string
	// Aside is to the right of a single board. If it does not fit, Instead replaces Text.
	Aside, Instead []string
	// Brief replaces Text, above the bottom bar, if no line of Text fits.
	Brief string
	// Pane returns the content of a pane to the right of two boards, of at most height lines, each at most
	// PaneText wide. It replaces the panels' text. If it is nil, there is no pane.
	Pane func(height int) []string
}

// PaneText is the width of a pane's text.
const PaneText = 22

// paneWidth includes the margins.
const paneWidth = PaneText + 4

// Space is the part of the screen for a scene. Its size is in cells.
type Space struct {
	Width, Height int
	// Detail is what the terminal can show.
	Detail term.Detail
	// Chosen is the panel to show if only one fits.
	Chosen int
	// Windows are the parts of the boards that were shown last. Arrange updates them. If Windows is nil, each
	// window starts at the first cell.
	Windows *[2]Window
}

// Spot is the position of a panel's board on the screen, for the mouse.
type Spot struct {
	Panel     int
	Left, Top int
	Form      Form
	Window    Window
}

// Arrangement is a scene as drawn.
type Arrangement struct {
	// Lines are as wide as the space.
	Lines []string
	Spots []Spot
	// PanelTextShown is set if the panels' text or the pane is shown.
	PanelTextShown bool
	// TextLost is set if the scene has text, and none of it fits.
	TextLost bool
}

// arranger draws a scene into a space.
type arranger struct {
	Space
	scene   Scene
	fitting fitting
	// panels are those that fit. firstPanel is the index of the first one in the scene.
	panels     []Panel
	firstPanel int
	boardWidth int
	// gap is between two boards, or between a board and the text beside it.
	gap    int
	margin int
	// shipsWidth is the width of the ships to the right of a single board. It is 0 if they are not there.
	shipsWidth int
	hasPane    bool
	spareLines int
	result     Arrangement
}

// ArrangeScene draws a scene as large as fits into a space.
func ArrangeScene(s Space, scene Scene) Arrangement {
	aside := text.MaxWidth(scene.Aside)
	size := scene.Panels[0].Board.Size()
	a := arranger{Space: s, scene: scene, fitting: chooseFitting(s, size, len(scene.Panels), aside)}
	texts := scene.Text
	if aside > 0 && !a.fitting.hasAside {
		texts = scene.Instead
	}
	if a.fitting.panels < len(scene.Panels) {
		a.firstPanel = s.Chosen
	}
	a.panels, a.spareLines = scene.Panels[a.firstPanel:a.firstPanel+a.fitting.panels], a.fitting.spareLines
	a.boardWidth, _ = a.fitting.form.OuterSize(a.fitting.columns, a.fitting.rows)
	a.layOutColumns(aside)
	a.addBlankIfSpare(6)
	a.addStatus()
	a.addBlankIfSpare(4)
	a.addBoards()
	if a.shipsWidth == 0 && a.fitting.form.Height != Medium.Height {
		a.addShips()
	}
	a.addPanelText()
	kept := a.addText(texts)
	a.result.TextLost = kept == 0 && (len(texts) > 0 || scene.Panels[0].Text != nil && !a.result.PanelTextShown)
	if a.hasPane {
		a.addPane()
	}
	return a.result
}

// layOutColumns sets the margin and the gap between two boards, and decides whether there is room for a pane,
// and for a list of ships beside a single board.
func (a *arranger) layOutColumns(aside int) {
	a.gap = minGap
	room := a.Width - a.fitting.panels*a.boardWidth
	if a.fitting.hasAside {
		room -= aside + minGap
	}
	p := &a.panels[0]
	isAlone := a.fitting.panels == 1 && !a.fitting.hasAside && a.fitting.form.Height == 1
	if isAlone && p.Chart != nil && 2*len(p.Chart.Rules.Fleet) <= a.fitting.rows {
		n := 1 + text.MaxWidth(ShipRows(p.Chart, a.Detail))
		if room >= n {
			a.shipsWidth = n
			room -= n
		}
	}
	if a.hasPane = a.scene.Pane != nil && a.fitting.panels == 2 && room >= paneWidth+2*minGap; a.hasPane {
		room -= paneWidth + 1
	}
	if a.fitting.panels == 2 {
		a.gap = max(minGap, min(8, (room+1)/3))
		room -= a.gap
	}
	a.margin = max(0, room/2)
}

func (a *arranger) addLine(line string) {
	a.result.Lines = append(a.result.Lines, line)
	a.spareLines--
}

// addBlankIfSpare adds a blank line if more than n lines are spare.
func (a *arranger) addBlankIfSpare(n int) {
	if a.spareLines > n {
		a.addLine("")
	}
}

// addStatus adds the status, aligned with the board that it is about. Wide text starts further left.
func (a *arranger) addStatus() {
	width := a.Width
	if a.hasPane {
		width -= paneWidth + 1
	}
	left := a.margin + LabelWidth
	if a.fitting.panels == 2 && a.scene.Turn == 1 {
		left += a.boardWidth + a.gap
	}
	left = max(0, min(left, width-text.Width(a.scene.Status)))
	line := ansi.Truncate(text.Spaces(left)+a.scene.Status, width, "")
	a.result.Lines = append(a.result.Lines, text.Pad(line, width))
}

// addBoards adds the boards with their captions, the text or the ships beside them, and their spots.
func (a *arranger) addBoards() {
	blocks := [][]string{nil}
	height := 0
	for i := range a.panels {
		p, w := &a.panels[i], Window{Columns: a.fitting.columns, Rows: a.fitting.rows}
		at := p.Board.Aim
		n := len(p.Board.LastShots)
		if at == Nowhere && n > 0 {
			at = p.Board.LastShots[n-1]
		}
		if a.Windows != nil {
			w.Left, w.Top = a.Windows[a.firstPanel+i].Left, a.Windows[a.firstPanel+i].Top
		}
		w = w.ScrollTo(at, p.Board.Size())
		if a.Windows != nil {
			a.Windows[a.firstPanel+i] = w
		}
		left := a.margin + i*(a.boardWidth+a.gap)
		a.result.Spots = append(a.result.Spots, Spot{a.firstPanel + i, left, len(a.result.Lines) + 1, a.fitting.form, w})
		block := append([]string{a.caption(p)}, p.Board.Draw(a.fitting.form, w)...)
		blocks, height = append(blocks, block), len(block)
	}
	if a.fitting.hasAside {
		blocks = append(blocks, a.scene.Aside)
	}
	lines := text.JoinColumns(a.gap, blocks[1:]...)
	if a.shipsWidth > 0 {
		for i, ship := range ShipRows(a.panels[0].Chart, a.Detail) {
			// The heading and the numbers are above.
			lines[2+2*i] += " " + ship
		}
	}
	for _, l := range lines {
		a.result.Lines = append(a.result.Lines, text.Spaces(a.margin)+l)
	}
	a.spareLines -= len(lines) - height
}

// shipsText returns a panel's ships in one line. It is empty for a panel without a chart.
func (a *arranger) shipsText(p *Panel) string {
	if p.Chart == nil {
		return ""
	}
	return strings.Join(ShipRows(p.Chart, a.Detail), " ")
}

// caption returns the line above a board: its heading, and on the right the ships if they fit, or else the
// note.
func (a *arranger) caption(p *Panel) string {
	width := a.boardWidth - LabelWidth
	if a.fitting.panels == 1 && !a.fitting.hasAside {
		width = max(width, min(a.Width-a.margin-LabelWidth, text.Width(p.Heading)+2+text.Width(p.Note)))
	}
	note := term.Faint.Render(p.Note)
	ships := a.shipsText(p)
	if ships != "" && a.fitting.form.Height == Medium.Height && text.Width(ships)+text.Width(p.Heading) < width {
		note = ships
	}
	return p.caption(note, width)
}

// caption returns a line with the heading and a note, aligned with the board's cells.
func (p *Panel) caption(note string, width int) string {
	heading := term.Strong.Render(p.Heading)
	room := width - text.Width(heading) - text.Width(note)
	if room > 0 {
		heading += text.Spaces(room) + note
	}
	return text.Spaces(LabelWidth) + text.Pad(heading, width)
}

// lineBelow returns a line with a text below each board. The last one may be as wide as there is room.
func (a *arranger) lineBelow(texts []string) string {
	line := text.Spaces(a.margin)
	for i, t := range texts {
		width := a.boardWidth - LabelWidth + a.gap
		if i == len(texts)-1 {
			width = a.Width - text.Width(line) - LabelWidth
		}
		line += text.Spaces(LabelWidth) + text.Pad(t, width)
	}
	return line
}

// addShips adds a line with each panel's ships.
func (a *arranger) addShips() {
	var ships []string
	for i := range a.panels {
		ships = append(ships, a.shipsText(&a.panels[i]))
	}
	if strings.Join(ships, "") == "" || a.spareLines < 1 {
		return
	}
	a.addBlankIfSpare(4)
	a.addLine(a.lineBelow(ships))
}

// addPanelText adds as much of the panels' text as fits.
func (a *arranger) addPanelText() {
	rows, columns := 0, 0
	for i := range a.panels {
		rows = max(rows, len(a.panels[i].Text))
		if i == 0 || a.panels[i].Text != nil {
			columns = i + 1
		}
	}
	if a.result.PanelTextShown = a.hasPane; rows == 0 || a.spareLines < 1 || a.hasPane {
		return
	}
	a.result.PanelTextShown = true
	a.addBlankIfSpare(rows)
	for row := range min(rows, a.spareLines) {
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
	for len(a.result.Lines) < a.Height {
		a.result.Lines = append(a.result.Lines, "")
	}
	width := a.Width - paneWidth - 1
	for i, l := range a.result.Lines {
		line := ""
		if i < len(content) {
			line = content[i]
		}
		l = ansi.Truncate(l, width, "")
		a.result.Lines[i] = text.Pad(l, width) + term.Card.Fill("  "+line, paneWidth)
	}
}

// addText adds as much of the scene's text as fits, and returns the number of lines added.
func (a *arranger) addText(texts []string) int {
	if len(texts) > 0 {
		a.addBlankIfSpare(len(texts))
	}
	room := max(0, a.spareLines)
	for len(texts) > room && texts[len(texts)-1] == "" {
		texts = texts[:len(texts)-1]
	}
	// The last lines matter most.
	texts = texts[max(0, len(texts)-room):]
	left := max(0, min(a.margin+LabelWidth, a.Width-1-text.MaxWidth(texts)))
	for _, l := range texts {
		a.addLine(ansi.Truncate(text.Spaces(left)+l, a.Width, "…"))
	}
	return len(texts)
}
