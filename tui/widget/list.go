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
	// ID identifies an item when the list changes.
	ID func(T) string
	// Open is what enter or a click on an item does. It may be nil.
	Open  func(T) tea.Cmd
	Items []T

	// index is that of the selected item.
	index int
	// lost is set if the selected item no longer exists. Then none is selected until the next key.
	lost   bool
	loaded bool
	// failure says why the items could not be read.
	failure string
	// loads counts the reads that have started. Only the last one's result is used.
	loads   int
	loading bool
}

// Load returns a command that reads the items in the background.
func (l *List[T]) Load(e *Env, query func(context.Context) ([]T, error)) tea.Cmd {
	if !e.State.HasStore {
		l.failure = e.Lang.Text("This server does not save matches.")
		return nil
	}
	l.loads++
	l.loading = true
	number := l.loads
	return Query(e, query, func(items []T, err error) tea.Cmd {
		if number == l.loads {
			l.loading = false
			l.SetResult(e, items, err)
		}
		return nil
	})
}

// SetResult sets the items, or says why they could not be read.
func (l *List[T]) SetResult(e *Env, items []T, err error) {
	switch {
	case err == nil:
		l.SetItems(items)
	case len(l.Items) > 0:
		e.Notice = e.ErrorText(err)
	default:
		l.failure = e.ErrorText(err)
	}
}

// SetItems replaces the items. The same item stays selected. If it no longer exists, none is, so that enter does
// not act on an item that has taken its place.
func (l *List[T]) SetItems(items []T) {
	selected, ok := l.Selected()
	l.Items, l.loaded, l.failure = items, true, ""
	l.index = max(0, min(l.index, len(items)-1))
	if !ok {
		return
	}
	i := slices.IndexFunc(items, func(item T) bool { return l.ID(item) == l.ID(selected) })
	l.lost = i < 0
	if !l.lost {
		l.index = i
	}
}

// Reset empties the list before it is loaded again.
func (l *List[T]) Reset() { l.Items, l.index, l.lost, l.loaded, l.failure = nil, 0, false, false, "" }

// IsLoading reports whether the items are being read.
func (l *List[T]) IsLoading() bool { return l.loading }

// IsLoaded reports whether the items are known.
func (l *List[T]) IsLoaded() bool { return l.loaded }

// Select selects the item with an ID, or the first item if there is none.
func (l *List[T]) Select(id string) {
	l.index, l.lost = max(0, slices.IndexFunc(l.Items, func(item T) bool { return l.ID(item) == id })), false
}

// Selected returns the selected item, or false if there is none.
func (l *List[T]) Selected() (item T, ok bool) {
	if l.lost || l.index >= len(l.Items) {
		return item, false
	}
	return l.Items[l.index], true
}

// IsSelectionLost reports whether the selected item no longer exists.
func (l *List[T]) IsSelectionLost() bool { return l.lost }

// IsLastSelected reports whether the last item is selected.
func (l *List[T]) IsLastSelected() bool { return l.index >= len(l.Items)-1 }

// Update handles a key press, which moves the selection, and a click or digit, which opens an item.
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
		at, moves := MoveInList(msg, l.index, len(l.Items))
		if moves && !l.lost {
			l.index = at
		}
		l.lost = l.lost && !moves
	}
	if number < 1 || number > len(l.Items) {
		return nil
	}
	l.index, l.lost = number-1, false
	return l.openSelected()
}

func (l *List[T]) openSelected() tea.Cmd {
	item, ok := l.Selected()
	if !ok || l.Open == nil {
		return nil
	}
	return l.Open(item)
}

// Actions returns the actions that open the selected item and select another one. Label says what
// opening does.
func (l *List[T]) Actions(label i18n.Key) []Action {
	choose := ChooseHint
	choose.Off = len(l.Items) < 2
	return []Action{{Keys: "enter space", Label: label, Off: len(l.Items) == 0 || l.lost, Do: l.openSelected}, choose}
}

// CompleteRow returns the row of item i with its item number and selection.
func (l *List[T]) CompleteRow(i int, row Row) Row {
	row.Item, row.Selected = i+1, i == l.index && !l.lost
	return row
}

// Rows returns the rows around the selected item, at most room. Without items, it says why there are none:
// that the list is being read, that it cannot be read, or the texts in none.
func (l *List[T]) Rows(e *Env, width, room int, row func(i int, item T) Row, none ...i18n.Key) (rows []Row) {
	switch {
	case l.failure != "":
		return ParagraphRows(l.failure, term.Warn, width)
	case !l.loaded:
		return []Row{TextRow(term.Faint.Render(e.Lang.Text("Loading…")))}
	case len(l.Items) == 0:
		for _, text := range none {
			rows = append(rows, ParagraphRows(e.Lang.Text(text), term.Plain, width)...)
		}
		return rows
	}
	// There may be thousands of items, so only those that fit are drawn.
	first := max(0, min(l.index-room/2, len(l.Items)-room))
	for i := first; i < min(first+max(room, 0), len(l.Items)); i++ {
		rows = append(rows, l.CompleteRow(i, row(i, l.Items[i])))
	}
	return rows
}
