package component

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/format"
)

// The boards of a player, in their order on the screen.
const (
	OwnBoard = iota
	EnemyBoard
)

// Boards is the part of a screen with one or two boards. It remembers which part of
// a large board is shown, follows the mouse and animates shots. The zero value is
// ready for use.
type Boards struct {
	Chosen  int  // the board that is shown if there is room for only one
	Folded  bool // there is, as drawn last
	windows [2]board.Window
	spots   []board.Spot // as drawn last
	before  []string     // the frame's lines from the first board on, as drawn last
	hover   spotCell
	flashes [2]*flash
}

// spotCell is the cell that the mouse is on, if any.
type spotCell struct {
	panel int
	cell  match.Cell
	on    bool
}

// View draws a scene.
func (b *Boards) View(size Size, scene board.Scene) View {
	for i := range scene.Panels {
		if b.hover.on && b.hover.panel == i {
			scene.Panels[i].Board.Hover = b.hover.cell
		}
		if f := b.flashes[i]; f != nil {
			scene.Panels[i].Board.Blast(f.at, f.step, f.result != match.Water)
		}
	}
	space := board.Space{Width: size.Width, Height: size.Body, Chosen: min(b.Chosen, len(scene.Panels)-1), Windows: &b.windows, Before: b.before}
	rest := ""
	if parts := format.WrapStyled(scene.Status, size.Width); len(parts) > 1 {
		scene.Status, rest = parts[0], parts[1]
	}
	a := board.Arrange(space, scene)
	if rest == "" && a.TextLost {
		rest = scene.Brief
	}
	b.spots, b.Folded = a.Spots, len(a.Spots) < len(scene.Panels)
	return View{Lines: a.Lines, Boards: b, Brief: rest}
}

// Copy returns boards that are shown as these were drawn last.
func (b *Boards) Copy() Boards { return Boards{Chosen: b.Chosen, windows: b.windows} }

// Drawn takes over the lines of a frame, of which the view is the part from line top
// on. The next view shares those that are the same.
func (b *Boards) Drawn(lines []string, top int) {
	b.before = lines[min(top+b.spots[0].Top, len(lines)):]
}

// Spots returns where the boards were drawn last.
func (b *Boards) Spots() []board.Spot { return b.spots }

// Cell returns the cell that a mouse event is on, and lets the board show it.
func (b *Boards) Cell(m Mouse) (panel int, at match.Cell, ok bool) {
	b.hover = spotCell{}
	for _, s := range b.spots {
		if at, ok := s.Form.Cell(s.Window, m.X-s.Left, m.Y-s.Top); ok {
			b.hover = spotCell{s.Panel, at, true}
			break
		}
	}
	return b.hover.panel, b.hover.cell, b.hover.on
}

// ClearHover forgets where the mouse is, until it moves again.
func (b *Boards) ClearHover() { b.hover = spotCell{} }

// Switch shows the other board, and reports whether that makes a difference.
func (b *Boards) Switch() bool {
	if b.Folded {
		b.Chosen = 1 - b.Chosen
	}
	return b.Folded
}

// The keys that show the other board: tab, where it has no other meaning.
var (
	OtherBoard    = Bind("tab", "other-board", "tab")
	OtherBoardToo = Bind("v", "other-board", "v")
)

// WithSwitch adds the key that shows the other board to bindings, if it works now.
func (b *Boards) WithSwitch(bindings []key.Binding) []key.Binding {
	if !b.Folded {
		return bindings
	}
	return append([]key.Binding{OtherBoard}, bindings...)
}

// flash marks for a moment where a shot fell.
type flash struct {
	at     match.Cell
	result match.Result
	step   int
}

// The animation of a shot.
const (
	FlashInterval = 110 * time.Millisecond
	flashSteps    = 3
)

// Flash animates the last shot of some events on each board. Panels says on which
// board the cells of each side are.
func (b *Boards) Flash(ctx context.Context, events []match.Event, panels [2]int) tea.Cmd {
	var cmds [2]tea.Cmd
	for _, e := range events {
		if e.Kind == match.ShotAnswered {
			n := panels[e.Side]
			b.flashes[n] = &flash{at: e.Cell, result: e.Result}
			cmds[n] = b.nextStep(ctx, n)
		}
	}
	return tea.Batch(cmds[:]...)
}

func (b *Boards) nextStep(ctx context.Context, n int) tea.Cmd {
	f := b.flashes[n]
	return Wait(ctx, FlashInterval, func() tea.Cmd {
		if f != b.flashes[n] { // another shot has fallen since
			return nil
		}
		if f.step++; f.step == flashSteps {
			b.flashes[n] = nil
			return nil
		}
		return b.nextStep(ctx, n)
	})
}

// Click is how cells are shot at with the mouse: the first click aims, a second one
// on the same cell fires. So the click that brings a window to the front fires
// nothing.
type Click struct{ Aimed bool }

// Press handles a click on a cell and reports whether it fires.
func (c *Click) Press(at *match.Cell, on match.Cell) (fires bool) {
	fires = c.Aimed && *at == on
	*at, c.Aimed = on, true
	return fires
}
