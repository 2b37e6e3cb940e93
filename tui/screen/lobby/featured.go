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
func (s *lobbyScreen) showFeatured(width, room int) widget.Area {
	in := place{width: width, room: room}
	var row widget.Row
	if w := s.Watched; !s.Idle && w != nil && !w.Seen.IsZero() {
		s.add(peopleBlock, item{id: "featured", does: "watch", open: watch(w.ID)}, &row)
		in.selected = row.Selected
	}
	rows, links := s.featured(&in)
	area := widget.Area{Lines: rows, Zones: make([]widget.Zone, 0, links)}
	for i := range links {
		area.Zones = append(area.Zones, widget.Zone{Line: i, Width: width, Item: row.Item})
	}
	return area
}

// featured returns the rows of the featured match, and how many of them open it.
func (s *lobbyScreen) featured(in *place) (lines []string, links int) {
	w := s.Watched
	switch {
	case s.Idle:
		return drawn(s.Drawings, in.width, widget.Line(term.Faint.Render(s.Lang.Text("paused until you press a key")))), 0
	case w == nil || w.Seen.IsZero():
		return drawn(s.Drawings, in.width, widget.Line(term.Faint.Render(s.Lang.Text("nothing yet")))), 0
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
		return drawn(s.Drawings, in.width, append(rows, widget.Row{})...), 1
	}
	lines = append(drawn(s.Drawings, in.width, row), s.boards(in, gap, state == "")...)
	links = len(lines)
	if state != "" {
		lines = append(lines, drawn(s.Drawings, in.width, stateRow(s.Lang, v, state))...)
	}
	return append(lines, drawn(s.Drawings, in.width, widget.Row{})...), links
}

// drawn returns rows as lines of a block.
func drawn(shared *text.Cache, width int, rows ...widget.Row) []string {
	return widget.Block{Rows: rows, Shared: shared}.Draw(width, len(rows)).Lines
}

// stateRow returns the state of the featured match in words.
func stateRow(l i18n.Language, v *match.View, state string) widget.Row {
	first, second := v.Charts[match.Second].ShipsLeft(), v.Charts[match.First].ShipsLeft()
	return widget.Row{Text: state, Note: l.Text("ships afloat: %d – %d", first, second)}
}

// boards is everything that the boards of the featured match show.
type boards struct {
	lang       i18n.Language
	width, gap int
	drawn      [2]*string // the first line of each board, which sessions that show the same share
	titled     bool       // the names are above the boards
	names      [2]string
	afloat     [2]int // below the boards, the numbers of ships
	fleet      int    // the number of ships at first; 0: the numbers are shown elsewhere
}

// boards returns the lines with the boards of the featured match side by side. All sessions
// that show the same share them.
func (s *lobbyScreen) boards(in *place, gap int, numbers bool) []string {
	w := s.Watched
	v := &w.Last.View
	of := boards{lang: s.Lang, width: in.width, gap: gap, titled: in.room >= v.Rules.Size+2+9, names: w.Narrator.Names}
	if numbers {
		of.afloat, of.fleet = [2]int{v.Charts[match.Second].ShipsLeft(), v.Charts[match.First].ShipsLeft()}, len(v.Rules.Fleet)
	}
	var each [2][]string
	for side := match.First; side <= match.Second; side++ {
		if v.Fleets[side] == nil {
			each[side] = board.Miniature(s.Drawings, &v.Charts[side.Other()], v.Last[side.Other()], s.Detail)
		} else {
			each[side] = board.Own(v, side).Bare(s.Detail)
		}
		of.drawn[side] = &each[side][0]
	}
	return text.Shared(s.Drawings, of, func() []string { return of.draw(each) })
}

// draw draws the lines around and between the boards.
func (b *boards) draw(each [2][]string) []string {
	for side, lines := range each {
		width := text.Width(lines[0])
		if b.titled {
			lines = slices.Insert(slices.Clone(lines), 0, text.Pad(b.names[side], width))
		}
		if b.fleet > 0 {
			numbers := term.Faint.Render(b.lang.Text("%d of %d afloat", b.afloat[side], b.fleet))
			lines = append(slices.Clip(lines), text.Pad(numbers, width))
		}
		each[side] = lines
	}
	lines := text.Beside(each[match.First], each[match.Second], b.gap)
	left := text.Spaces((b.width - text.Widest(lines)) / 2)
	for i, l := range lines {
		lines[i] = term.Card.Fill(left+l, b.width)
	}
	return lines
}
