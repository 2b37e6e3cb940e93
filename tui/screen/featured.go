package screen

import (
	"slices"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// boardGap is the number of columns between the featured match's boards.
const boardGap = 4

// FeaturedRows returns the featured match for a block: rows that open it, if there are any, and the rows after them.
// The sections below it share the room.
func FeaturedRows(env *widget.Env, width, room int) (open, rest []widget.Row) {
	w := env.Watched
	switch {
	case env.Idle:
		return nil, []widget.Row{widget.TextRow(term.Faint.Render(env.Lang.Text("paused until you press a key")))}
	case w == nil || w.UpdatedAt.IsZero():
		return nil, []widget.Row{widget.TextRow(term.Faint.Render(env.Lang.Text("nothing yet")))}
	}
	v := &w.Last.View
	names := term.Strong.Render(w.Narrator.Names[match.First] + " – " + w.Narrator.Names[match.Second])
	state := w.StateText(env.Lang) + "  " + SpectatorsText(env.Lang, env.RunningMatch(w.ID))
	title := widget.Row{Text: names, Button: env.Lang.Text("watch")}
	wide := names + "  " + state
	if text.Width(wide)+text.Width(title.Button)+9 < width {
		title.Text, state = wide, ""
	}
	open = []widget.Row{title}
	gap := boardGap
	boards := 2 * board.BareWidth(v.Rules.Size)
	if width < boards+gap+2 {
		gap = 1
	}
	if width < boards+gap+2 || room < v.Rules.Size+2+7 {
		rest = append(rest, stateRow(env.Lang, v, state))
		n := len(w.Reports)
		if n > 0 && room > 12 {
			rest = append(rest, widget.Row{Text: term.Faint.Render(w.Reports[n-1].Full.Text(env.Lang))})
		}
		return open, append(rest, widget.Row{})
	}
	open = append(open, featuredBoardRows(env, width, gap, room >= v.Rules.Size+2+9, state == "")...)
	if state != "" {
		rest = append(rest, stateRow(env.Lang, v, state))
	}
	return open, append(rest, widget.Row{})
}

// stateRow returns the featured match's state in words.
func stateRow(l i18n.Language, v *match.View, state string) widget.Row {
	first, second := v.Charts[match.Second].ShipsAfloat(), v.Charts[match.First].ShipsAfloat()
	return widget.Row{Text: state, Note: l.Text("ships afloat: %d – %d", first, second)}
}

// featuredBoardRows returns rows with the boards of the featured match side by side, with the names above them if
// titled, and with the numbers of ships below them if counted.
func featuredBoardRows(env *widget.Env, width, gap int, titled, counted bool) (rows []widget.Row) {
	w := env.Watched
	v := &w.Last.View
	var each [2][]string
	for side := match.First; side <= match.Second; side++ {
		lines := w.Board(side).DrawBare(env.Detail)
		across := board.BareWidth(v.Rules.Size)
		if titled {
			lines = slices.Insert(lines, 0, text.Pad(w.Narrator.Names[side], across))
		}
		if counted {
			afloat := env.Lang.Text("%d of %d afloat", v.Charts[side.Other()].ShipsAfloat(), len(v.Rules.Fleet))
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

// ChatRows returns the lobby chat's latest lines, wrapped, in at most room rows.
func ChatRows(env *widget.Env, width, room int) (rows []widget.Row) {
	const inset = 2
	for _, l := range env.LobbyChat.LastLines(env, room, width-2*inset) {
		rows = append(rows, widget.Row{Text: text.Spaces(inset) + l, Filled: true, Press: "t"})
	}
	return rows
}
