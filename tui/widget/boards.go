package widget

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
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
	// Chosen is the board to show if only one fits.
	Chosen int
	// ShowsOne is set if only one board fit in the last frame.
	ShowsOne bool
	windows  [2]board.Window
	// arrangement is that of the last frame, without its lines.
	arrangement board.Arrangement
	hover       hoveredCell
	flashes     [2]*flash
}

// hoveredCell is the cell under the pointer. Without one, isSet is false.
type hoveredCell struct {
	panel int
	cell  match.Cell
	isSet bool
}

// View draws a scene.
func (b *Boards) View(e *Env, size Size, scene board.Scene) View {
	for i := range scene.Panels {
		if b.hover.isSet && b.hover.panel == i {
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
	a := board.ArrangeScene(space, scene)
	if rest == "" && a.TextLost {
		rest = scene.Brief
	}
	b.arrangement, b.ShowsOne = a, len(a.Spots) < len(scene.Panels)
	b.arrangement.Lines = nil
	return View{Lines: a.Lines, Width: size.Width, Boards: b, Brief: rest}
}

// OddsLegend explains the colours of odds.
func OddsLegend(l i18n.Language) string {
	var heats strings.Builder
	for i := range term.HeatCount {
		heats.WriteString((term.Heat0 + term.Style(i)).Render("  "))
	}
	return term.Faint.Render(l.Text("low")) + " " + heats.String() + " " + term.Faint.Render(l.Text("high: odds of a ship in %"))
}

// Copy returns boards with the same selection and scroll position.
func (b *Boards) Copy() Boards { return Boards{Chosen: b.Chosen, windows: b.windows} }

// ShowedText reports whether the last frame had the text below the boards, or the pane.
func (b *Boards) ShowedText() bool { return b.arrangement.PanelTextShown }

// HighlightCell highlights the cell under a mouse event and returns it. It returns false if there is none.
func (b *Boards) HighlightCell(m MouseEvent) (panel int, at match.Cell, ok bool) {
	b.hover = hoveredCell{}
	for _, s := range b.arrangement.Spots {
		if at, ok := s.Form.CellAt(s.Window, m.X-s.Left, m.Y-s.Top); ok {
			b.hover = hoveredCell{s.Panel, at, true}
			break
		}
	}
	return b.hover.panel, b.hover.cell, b.hover.isSet
}

// ClearHighlight removes the highlight until the mouse moves again.
func (b *Boards) ClearHighlight() { b.hover = hoveredCell{} }

// SwitchBoard shows the other board, and reports whether the view changes.
func (b *Boards) SwitchBoard() bool {
	if b.ShowsOne {
		b.Chosen = 1 - b.Chosen
	}
	return b.ShowsOne
}

// SwitchAction returns the action that shows the other board. It is possible if only one fits.
func (b *Boards) SwitchAction(keys Keys) Action {
	return Action{Keys: keys, Label: "other board", Off: !b.ShowsOne, Do: NoCommand(func() { b.SwitchBoard() })}
}

type flash struct {
	at     match.Cell
	result match.Result
	step   int
}

// AnimateShots starts the animation of the last shot on each board. Panels maps each side to its board.
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
		if f != b.flashes[n] {
			// A later shot replaced this flash.
			return nil
		}
		f.step++
		if f.step == board.BlastSteps(f.result) {
			b.flashes[n] = nil
			return nil
		}
		return b.scheduleStep(ctx, n)
	})
}
