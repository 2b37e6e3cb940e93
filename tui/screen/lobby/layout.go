package lobby

import (
	"broadside/tui/text"
	"broadside/tui/widget"
)

// The minimum size of a terminal that shows the blocks side by side. On others, there is one at a time,
// below a line of tabs.
const (
	columnsWidth  = 80
	columnsHeight = 22
)

func (s *lobbyScreen) View(size widget.Size) widget.View {
	s.updateFocus()
	if size.Width < columnsWidth || size.Height < columnsHeight {
		return widget.View{Lines: s.drawTabs(size.Width, size.Body), Width: size.Width}
	}
	var header []string
	if text.BannerFits(size.Width, size.Height, s.Detail) {
		header = text.Banner(size.Width, s.PlayerLabel(), s.Detail)
		size.Body -= len(header) - 1
	}
	margin, height := size.Margin(), size.Body-1
	parts := [][]string{nil}
	if s.showsTurns {
		turns := s.drawTurnBlock(size.Width-2*margin, min(1+len(s.turnRows().items), height/6))
		parts = append(parts, text.JoinColumns(margin, nil, turns, nil))
		height -= len(turns) + 1
	}
	lines := text.Stack(1, append(parts, s.drawColumns(size.Width, height, margin))...)
	return widget.View{Lines: lines, Width: size.Width, Header: header}
}

// spacedHeight is the height from which the menu has blank lines.
const spacedHeight = 36

// drawColumns returns the play block above the player's block, and the players beside them, with gap columns
// between them and at the edges of the screen.
func (s *lobbyScreen) drawColumns(width, height, gap int) []string {
	left, top, spaced := 34, 10, height >= spacedHeight
	if width > 90 {
		left = 38
	}
	if spaced {
		top = 19
	}
	space := 1
	if height-top-space < minYouHeight {
		space = 0
	}
	return text.JoinColumns(gap, nil,
		text.Stack(space, s.drawPlayBlock(left, top, spaced), s.drawYouBlock(left, height-top-space, spaced)),
		s.drawPeopleBlock(width-left-3*gap, height), nil)
}

// drawTabs returns the block with the highlight below a line of tabs.
func (s *lobbyScreen) drawTabs(width, height int) []string {
	bar := s.focus.Draw(s.Lang, width)
	height -= len(bar)
	// Draw all blocks, because those that are not shown have items, too.
	blocks := [...][]string{
		turnBlock:   s.drawTurnBlock(width, height),
		playBlock:   s.drawPlayBlock(width, height, false),
		peopleBlock: s.drawPeopleBlock(width, height),
		youBlock:    s.drawYouBlock(width, height, false),
	}
	return text.Stack(0, bar, blocks[s.focus.Selected])
}
