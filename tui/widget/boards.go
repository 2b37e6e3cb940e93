package widget

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/text"
)

// A player's boards, in screen order.
const (
	OwnBoard = iota
	EnemyBoard
)

// Boards draws one or two boards of a screen. It remembers the visible part of large
// boards, follows the mouse and animates shots. The zero value is ready to use.
type Boards struct {
	Chosen      int  // the board to show if only one fits
	ShowsOne    bool // only one board fit in the last frame
	windows     [2]board.Window
	arrangement board.Arrangement // the last frame, without its lines
	hover       spotCell
	flashes     [2]*flash
}

// spotCell is the cell under the pointer, if any.
type spotCell struct {
	panel int
	cell  match.Cell
	on    bool
}

// View draws a scene.
func (b *Boards) View(e *Env, size Size, scene board.Scene) View {
	for i := range scene.Panels {
		if b.hover.on && b.hover.panel == i {
			scene.Panels[i].Board.Hover = b.hover.cell
		}
		f := b.flashes[i]
		if f != nil {
			scene.Panels[i].Board.DrawBlast(f.at, f.result, f.step)
		}
	}
	space := board.Space{
		Width: size.Width, Height: size.Body, Detail: e.Detail,
		Chosen: min(b.Chosen, len(scene.Panels)-1), Windows: &b.windows,
	}
	rest := ""
	parts := text.WrapStyled(scene.Status, size.Width)
	if len(parts) > 1 {
		scene.Status, rest = parts[0], parts[1]
	}
	a := board.Arrange(space, scene)
	if rest == "" && a.TextLost {
		rest = scene.Brief
	}
	b.arrangement, b.ShowsOne = a, len(a.Spots) < len(scene.Panels)
	b.arrangement.Lines = nil
	return View{Lines: a.Lines, Width: size.Width, Boards: b, Brief: rest}
}

// Copy returns boards with the same selection and scroll position.
func (b *Boards) Copy() Boards { return Boards{Chosen: b.Chosen, windows: b.windows} }

// ShowedText reports whether the last frame had the text below the boards, or the pane.
func (b *Boards) ShowedText() bool { return b.arrangement.PanelTextShown }

// HighlightCell returns the cell under a mouse event and highlights it.
func (b *Boards) HighlightCell(m MouseEvent) (panel int, at match.Cell, ok bool) {
	b.hover = spotCell{}
	for _, s := range b.arrangement.Spots {
		if at, ok := s.Form.CellAt(s.Window, m.X-s.Left, m.Y-s.Top); ok {
			b.hover = spotCell{s.Panel, at, true}
			break
		}
	}
	return b.hover.panel, b.hover.cell, b.hover.on
}

// ClearHighlight removes the highlight until the mouse moves again.
func (b *Boards) ClearHighlight() { b.hover = spotCell{} }

// SwitchBoard shows the other board, and reports whether the view changes.
func (b *Boards) SwitchBoard() bool {
	if b.ShowsOne {
		b.Chosen = 1 - b.Chosen
	}
	return b.ShowsOne
}

// SwitchAction returns the action that shows the other board, which is possible if only one fits.
func (b *Boards) SwitchAction(keys Keys) Action {
	return Action{Keys: keys, Label: "other board", Off: !b.ShowsOne, Do: NoCommand(func() { b.SwitchBoard() })}
}

// flash is the animation of a shot.
type flash struct {
	at     match.Cell
	result match.Result
	step   int
}

// AnimateShots animates the last shot on each board. Panels maps each side to the board with
// its cells.
func (b *Boards) AnimateShots(ctx context.Context, events []match.Event, panels [2]int) tea.Cmd {
	var cmds [2]tea.Cmd
	for _, e := range events {
		if e.Kind == match.ShotAnswered {
			n := panels[e.Side]
			b.flashes[n] = &flash{at: e.Cell, result: e.Result}
			cmds[n] = b.scheduleStep(ctx, n)
		}
	}
	return tea.Batch(cmds[:]...)
}

// EndAnimations ends the animations.
func (b *Boards) EndAnimations() { b.flashes = [2]*flash{} }

func (b *Boards) scheduleStep(ctx context.Context, n int) tea.Cmd {
	f := b.flashes[n]
	return RunAfter(ctx, board.BlastInterval(f.result), func() tea.Cmd {
		if f != b.flashes[n] { // a later shot replaced it
			return nil
		}
		if f.step++; f.step == board.BlastSteps(f.result) {
			b.flashes[n] = nil
			return nil
		}
		return b.scheduleStep(ctx, n)
	})
}
