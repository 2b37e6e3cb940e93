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
	gone   bool   // the selected item no longer exists, and none is selected until the next key
	read   bool   // the items are known
	failed string // why they could not be read
	reads  int    // number of reads begun; only the result of the last one counts
	loads  bool   // its result has not arrived
}

// Load reads the items in the background.
func (l *List[T]) Load(e *Env, query func(context.Context) ([]T, error)) tea.Cmd {
	if !e.State.HasStore {
		l.failed = e.Lang.Text("This server does not save matches.")
		return nil
	}
	l.reads++
	l.loads = true
	number := l.reads
	return Load(e, query, func(items []T, err error) tea.Cmd {
		if number == l.reads {
			l.loads = false
			l.SetResult(e, items, err)
		}
		return nil
	})
}

// SetResult sets the items, or says why they could not be read.
func (l *List[T]) SetResult(e *Env, items []T, err error) {
	switch {
	case err == nil:
		l.Set(items)
	case len(l.Items) > 0:
		e.Notice = e.ErrorText(err)
	default:
		l.failed = e.ErrorText(err)
	}
}

// Set replaces the items. The same item stays selected. If it no longer exists, none is, so that enter does
// not act on an item that has taken its place.
func (l *List[T]) Set(items []T) {
	selected, ok := l.Selected()
	l.Items, l.read, l.failed = items, true, ""
	l.at = max(0, min(l.at, len(items)-1))
	if ok {
		i := slices.IndexFunc(items, func(item T) bool { return l.ID(item) == l.ID(selected) })
		if l.gone = i < 0; !l.gone {
			l.at = i
		}
	}
}

// Reset empties the list, which has to be loaded again.
func (l *List[T]) Reset() { l.Items, l.at, l.gone, l.read, l.failed = nil, 0, false, false, "" }

// Loading reports whether the items are being read.
func (l *List[T]) Loading() bool { return l.loads }

// Read reports whether the items are known.
func (l *List[T]) Read() bool { return l.read }

// Select selects the item with an ID, if there is one.
func (l *List[T]) Select(id string) {
	l.at, l.gone = max(0, slices.IndexFunc(l.Items, func(item T) bool { return l.ID(item) == id })), false
}

// Selected returns the selected item, or false if there is none.
func (l *List[T]) Selected() (item T, ok bool) {
	if l.gone || l.at >= len(l.Items) {
		return item, false
	}
	return l.Items[l.at], true
}

// Gone reports whether the selected item no longer exists.
func (l *List[T]) Gone() bool { return l.gone }

// OnLast reports whether the last item is selected.
func (l *List[T]) OnLast() bool { return l.at >= len(l.Items)-1 }

// Update moves the selection for a key, or opens the item of a click or of a digit.
func (l *List[T]) Update(msg tea.Msg) tea.Cmd {
	number := 0
	switch msg := msg.(type) {
	case Pick:
		number = msg.Item
	case tea.KeyPressMsg:
		digit := msg.String()
		if IsDigit(digit) {
			number = int(digit[0] - '0')
		}
		at, moves := MoveCursor(msg, l.at, len(l.Items))
		if moves && !l.gone {
			l.at = at
		}
		l.gone = l.gone && !moves
	}
	if number < 1 || number > len(l.Items) {
		return nil
	}
	l.at, l.gone = number-1, false
	return l.open()
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
	return []Action{{Keys: "enter space", Label: label, Off: len(l.Items) == 0 || l.gone, Do: l.open}, choose}
}

// Row completes the row of an item.
func (l *List[T]) Row(i int, row Row) Row {
	row.Item, row.Selected = i+1, i == l.at && !l.gone
	return row
}

// Rows returns the rows of the items, of which room fit. Without items, it says why there are none: that the
// list is being read, that it cannot be read, or the given texts.
func (l *List[T]) Rows(e *Env, width, room int, row func(i int, item T) Row, none ...i18n.Key) (rows []Row) {
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
		rows = append(rows, l.Row(i, row(i, l.Items[i])))
	}
	return rows
}
