package widget

import "broadside/tui/text"

// The maximum widths of pages, so that the ends of long lines stay close.
const (
	ListWidth = 96
	FormWidth = 72
	AnyWidth  = 1000
)

// Page returns a view with a heading and an area that fills the body of the screen, at most
// most columns wide.
func Page(size Size, heading string, most int, draw func(width, height int) Area) View {
	margin, above := size.Margin(), 1
	if size.Width < 60 {
		margin = 0
	}
	if size.Height < 20 {
		above = 0
	}
	width := min(size.Width-2*margin, most)
	view := Stack(0, Text(width, make([]string, above)...), draw(width, size.Body-above)).View()
	view.Heading = heading
	return view
}

// FormPage returns a view with a heading and a block that is as high as its rows need.
func FormPage(size Size, heading string, rows func(width int) Block) View {
	return Page(size, heading, FormWidth, func(width, height int) Area {
		b := rows(width)
		if n := len(b.Rows) + 3; n < height {
			return Stack(0, Text(width, make([]string, min(3, (height-n)/3))...), b.Draw(width, n-1))
		}
		return b.Draw(width, height)
	})
}

// WithFoot returns a block above a hint at the end of a page.
func (b Block) WithFoot(width, height int, hint string) Area {
	var foot Block
	for _, l := range text.WrapStyled(hint, width-2*blockInset) {
		foot.Rows = append(foot.Rows, Line(l))
	}
	return Stack(0, b.Draw(width, height-len(foot.Rows)), foot.Draw(width, len(foot.Rows)))
}

// Split returns two areas side by side if the page is wide enough, otherwise the second
// below the first. The first one has the given width or height.
func Split(width, height, left, top int, first, second func(width, height int) Area) Area {
	gap := 2
	if width < 90 {
		gap = 1
	}
	if width >= 76 {
		return Beside(gap, first(left, height), second(width-left-gap, height))
	}
	if height-top < 3 {
		return first(width, height)
	}
	return Stack(0, first(width, top), second(width, height-top))
}
