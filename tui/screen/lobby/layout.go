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
	var area widget.Area
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
		area = widget.Stack(0, widget.Text(size.Width, ""), area)
	}
	view := area.View()
	view.Header = header
	return view
}

// twoColumns returns the play block above the player's block, and the people beside them, with gap
// columns between them and at the edges of the screen.
func (s *lobbyScreen) twoColumns(width, height, gap int) widget.Area {
	left := 34
	if width > 90 {
		left = 38
	}
	top := 12
	if height >= 24 {
		top = 14
	}
	return widget.Beside(gap, widget.Area{},
		widget.Stack(1, s.playBlock(left, top, false), s.youBlock(left, height-top-1, true)),
		s.peopleBlock(width-left-gap, height, true), widget.Area{})
}

// threeColumns returns all blocks side by side, with the ranks below the menu, the chat below the
// player's block, and a gap at the edges of the screen.
func (s *lobbyScreen) threeColumns(width, height int) widget.Area {
	const left, right, gap = 42, 38, 2
	top := 22
	return widget.Beside(gap, widget.Area{},
		widget.Stack(1, s.playBlock(left, top, true), s.ranksBlock(left, height-top-1)),
		s.peopleBlock(width-left-right-2*gap, height, false),
		widget.Stack(1, s.youBlock(right, 16, false), s.chatBlock(right, height-16-1)), widget.Area{})
}

// tabNames are the titles of the blocks as tabs.
var tabNames = [blockCount]i18n.Key{playBlock: "Play", peopleBlock: "Live", youBlock: "You"}

// tabbed returns the focused block below a line of tabs.
func (s *lobbyScreen) tabbed(width, height int) widget.Area {
	var bar widget.Area
	line := " "
	for b, name := range tabNames {
		label := s.Lang.Text(name)
		bar.Zones = append(bar.Zones, widget.Zone{Left: text.Width(line), Width: text.Width(label) + 2, Item: tabItem(blockName(b))})
		if blockName(b) == s.focus {
			line += term.Chip.Render(" "+label+" ") + " "
		} else {
			line += widget.Cap(label) + " "
		}
	}
	bar.Lines = []string{text.Pad(line, width), text.Spaces(width)}
	var block widget.Area
	for b := range blockCount { // the others have items, too
		var one widget.Area
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
	return widget.Stack(0, bar, block)
}

// tabItem returns the number of a tab for [widget.Zone].
func tabItem(b blockName) int { return pick(blockCount, int(b)) }
