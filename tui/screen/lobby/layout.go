package lobby

import (
	"broadside/internal/i18n"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// layout is the arrangement of the blocks.
type layout uint8

const (
	tabs layout = iota // one block at a time
	twoColumns
	threeColumns
)

// The minimum sizes of terminals for each layout.
const (
	twoColumnsWidth   = 80
	twoColumnsHeight  = 22
	threeColumnsWidth = 140
	threeColumnsHight = 36
)

func layoutFor(size widget.Size) layout {
	switch {
	case size.Width >= threeColumnsWidth && size.Height >= threeColumnsHight:
		return threeColumns
	case size.Width >= twoColumnsWidth && size.Height >= twoColumnsHeight:
		return twoColumns
	}
	return tabs
}

func (s *lobbyScreen) View(size widget.Size) widget.View {
	s.layout = layoutFor(size)
	for i := range s.lists {
		s.lists[i].items = s.lists[i].items[:0]
	}
	var header []string
	if s.layout != tabs && text.BannerFits(size.Width, size.Height, s.Detail) {
		header = text.Banner(s.Drawings, size.Width, s.Label(), s.Detail)
		size.Body -= len(header) - 1
	}
	margin := size.Margin()
	width, height := size.Width-2*margin, size.Body-1
	var area []string
	switch s.layout {
	case tabs:
		width = size.Width
		area = s.tabbed(width, size.Body)
	case twoColumns:
		area = s.twoColumns(width, height, margin)
	case threeColumns:
		area = s.threeColumns(width, height)
	}
	if s.layout != tabs {
		area = text.Stack(1, nil, area)
	}
	return widget.View{Lines: area, Width: size.Width, Header: header}
}

// twoColumns returns the play block above the player's block, and the people beside them, with gap
// columns between them and at the edges of the screen.
func (s *lobbyScreen) twoColumns(width, height, gap int) []string {
	left := 34
	if width > 90 {
		left = 38
	}
	top := 12
	if height >= 24 {
		top = 14
	}
	return text.Join(gap, nil,
		text.Stack(1, s.playBlock(left, top, false), s.youBlock(left, height-top-1, true)),
		s.peopleBlock(width-left-gap, height, true), nil)
}

// threeColumns returns all blocks side by side, with the ranks below the menu, the chat below the
// player's block, and a gap at the edges of the screen.
func (s *lobbyScreen) threeColumns(width, height int) []string {
	const left, right, gap = 42, 38, 2
	top := 22
	return text.Join(gap, nil,
		text.Stack(1, s.playBlock(left, top, true), s.ranksBlock(left, height-top-1)),
		s.peopleBlock(width-left-right-2*gap, height, false),
		text.Stack(1, s.youBlock(right, 16, false), s.chatBlock(right, height-16-1)), nil)
}

// tabNames are the titles of the blocks as tabs.
var tabNames = [blockCount]i18n.Key{playBlock: "Play", peopleBlock: "Live", youBlock: "You"}

// tabbed returns the focused block below a line of tabs.
func (s *lobbyScreen) tabbed(width, height int) []string {
	bar := " "
	for b, name := range tabNames {
		label := s.Lang.Text(name)
		tab := widget.Cap(label)
		if blockName(b) == s.focus {
			tab = term.Chip.Render(" " + label + " ")
		}
		bar += term.Clickable("", tabItem(blockName(b)), tab) + " "
	}
	var block []string
	for b := range blockCount { // the others have items, too
		var one []string
		switch b {
		case playBlock:
			one = s.playBlock(width, height-2, false)
		case peopleBlock:
			one = s.peopleBlock(width, height-2, true)
		case youBlock:
			one = s.youBlock(width, height-2, false)
		}
		if b == s.focus {
			block = one
		}
	}
	return text.Stack(1, []string{bar}, block)
}

// tabItem returns the number of a tab for [term.Zone].
func tabItem(b blockName) int { return pick(blockCount, int(b)) }
