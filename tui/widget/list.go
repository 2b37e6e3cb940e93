package widget

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/tui/term"
)

// List is a list of items, one of which is selected. Set ID before use.
type List[T any] struct {
	ID    func(T) string  // identifies an item when the list changes
	Open  func(T) tea.Cmd // what enter or a click on an item does; may be nil
	Items []T

	at     int    // index of the selected item
	read   bool   // the items are known
	failed string // why they could not be read
	reads  int    // number of reads begun; only the result of the last one counts
}

// Load reads the items in the background.
func (l *List[T]) Load(e *Env, query func(context.Context) ([]T, error)) tea.Cmd {
	l.reads++
	number := l.reads
	return Load(e, query, func(items []T, err error) tea.Cmd {
		switch {
		case number != l.reads:
		case err != nil:
			l.failed = e.ErrorText(err)
		default:
			l.Set(items)
		}
		return nil
	})
}

// Set replaces the items. It keeps the selection if the item still exists, and otherwise its place.
func (l *List[T]) Set(items []T) {
	if selected, ok := l.Selected(); ok {
		if i := slices.IndexFunc(items, func(item T) bool { return l.ID(item) == l.ID(selected) }); i >= 0 {
			l.at = i
		}
	}
	l.Items, l.read, l.failed = items, true, ""
	l.at = max(0, min(l.at, len(items)-1))
}

// Reset empties the list, which has to be loaded again.
func (l *List[T]) Reset() { l.Items, l.at, l.read, l.failed = nil, 0, false, "" }

// Read reports whether the items are known.
func (l *List[T]) Read() bool { return l.read }

// Select selects the item with an ID, if there is one.
func (l *List[T]) Select(id string) {
	l.at = max(0, slices.IndexFunc(l.Items, func(item T) bool { return l.ID(item) == id }))
}

// Selected returns the selected item, or false if there is none.
func (l *List[T]) Selected() (item T, ok bool) {
	if l.at >= len(l.Items) {
		return item, false
	}
	return l.Items[l.at], true
}

// OnLast reports whether the last item is selected.
func (l *List[T]) OnLast() bool { return l.at >= len(l.Items)-1 }

// Update moves the selection for a key, or opens a clicked item.
func (l *List[T]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case Pick:
		if msg.Item <= len(l.Items) {
			l.at = msg.Item - 1
			return l.open()
		}
	case tea.KeyPressMsg:
		l.at, _ = MoveCursor(msg, l.at, len(l.Items))
	}
	return nil
}

func (l *List[T]) open() tea.Cmd {
	item, ok := l.Selected()
	if !ok || l.Open == nil {
		return nil
	}
	return l.Open(item)
}

// Actions returns the actions of the list: to open the selected item, which does what label says, and
// to select another one.
func (l *List[T]) Actions(label i18n.Key) []Action {
	choose := ChooseHint
	choose.Off = len(l.Items) < 2
	return []Action{{Keys: "enter space", Label: label, Off: len(l.Items) == 0, Do: l.open}, choose}
}

// Row completes the row of an item.
func (l *List[T]) Row(i int, row Row) Row {
	row.Item, row.Selected = i+1, i == l.at
	return row
}

// Rows returns the rows of the items, of which room fit. Without items, it says why there are none: that the
// list is being read, that it cannot be read, or the given texts.
func (l *List[T]) Rows(e *Env, width, room int, row func(T) Row, none ...i18n.Key) (rows []Row) {
	switch {
	case l.failed != "":
		return Paragraph(l.failed, term.Warn, width)
	case !l.read:
		return []Row{Line(term.Faint.Render(e.Lang.Text("Loading…")))}
	case len(l.Items) == 0:
		for _, text := range none {
			rows = append(rows, Paragraph(e.Lang.Text(text), term.Plain, width)...)
		}
		return rows
	}
	first := max(0, min(l.at-room/2, len(l.Items)-room)) // there may be thousands of items
	for i := first; i < min(first+max(room, 0), len(l.Items)); i++ {
		rows = append(rows, l.Row(i, row(l.Items[i])))
	}
	return rows
}
