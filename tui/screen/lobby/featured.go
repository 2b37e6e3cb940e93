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

// boardGap is the number of columns between the featured match's boards.
const boardGap = 4

// addFeatured adds the featured match. The sections below it share the room.
func (s *lobbyScreen) addFeatured(r *blockRows, width, room int) {
	w := s.Watched
	switch {
	case s.Idle:
		r.add(widget.TextRow(term.Faint.Render(s.Lang.Text("paused until you press a key"))))
		return
	case w == nil || w.UpdatedAt.IsZero():
		r.add(widget.TextRow(term.Faint.Render(s.Lang.Text("nothing yet"))))
		return
	}
	v := &w.Last.View
	names := term.Strong.Render(w.Narrator.Names[match.First] + " – " + w.Narrator.Names[match.Second])
	state := w.StateText(s.Lang) + "  " + screen.SpectatorsText(s.Lang, s.Env.RunningMatch(w.ID))
	title := widget.Row{Text: names, Button: s.Lang.Text("watch")}
	wide := names + "  " + state
	if text.Width(wide)+text.Width(title.Button)+9 < width {
		title.Text, state = wide, ""
	}
	it := item{id: "featured", label: "watch", open: openMatch(w.ID)}
	gap := boardGap
	boards := 2 * board.BareWidth(v.Rules.Size)
	if width < boards+gap+2 {
		gap = 1
	}
	if width < boards+gap+2 || room < v.Rules.Size+2+7 {
		r.addItem(it, title)
		r.add(stateRow(s.Lang, v, state))
		n := len(w.Reports)
		if n > 0 && room > 12 {
			r.add(widget.Row{Text: term.Faint.Render(w.Reports[n-1].Full.Text(s.Lang))})
		}
		r.add(widget.Row{})
		return
	}
	r.addItem(it, append([]widget.Row{title}, s.featuredBoardRows(width, gap, room >= v.Rules.Size+2+9, state == "")...)...)
	if state != "" {
		r.add(stateRow(s.Lang, v, state))
	}
	r.add(widget.Row{})
}

// stateRow returns the featured match's state in words.
func stateRow(l i18n.Language, v *match.View, state string) widget.Row {
	first, second := v.Charts[match.Second].ShipsAfloat(), v.Charts[match.First].ShipsAfloat()
	return widget.Row{Text: state, Note: l.Text("ships afloat: %d – %d", first, second)}
}

// featuredBoardRows returns rows with the boards of the featured match side by side, with the names above them if
// titled, and with the numbers of ships below them if counted.
func (s *lobbyScreen) featuredBoardRows(width, gap int, titled, counted bool) (rows []widget.Row) {
	w := s.Watched
	v := &w.Last.View
	var each [2][]string
	for side := match.First; side <= match.Second; side++ {
		lines := w.Board(side).DrawBare(s.Detail)
		across := board.BareWidth(v.Rules.Size)
		if titled {
			lines = slices.Insert(lines, 0, text.Pad(w.Narrator.Names[side], across))
		}
		if counted {
			afloat := s.Lang.Text("%d of %d afloat", v.Charts[side.Other()].ShipsAfloat(), len(v.Rules.Fleet))
			lines = append(lines, text.Pad(term.Faint.Render(afloat), across))
		}
		each[side] = lines
	}
	lines := text.JoinColumns(gap, each[match.First], each[match.Second])
	left := text.Spaces((width - text.MaxWidth(lines)) / 2)
	for _, l := range lines {
		rows = append(rows, widget.Row{Text: left + l, Filled: true})
	}
	return rows
}
