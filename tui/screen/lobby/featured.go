package lobby

import (
	"slices"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/screen"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// boardGap is the number of columns between the boards of the featured match.
const boardGap = 4

// place is where the featured match is drawn.
type place struct {
	width, room int // columns and rows of the block; the lists below share the rows
	selected    bool
}

// showFeatured returns the rows of the featured match, and adds its item.
func (s *lobbyScreen) showFeatured(width, room int) []string {
	in := place{width: width, room: room}
	var row widget.Row
	if w := s.Watched; !s.Idle && w != nil && !w.Seen.IsZero() {
		s.add(peopleBlock, item{id: "featured", does: "watch", open: watch(w.ID)}, &row)
		in.selected = row.Selected
	}
	rows, links := s.featured(&in)
	for i, line := range rows[:links] {
		rows[i] = term.Clickable("", row.Item, line)
	}
	return rows
}

// featured returns the rows of the featured match, and how many of them open it.
func (s *lobbyScreen) featured(in *place) (lines []string, links int) {
	w := s.Watched
	switch {
	case s.Idle:
		return drawn(in.width, widget.Line(term.Faint.Render(s.Lang.Text("paused until you press a key")))), 0
	case w == nil || w.Seen.IsZero():
		return drawn(in.width, widget.Line(term.Faint.Render(s.Lang.Text("nothing yet")))), 0
	}
	v := &w.Last.View
	names := term.Strong.Render(w.Narrator.Names[match.First] + " – " + w.Narrator.Names[match.Second])
	state := w.State(s.Lang) + screen.Watching(s.Lang, s.Env.Running(w.ID))
	row := widget.Row{Text: names, Button: s.Lang.Text("watch"), Selected: in.selected}
	if wide := names + "  " + state; text.Width(wide)+text.Width(row.Button)+9 < in.width {
		row.Text, state = wide, ""
	}
	gap := boardGap
	boards := 2 * board.BareWidth(v.Rules.Size)
	if in.width < boards+gap+2 {
		gap = 1
	}
	if in.width < boards+gap+2 || in.room < v.Rules.Size+2+7 {
		rows := []widget.Row{row, stateRow(s.Lang, v, state)}
		if n := len(w.Reports); n > 0 && in.room > 12 {
			rows = append(rows, widget.Row{Text: term.Faint.Render(w.Reports[n-1].Full.In(s.Lang))})
		}
		return drawn(in.width, append(rows, widget.Row{})...), 1
	}
	lines = append(drawn(in.width, row), s.boards(in, gap, state == "")...)
	links = len(lines)
	if state != "" {
		lines = append(lines, drawn(in.width, stateRow(s.Lang, v, state))...)
	}
	return append(lines, drawn(in.width, widget.Row{})...), links
}

// drawn returns rows as lines of a block.
func drawn(width int, rows ...widget.Row) []string {
	return widget.Block{Rows: rows}.Draw(width, len(rows))
}

// stateRow returns the state of the featured match in words.
func stateRow(l i18n.Language, v *match.View, state string) widget.Row {
	first, second := v.Charts[match.Second].ShipsLeft(), v.Charts[match.First].ShipsLeft()
	return widget.Row{Text: state, Note: l.Text("ships afloat: %d – %d", first, second)}
}

// boards returns the lines with the boards of the featured match side by side. Their names are
// above them if there is room, and below them the ships afloat if numbers is set.
func (s *lobbyScreen) boards(in *place, gap int, numbers bool) []string {
	w := s.Watched
	v := &w.Last.View
	var each [2][]string
	for side := match.First; side <= match.Second; side++ {
		lines := w.Board(side).Bare(s.Detail)
		width := board.BareWidth(v.Rules.Size)
		if in.room >= v.Rules.Size+2+9 {
			lines = slices.Insert(lines, 0, text.Pad(w.Narrator.Names[side], width))
		}
		if numbers {
			afloat := s.Lang.Text("%d of %d afloat", v.Charts[side.Other()].ShipsLeft(), len(v.Rules.Fleet))
			lines = append(lines, text.Pad(term.Faint.Render(afloat), width))
		}
		each[side] = lines
	}
	lines := text.Join(gap, each[match.First], each[match.Second])
	left := text.Spaces((in.width - text.Widest(lines)) / 2)
	for i, l := range lines {
		lines[i] = term.Card.Fill(left+l, in.width)
	}
	return lines
}
