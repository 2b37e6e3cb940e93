package widget

import "broadside/tui/text"

// The maximum widths of pages, so that the ends of long lines stay close.
const (
	ListWidth = 96
	FormWidth = 72
	AnyWidth  = 1000
)

// PageView returns a view with a heading and lines that fill the screen's body. The lines are at most
// maxWidth columns wide.
func PageView(size Size, heading string, maxWidth int, draw func(width, height int) []string) View {
	margin, above := size.Margin(), 1
	if size.Width < 60 {
		margin = 0
	}
	if size.Height < 20 {
		above = 0
	}
	width := min(size.Width-2*margin, maxWidth)
	return View{Lines: text.Stack(above, nil, draw(width, size.Body-above)), Heading: heading}
}

// FormView returns a view with a heading and a block that is as high as its rows need.
func FormView(size Size, heading string, rows func(width int) Block) View {
	return PageView(size, heading, FormWidth, func(width, height int) []string {
		b := rows(width)
		n := len(b.Rows) + 3
		if n < height {
			return text.Stack(min(3, (height-n)/3), nil, b.Draw(width, n-1))
		}
		return b.Draw(width, height)
	})
}

// DrawWithHint draws the block above a hint that fills the last lines of the given size.
func (b Block) DrawWithHint(width, height int, hint string) []string {
	var hintBlock Block
	for _, l := range text.WrapStyled(hint, width-2*blockInset) {
		hintBlock.Rows = append(hintBlock.Rows, TextRow(l))
	}
	hintHeight := len(hintBlock.Rows)
	return text.Stack(0, b.Draw(width, height-hintHeight), hintBlock.Draw(width, hintHeight))
}

// DrawSplit draws two areas side by side if the page is wide enough, and otherwise the second below the
// first. The first area has the width left beside the second, and the height top above it.
func DrawSplit(width, height, left, top int, first, second func(width, height int) []string) []string {
	gap := 2
	if width < 90 {
		gap = 1
	}
	if width >= 76 {
		return text.JoinColumns(gap, first(left, height), second(width-left-gap, height))
	}
	if height-top < 3 {
		return first(width, height)
	}
	return text.Stack(0, first(width, top), second(width, height-top))
}
