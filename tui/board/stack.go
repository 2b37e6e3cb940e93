package board

import "broadside/tui/term"

// StackPanels draws small boards one below the other, each below its caption. It returns nil if they do not fit
// into the space.
func StackPanels(s Space, panels []Panel) (lines []string) {
	f, gap := Small.WithDetail(s.Detail), 1
	size := panels[0].Board.Size()
	width, height := f.OuterSize(size, size)
	switch need := len(panels) * (1 + height); {
	case width > s.Width || need > s.Height:
		return nil
	case need == s.Height:
		gap = 0
	}
	for i, p := range panels {
		if i > 0 && gap > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, p.caption(term.Faint.Render(p.Note), width-LabelWidth))
		lines = append(lines, p.Board.Draw(f, WholeWindow(size))...)
	}
	return lines
}
