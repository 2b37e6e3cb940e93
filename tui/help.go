package tui

import (
	"slices"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/tui/board"
	lobbyscreen "broadside/tui/screen/lobby"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// helpPage explains the keys and symbols of the current screen, and then all others.
type helpPage struct{ *router }

// showHelp shows or hides the help, on which no clock runs.
func (r *router) showHelp(on bool) {
	r.help, r.scroll = on, 0
}

// shownRules returns the rules of the match on the current screen, or of the player's
// next match.
func (h helpPage) shownRules() match.Rules {
	if s, ok := h.currentScreen().(widget.RulesScreen); ok {
		return s.ShownRules()
	}
	return h.env.Settings.Rules
}

// draw returns the page for a screen with a heading. It may be higher than the body.
func (h helpPage) draw(size widget.Size, heading string, boards bool) []string {
	lang := h.env.Lang
	width := min(size.Width-2*size.Margin(), widget.ListWidth)
	if size.Width < 60 {
		width = size.Width
	}
	b := widget.Block{Title: lang.Text("Help"), Note: heading, Focused: true}
	add := func(lines ...string) {
		for _, l := range lines {
			for _, part := range text.WrapStyled(l, width-4) {
				b.Rows = append(b.Rows, widget.TextRow(part))
			}
		}
	}
	add(h.rulesHelp(boards)...)
	own := h.currentScreen().Actions()
	if s, ok := h.currentScreen().(widget.Manual); ok {
		own = s.Keys()
	}
	keys := append([]string{term.Mark.Render(lang.Text("Keyboard"))}, h.keyLines(widget.VisibleActions(own), true)...)
	add(joinLists(width-4, keys, h.symbolLines())...)
	add("", term.Mark.Render(lang.Text("Lobby")))
	all := h.keyLines(lobbyscreen.MenuKeys(), false)
	half := (len(all) + 1) / 2
	add(joinLists(width-4, all[:half:half], all[half:])...)
	add("", term.Mark.Render(lang.Text("In a match")))
	add(h.matchKeys()...)
	return b.Draw(width, max(len(b.Rows)+2, size.Body))
}

// keyLines returns one line for each action, which a click triggers if clickable is set.
func (h helpPage) keyLines(actions []widget.Action, clickable bool) (lines []string) {
	const capWidth = 14
	for _, a := range actions {
		item := newBarItem(h.env.Lang, a)
		button := widget.KeyCap(item.keyLabel)
		if clickable && !item.isHelp {
			button = item.clickableCap()
		}
		lines = append(lines, text.Pad(button, capWidth)+item.actionLabel+term.ZoneEnd)
	}
	return lines
}

// joinLists returns two lists side by side, or one below the other if the page is narrow.
func joinLists(width int, lists ...[]string) []string {
	if width < 66 {
		return text.Stack(1, lists...)
	}
	left := slices.Clone(lists[0])
	for i, l := range left {
		left[i] = text.Pad(l, width/2)
	}
	return text.JoinColumns(0, left, lists[1])
}

// rulesHelp explains the game on screens with boards, and the rules for moving ships or
// several shots per turn.
func (h helpPage) rulesHelp(boards bool) []string {
	lang := h.env.Lang
	lines := []string{lang.Text("Two hidden fleets. Take turns to fire. Sink all enemy ships to win."), lang.Text("Each shot is a miss, a hit, or hit and sunk. Press i in the lobby to try it."), ""}
	rules := h.shownRules()
	switch {
	case !boards:
	case rules.Moving:
		lines = append(h.movingHelp(), lines...)
	case rules.Salvo:
		lines = append([]string{
			term.Mark.Render(lang.Text("Salvos")), lang.Text("Each turn, you fire one shot for each ship you have afloat."), lang.Text("enter, a click   mark a target, or unmark it    f   fire all, once all are marked"), "",
		}, lines...)
	}
	return lines
}

// matchKeys explains a match's keys.
func (h helpPage) matchKeys() (lines []string) {
	for _, text := range []i18n.Key{
		"arrows, h j k l   move the cursor          t   chat, tab mutes", h.cellNamesHelp(), "enter, two clicks place the ship · fire", "r, space, wheel   rotate the ship          x   place all ships at random", "u, drag           pick a ship up again     z   clear the board",
		"tab               next ship, hand over     q   resign, leave", "l  g              leaderboard · history    y n answer a challenge", "o                 load a saved fleet       s   save the placed fleet", "You can also paste a fleet: one ship per line, such as  carrier A1 A5",
	} {
		lines = append(lines, h.env.Lang.Text(text))
	}
	return lines
}

// symbolLines explains the symbols on boards.
func (h helpPage) symbolLines() []string {
	lang := h.env.Lang
	lines := []string{term.Mark.Render(lang.Text("Symbols"))}
	for _, s := range []struct {
		sign    string
		style   term.Style
		meaning i18n.Key
	}{
		{board.SignNothing, term.Unknown, "enemy waters, unknown"}, {board.SignMiss, term.Missed, "your shot, a miss"},
		{board.SignDeduced, term.Deduced, "must be water"}, {board.SignHit, term.Struck, "enemy ship, hit"},
		{board.SignSunk, term.Wrecked, "enemy ship, sunk"}, {board.SignNothing, term.Sea, "your sea"},
		{board.SignHull, term.Hull, "your ship"}, {board.SignMiss, term.Splash, "enemy shot, a miss"},
		{board.SignHit, term.HullHit, "your ship, hit"}, {board.SignSunk, term.HullSunk, "your ship, sunk"},
	} {
		lines = append(lines, board.DrawSymbol(s.sign, s.style)+"  "+lang.Text(s.meaning))
	}
	return append(lines, lang.Text("[ ] the cursor   ‹ › the last shot"))
}

// movingHelp explains the rules for moving ships.
func (h helpPage) movingHelp() []string {
	line := func(text i18n.Key) string { return h.env.Lang.Text(text) }
	signs := func(text i18n.Key, older, old string, styles [3]term.Style, fresh string) string {
		return board.DrawSymbol(fresh, styles[0]) + board.DrawSymbol(older, styles[1]) + board.DrawSymbol(old, styles[2]) + "  " + h.env.Lang.Text(text)
	}
	return []string{
		term.Mark.Render(line("Ships that move")),
		line("After each enemy shot, you may move one ship before you fire."),
		"‹ ›  " + line("A ship can't move onto the last three shots, next to a ship, or once only two ships are left."),
		line("tab, 1–0, click     choose a ship        p, enter   pass"),
		line("arrows, f b c a     move it: ahead, back, or rotate it around its stern"),
		"▲ ▸ ▼ ◂  " + line("the bow of a ship. Sunk ships stay where they are."),
		signs("a miss: in the last three shots, the last ten, long ago", board.SignOlderMiss, board.SignOldMiss,
			[3]term.Style{term.Missed, term.MissedOlder, term.MissedOld}, board.SignMiss),
		signs("a hit, fading in the same way: the ship may have moved", board.SignOlderHit, board.SignOldHit,
			[3]term.Style{term.Struck, term.StruckOlder, term.StruckOld}, board.SignHit),
		"",
	}
}

// cellNamesHelp returns the text that explains cell names on the current board.
func (h helpPage) cellNamesHelp() i18n.Key {
	rules := h.shownRules()
	// On such boards, widget.CellInput tells rows from keys by capitals.
	if rules.Size > len("ABCDEFGHIJKL") {
		return "B7 M7             go to a cell; below row L use capitals: m is a key, M a row"
	}
	return "B7                move the cursor to a cell"
}
