package board

import (
	"fmt"
	"slices"
	"strings"

	"broadside/internal/narrate"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
)

// The size of recordings, in cells.
const (
	ReplayWidth  = 80
	ReplayHeight = 24
)

// ReplayScreen draws a replay's frame as a full screen without key bindings: at most height lines, each at most
// width wide.
func ReplayScreen(r *text.Replay, n, width, height int) []string {
	lines := []string{term.Title.Render(text.Pad(" BROADSIDE  "+r.Heading(), width)), ""}
	body := ArrangeScene(Space{Width: width, Height: height - len(lines), Detail: term.Waves},
		Scene{Status: r.Caption(n), Panels: ReplayPanels(r, n, nil), Text: ReplayText(r, n, width)})
	return text.Crop(append(lines, body.Lines...), width, height)
}

// ReplayPanels returns both boards of a replay's frame. Advice, if not nil, is shown on the board that the next
// shot is at.
func ReplayPanels(r *text.Replay, n int, advice *text.Advice) []Panel {
	v := r.FrameView(n)
	var boards [2]Panel
	for side := match.First; side <= match.Second; side++ {
		enemy := side.Other()
		fleet := NewFleetWithLastShots(v, side)
		if advice != nil && v.Turn == enemy && v.Phase == match.Battle {
			fleet = newAdviceBoard(v, side, advice)
		}
		if e, ok := r.MoveEvent(n); ok && e.Side == side {
			now := v.Fleets[side][e.Move.ShipIndex()]
			left := e.Move.Kind().Inverse().Apply(now).Cells()
			squares := v.Board(side)
			for c := range left.Minus(now.Cells()).All() {
				b := squares.Square(c).State
				if b == match.Sea || b == match.SeaDeduced {
					fleet.SetSymbol(c, SignGhost, term.Plain)
				}
			}
		}
		boards[side] = Panel{
			Heading: r.Lang.Text("%s's fleet", r.Names()[side]), Board: fleet,
			Note: narrate.ShipsAfloat(r.Lang, &v.Charts[enemy]),
		}
	}
	return boards[:]
}

// newAdviceBoard returns the board that the next shot is at: its known cells, and the odds of a ship in each
// other cell, in percent. It marks the cells of undiscovered ships.
func newAdviceBoard(v *match.View, side match.Side, a *text.Advice) *Board {
	chart := &v.Charts[side.Other()]
	b := NewAimedChart(chart, a.Cells[0], v.Last[side.Other()]...)
	b.ShowOdds(chart, a.OddsAt, a.Cells, v.Fleets[side].Cells())
	return b
}

// ShowOdds shows the odds of a ship in each open cell of a chart, in percent. It marks the best cells and those of
// undiscovered ships.
func (b *Board) ShowOdds(chart *match.Chart, odds func(match.Cell) float64, best []match.Cell, hulls match.Set) {
	hottest := 0.0
	open := chart.OpenCells()
	for cell := range open.All() {
		hottest = max(hottest, odds(cell))
	}
	for cell := range open.All() {
		sign := " "
		switch {
		case slices.Contains(best, cell):
			sign = "▸"
		case hulls.Has(cell):
			sign = SignHull
		}
		p := odds(cell)
		b.SetText(cell, sign+percentText(p), term.HeatStyle(p/max(hottest, 1e-9)))
	}
}

// percentText formats odds in percent, as two characters.
func percentText(p float64) string {
	switch n := int(100*p + 0.5); {
	case n > 99:
		return "!!"
	case n == 0:
		return " ·"
	default:
		return fmt.Sprintf("%2d", n)
	}
}

// ReplayText returns the text below the boards of a replay's frame, for a screen of the given width.
func ReplayText(r *text.Replay, n, width int) []string {
	if r.FrameView(n).Rules.Moving {
		// Keep the first line even if it is empty, so that the layout stays the same.
		return []string{r.MoveText(n), progressLine(r, n, width)}
	}
	return []string{progressLine(r, n, width)}
}

// maxProgress is the maximum width of the line without its count.
const maxProgress = 60

// progressLine returns a line with the position in the replay, the hits and sinkings, and the match time, for a
// screen of the given width.
func progressLine(r *text.Replay, n, width int) string {
	count := "  " + r.PositionText(n)
	width = max(1, min(maxProgress, width-text.Width(count)-2))
	column := func(n int) int { return n * (width - 1) / max(1, r.Len()-1) }
	cells := make([]string, width)
	for x := range cells {
		cells[x] = term.Rule.Render("─")
		if x < column(n) {
			cells[x] = term.Info.Render("━")
		}
	}
	for i := range r.Len() {
		switch x := column(i); r.BestResult(i) {
		case match.Hit:
			cells[x] = term.Bad.Render(SignHit)
		case match.Sunk, match.LastSunk:
			cells[x] = term.Strong.Render(SignSunk)
		}
	}
	cells[column(n)] = term.Mark.Render("●")
	return strings.Join(cells, "") + count
}
