package lobby

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/tui/widget"
)

// blockName identifies a block of the lobby.
type blockName uint8

// The blocks in the order of the tab key.
const (
	playBlock blockName = iota
	peopleBlock
	youBlock
	blockCount
)

// item is something in a block that can be opened.
type item struct {
	id    string       // stays the same while the lobby changes
	does  i18n.Key     // what enter does
	like  *key.Binding // enter does the same; nil: see does
	right bool         // in the right half of its line
	open  func(s *lobbyScreen) tea.Cmd
}

// binding returns the binding of enter while the item is selected.
func (it *item) binding() key.Binding {
	if it.like != nil {
		return widget.Enter(*it.like)
	}
	return widget.Bind("enter", it.does, "enter")
}

// list holds the items of a block, as the player sees them, and which one is selected.
type list struct {
	items []item
	at    string // ID of the selected item, which may no longer exist; empty: the first
	index int    // its index when it was last seen
}

// selected returns the index of the selected item, or -1 if it no longer exists.
func (l *list) selected() int {
	if l.at == "" {
		return min(0, len(l.items)-1)
	}
	return slices.IndexFunc(l.items, func(i item) bool { return i.id == l.at })
}

// choose selects an item.
func (l *list) choose(i int) { l.index, l.at = i, l.items[i].id }

// step moves the selection by one item and reports whether that was possible.
func (l *list) step(by int, fits func(item) bool) bool {
	i := l.selected()
	if i < 0 {
		i = min(l.index, len(l.items)) - max(0, by)
	}
	for i += by; i >= 0 && i < len(l.items); i += by {
		if fits(l.items[i]) {
			l.choose(i)
			return true
		}
	}
	return false
}

// itemsPerBlock is more than any block has.
const itemsPerBlock = 1000

// pick returns the number of an item for [widget.Row].
func pick(b blockName, i int) int { return int(b)*itemsPerBlock + i + 1 }

// picked returns the block and the index of a clicked item.
func picked(p widget.Pick) (b blockName, i int) {
	return blockName((p.Item - 1) / itemsPerBlock), (p.Item - 1) % itemsPerBlock
}

// move moves the highlight and reports whether the key does that. At the edge of a block,
// the highlight moves to the block beside it.
func (s *lobbyScreen) move(name string) bool {
	l := &s.lists[s.focus]
	i := l.selected()
	right := i >= 0 && l.items[i].right
	column := func(other item) bool { return other.right == right }
	switch name {
	case "up", "k":
		if !l.step(-1, func(o item) bool { return column(o) || right && !o.right }) && s.focus == youBlock && s.layout == twoColumns {
			s.focus = playBlock
		}
	case "down", "j":
		if !l.step(1, column) && !l.step(1, func(item) bool { return true }) && s.focus == playBlock && s.layout == twoColumns {
			s.focus = youBlock
		}
	case "left", "h":
		if right {
			l.choose(i - 1)
			return true
		}
		s.focus = s.beside(-1)
	case "right", "l":
		if i >= 0 && i+1 < len(l.items) && l.items[i+1].right && !right {
			l.choose(i + 1)
			return true
		}
		s.focus = s.beside(1)
	default:
		return false
	}
	return true
}

// beside returns the block on the left or on the right of the focused one.
func (s *lobbyScreen) beside(by int) blockName {
	if s.layout == twoColumns {
		switch {
		case by > 0:
			return peopleBlock
		case s.focus == peopleBlock:
			return playBlock
		}
		return s.focus
	}
	return blockName(max(0, min(int(s.focus)+by, int(blockCount)-1)))
}
