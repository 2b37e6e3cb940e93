package tui

import (
	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term/look"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/component"
	"broadside/tui/format"
)

// helpPage explains the keys and signs of the game.
type helpPage struct{ *router }

// matchShown returns the rules of the match that the current screen shows, or else of
// the player's next one, and the match's last update if its commitments are known.
func (h helpPage) matchShown() (match.Rules, *session.MatchUpdate) {
	if s, ok := h.top().(component.MatchViewer); ok {
		return s.MatchShown()
	}
	return h.env.Settings.Rules, nil
}

// movingHelp explains what is particular to ships that move.
func (h helpPage) movingHelp() []string {
	line := func(text i18n.Text) string { return "  " + h.env.Lang.Say(text) }
	signs := func(text i18n.Text, older, old string, inks [3]look.Ink, fresh string) string {
		return "  " + board.Sample(fresh, inks[0]) + board.Sample(older, inks[1]) + board.Sample(old, inks[2]) + "  " + h.env.Lang.Say(text)
	}
	return []string{
		look.Strong.Render(h.env.Lang.Say("Ships that move")),
		line("After each enemy shot, and before yours, one ship may move; or all stay."),
		line("Not into the last three shots ‹ ›, nor beside a ship, nor with two left."),
		line("tab, 1–0, a click   choose a ship        p, enter   pass"),
		line("arrows, f b c a     move it: ahead, back, or turn about its stern"),
		"  ▲ ▸ ▼ ◂  " + h.env.Lang.Say("the bow of a ship. Sunk ships stay where they are."),
		signs("water: in the last three shots, the last ten, long ago", board.SignOlderMiss, board.SignOldMiss,
			[3]look.Ink{look.Missed, look.MissedOlder, look.MissedOld}, board.SignMiss),
		signs("a hit, of the same age: the ship may have gone", board.SignOlderHit, board.SignOldHit,
			[3]look.Ink{look.Struck, look.StruckOlder, look.StruckOld}, board.SignHit),
		"",
	}
}

// lines explains keys and signs. It fits 80×24, except for what is particular to the
// rules, which comes first.
func (h helpPage) lines() []string {
	page := h.usualHelp()
	rules, _ := h.matchShown()
	switch {
	case rules.Moving:
		page = append(h.movingHelp(), page...)
	case rules.Salvo:
		page = append(h.salvoHelp(), page...)
	}
	return page
}

// salvoHelp explains what is particular to several shots in a turn.
func (h helpPage) salvoHelp() []string {
	line := func(text i18n.Text) string { return "  " + h.env.Lang.Say(text) }
	return []string{
		look.Strong.Render(h.env.Lang.Say("Salvos")),
		line("Each turn you have a shot for each of your ships afloat."),
		line("enter, a click   mark a target, or unmark it    f   fire all, once all are marked"),
		"",
	}
}

func (h helpPage) usualHelp() []string {
	sign := func(s string, meaning i18n.Text) string {
		return "  " + s + "  " + format.Pad(h.env.Lang.Say(meaning), 30)
	}
	line := func(text i18n.Text) string { return "  " + h.env.Lang.Say(text) }
	lines := []string{
		look.Strong.Render(h.env.Lang.Say("The game")),
		line("Two fleets, hidden from each other. Shoot in turns; sink all ships to win."),
		line("You learn of each shot: water, hit, or hit and sunk. i in the lobby: try it."),
		"",
		look.Strong.Render(h.env.Lang.Say("Keys ¦ of the keyboard")),
		line("arrows, h j k l   move the cursor          t   talk, tab there mutes"),
		line(h.naming()),
		line("enter, two clicks put the ship down · fire"),
		line("r, space, wheel   turn the ship            x   place all ships at random"),
		line("u, drag           take a ship back         z   clear the board"),
		line("tab               next ship, hand over     q   resign, leave"),
		line("l  g              leaderboard · games      y n answer a challenge"),
		line("o                 one's own saved fleets   s   save the fleet that is placed"),
		line("A fleet can be pasted, too: one ship a line, such as  carrier A1 A5"),
		"",
		look.Strong.Render(h.env.Lang.Say("Signs")) + "    " + h.env.Lang.Say("[ ] the cursor   ‹ › the last shot"),
		sign(board.Sample(board.SignNothing, look.Sea), "your sea") + sign(board.Sample(board.SignNothing, look.Unknown), "enemy waters, unknown"),
		sign(board.Sample(board.SignHull, look.Hull), "your ship") + sign(board.Sample(board.SignMiss, look.Missed), "your shot, water"),
		sign(board.Sample(board.SignMiss, look.Splash), "enemy shot, water") + sign(board.Sample(board.SignDeduced, look.Deduced), "must be water"),
		sign(board.Sample(board.SignHit, look.HullHit), "your ship, hit") + sign(board.Sample(board.SignHit, look.Struck), "enemy ship, hit"),
		sign(board.Sample(board.SignSunk, look.HullSunk), "your ship, sunk") + sign(board.Sample(board.SignSunk, look.Wrecked), "enemy ship, sunk"),
	}
	if _, u := h.matchShown(); u != nil {
		if sealed := component.Commitments(h.env.Lang, u); sealed != "" {
			lines = append(lines, "", look.Strong.Render(h.env.Lang.Say("Seals")), line("Who keeps them can prove at the end that no ship was moved in secret."), "  "+sealed)
		}
	}
	return lines
}

// naming says how a cell is named on the board that is shown.
func (h helpPage) naming() i18n.Text {
	rules, _ := h.matchShown()
	if rules.Size > len("ABCDEFGHIJKL") { // see component.CellInput
		return "B7 M7             name a cell; rows after L in capitals: m is a key, M a row"
	}
	return "B7                name a cell: the cursor goes there"
}
