package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"broadside/tui/term"
	"broadside/tui/text"
)

// Block is a filled area with a title and a thin rule.
type Block struct {
	// Title has no styles.
	Title string
	// Note is at the right end of the title line.
	Note string
	// Focused is set if the keyboard acts on this block.
	Focused bool
	Rows    []Row
}

// Row is one line of a block. It is clickable if it has a Press or an Item.
type Row struct {
	Text string
	// Note is right-aligned. It is left out if there is no room.
	Note string
	// Key labels the key that opens the row, at the right end.
	Key string
	// Button is the label of a button at the right end.
	Button string
	// Press is the key that a click presses. Without it, a click sends a [Pick] of Item, counted from 1.
	Press    string
	Item     int
	Selected bool
	// Heading makes the line a list's heading, with Note.
	Heading string
	// Filled is set if Text is a whole line, without a row's indentation.
	Filled bool
}

// A block's columns: text starts after blockInset, rows after rowInset.
const (
	blockInset = 2
	rowInset   = 3
	pointer    = " ► "
)

// Draw returns the block as lines of the given size. Rows that do not fit are left
// out, except the selected row.
func (b Block) Draw(width, height int) []string {
	if height <= 0 || width <= 2*blockInset {
		return nil
	}
	rows := b.visibleRows(height - min(1, len(b.Title)))
	lines := make([]string, 0, height)
	if b.Title != "" {
		style := term.Strong
		if b.Focused {
			style = term.Mark
		}
		lines = append(lines, term.Card.Fill(titleRuleNote(style.Render(b.Title), b.Note, width), width))
	}
	for i := range rows {
		lines = append(lines, rows[i].draw(width))
	}
	for len(lines) < height {
		lines = append(lines, Row{}.draw(width))
	}
	return lines
}

// titleRuleNote returns a title and a note with a thin rule between them.
func titleRuleNote(title, note string, width int) string {
	room := width - 2*blockInset
	title = ansi.Truncate(title, room, "…")
	rest := room - text.Width(title) - 2
	if text.Width(note) > rest {
		note = ansi.Truncate(note, max(0, rest), "…")
	}
	rule := room - text.Width(title) - 1
	if note != "" {
		rule -= text.Width(note) + 1
	}
	line := text.Spaces(blockInset) + title + " "
	if rule > 0 {
		line += term.Rule.Render(strings.Repeat("─", rule))
	}
	if note != "" {
		line += " " + term.Faint.Render(note)
	}
	return line
}

// visibleRows returns the rows that fit, including the selected one.
func (b Block) visibleRows(room int) []Row {
	if len(b.Rows) <= room {
		return b.Rows
	}
	for i := range b.Rows {
		r := &b.Rows[i]
		if r.Selected {
			top := min(max(0, i-room/2), len(b.Rows)-room)
			return b.Rows[top : top+max(0, room)]
		}
	}
	return b.Rows[:max(0, room)]
}

func (r Row) draw(width int) string {
	line := r.drawWithoutZone(width)
	if r.Press == "" && r.Item == 0 {
		return line
	}
	return term.MakeClickable(r.Press, r.Item, line)
}

func (r Row) drawWithoutZone(width int) string {
	switch {
	case r.Heading != "":
		return term.Card.Fill(titleRuleNote(term.Strong.Render(r.Heading), r.Note, width), width)
	case r.Filled:
		return term.Card.Fill(r.Text, width)
	}
	right := r.rightEnd()
	line, note := r.fitText(width - rowInset - text.Width(right))
	gap := text.Spaces(width - rowInset - text.Width(line) - text.Width(note) - text.Width(right))
	if note != "" && strings.IndexByte(note, '\x1b') < 0 {
		note = term.Faint.Render(note)
	}
	if r.Selected {
		return term.Selected.Render(pointer+line+gap+note+right, 0)
	}
	return term.Card.Render(text.Spaces(rowInset)+line+gap+note+right, 0)
}

// rightEnd returns the key or button after the note, and the block's edge.
func (r Row) rightEnd() string {
	switch {
	case r.Key != "":
		return "  " + term.Key.Render(r.Key) + text.Spaces(blockInset)
	case r.Button != "":
		return "  " + KeyCap(r.Button) + text.Spaces(blockInset)
	}
	return text.Spaces(blockInset)
}

// fitText returns the text, cut to room, and the note if it fits, too.
func (r Row) fitText(room int) (line, note string) {
	line, note = r.Text, r.Note
	if text.Width(line) > room {
		return ansi.Truncate(line, room, "…"), ""
	}
	if text.Width(line)+1+text.Width(note) > room {
		return line, ""
	}
	return line, note
}

// ParagraphRows returns rows with a text, wrapped to a block's width.
func ParagraphRows(line string, style term.Style, width int) (rows []Row) {
	for _, l := range text.Wrap(line, max(1, width-2*blockInset)) {
		rows = append(rows, TextRow(style.Render(l)))
	}
	return rows
}

// TextRow returns a row that is only text, aligned with the block's title.
func TextRow(line string) Row { return Row{Text: text.Spaces(blockInset) + line, Filled: true} }

// KeyCap returns a text drawn as a key cap or button.
func KeyCap(text string) string { return term.Cap.Render(" " + text + " ") }
