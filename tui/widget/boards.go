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
	Chosen  int  // the board to show if only one fits
	Folded  bool // only one board fit in the last frame
	windows [2]board.Window
	shown   board.Arrangement // the last frame, without its lines
	hover   spotCell
	flashes [2]*flash
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
	b.shown, b.Folded = a, len(a.Spots) < len(scene.Panels)
	b.shown.Lines = nil
	return View{Lines: a.Lines, Width: size.Width, Boards: b, Brief: rest}
}

// Copy returns boards with the same selection and scroll position.
func (b *Boards) Copy() Boards { return Boards{Chosen: b.Chosen, windows: b.windows} }

// Told reports whether the last frame had the text below the boards, or the pane.
func (b *Boards) Told() bool { return b.shown.PanelTextShown }

// Cell returns the cell under a mouse event and highlights it.
func (b *Boards) Cell(m Mouse) (panel int, at match.Cell, ok bool) {
	b.hover = spotCell{}
	for _, s := range b.shown.Spots {
		if at, ok := s.Form.CellAt(s.Window, m.X-s.Left, m.Y-s.Top); ok {
			b.hover = spotCell{s.Panel, at, true}
			break
		}
	}
	return b.hover.panel, b.hover.cell, b.hover.on
}

// ClearHover removes the highlight until the mouse moves again.
func (b *Boards) ClearHover() { b.hover = spotCell{} }

// Switch shows the other board, and reports whether the view changes.
func (b *Boards) Switch() bool {
	if b.Folded {
		b.Chosen = 1 - b.Chosen
	}
	return b.Folded
}

// SwitchAction returns the action that shows the other board, which is possible if only one fits.
func (b *Boards) SwitchAction(keys Keys) Action {
	return Action{Keys: keys, Label: "other board", Off: !b.Folded, Do: Do(func() { b.Switch() })}
}

// flash is the animation of a shot.
type flash struct {
	at     match.Cell
	result match.Result
	step   int
}

// Flash animates the last shot on each board. Panels maps each side to the board with
// its cells.
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

// Settle ends the animations.
func (b *Boards) Settle() { b.flashes = [2]*flash{} }

func (b *Boards) nextStep(ctx context.Context, n int) tea.Cmd {
	f := b.flashes[n]
	return Wait(ctx, board.BlastInterval(f.result), func() tea.Cmd {
		if f != b.flashes[n] { // a later shot replaced it
			return nil
		}
		if f.step++; f.step == board.BlastSteps(f.result) {
			b.flashes[n] = nil
			return nil
		}
		return b.nextStep(ctx, n)
	})
}
