package tui

import (
	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term/look"
	"broadside/tui/board"
	"broadside/tui/format"
)

// moving tells whether the rules that the person has to do with now let ships
// move.
func (m *Model) moving() bool {
	if m.game != nil {
		return m.game.last.View.Rules.Moving
	}
	switch s := m.screen.(type) {
	case *watchScreen:
		return m.sight != nil && m.sight.last.View.Rules.Moving
	case *replayScreen:
		return s.film.View(s.at).Rules.Moving
	}
	return m.settings.Rules.Moving
}

// movingHelp explains what is particular to ships that move.
func (m *Model) movingHelp() []string {
	t := looks()
	line := func(text i18n.Text) string { return "  " + m.lang.Say(text) }
	signs := func(text i18n.Text, older, old string, inks [3]look.Ink, fresh string) string {
		return "  " + board.Sample(fresh, inks[0]) + board.Sample(older, inks[1]) + board.Sample(old, inks[2]) + "  " + m.lang.Say(text)
	}
	return []string{
		t.strong.Render(m.lang.Say("Ships that move")),
		line("After each enemy shot, and before yours, one ship may move; or all stay."),
		line("Not into the last three shots ‹ ›, nor beside a ship, nor with two left."),
		line("tab, 1–0, a click   choose a ship        p, enter   pass"),
		line("arrows, f b c a     move it: ahead, back, or turn about its stern"),
		"  ▲ ▸ ▼ ◂  " + m.lang.Say("the bow of a ship. Sunk ships stay where they are."),
		signs("water: in the last three shots, the last ten, long ago", board.SignOlderMiss, board.SignOldMiss,
			[3]look.Ink{look.Missed, look.MissedOlder, look.MissedOld}, board.SignMiss),
		signs("a hit, of the same age: the ship may have gone", board.SignOlderHit, board.SignOldHit,
			[3]look.Ink{look.Struck, look.StruckOlder, look.StruckOld}, board.SignHit),
		"",
	}
}

// helpPage explains keys and signs. It fits 80×24, but for what it says of
// ships that move, which comes first where they do.
func (m *Model) helpPage() []string {
	page := m.usualHelp()
	if m.moving() {
		page = append(m.movingHelp(), page...)
	}
	return page
}

func (m *Model) usualHelp() []string {
	t := looks()
	sign := func(s string, meaning i18n.Text) string {
		return "  " + s + "  " + format.Pad(m.lang.Say(meaning), 30)
	}
	line := func(text i18n.Text) string { return "  " + m.lang.Say(text) }
	lines := []string{
		t.strong.Render(m.lang.Say("The game")),
		line("Two fleets, hidden from each other. Shoot in turns; sink all ships to win."),
		line("You learn of each shot: water, hit, or hit and sunk. i in the lobby: try it."),
		"",
		t.strong.Render(m.lang.Say("Keys ¦ of the keyboard")),
		line("arrows, h j k l   move the cursor          t   talk, tab there mutes"),
		line(m.naming()),
		line("enter, two clicks put the ship down · fire"),
		line("r, space, wheel   turn the ship            x   place all ships at random"),
		line("u, drag           take a ship back         z   clear the board"),
		line("tab               next ship, hand over     q   resign, leave"),
		line("l  g              leaderboard · games      y n answer a challenge"),
		line("o                 one's own saved fleets   s   save the fleet that is placed"),
		line("A fleet can be pasted, too: one ship a line, such as  carrier A1 A5"),
		"",
		t.strong.Render(m.lang.Say("Signs")) + "    " + m.lang.Say("[ ] the cursor   ‹ › the last shot"),
		sign(board.Sample(board.SignNothing, look.Sea), "your sea") + sign(board.Sample(board.SignNothing, look.Unknown), "enemy waters, unknown"),
		sign(board.Sample(board.SignHull, look.Hull), "your ship") + sign(board.Sample(board.SignMiss, look.Missed), "your shot, water"),
		sign(board.Sample(board.SignMiss, look.Splash), "enemy shot, water") + sign(board.Sample(board.SignDeduced, look.Deduced), "must be water"),
		sign(board.Sample(board.SignHit, look.HullHit), "your ship, hit") + sign(board.Sample(board.SignHit, look.Struck), "enemy ship, hit"),
		sign(board.Sample(board.SignSunk, look.HullSunk), "your ship, sunk") + sign(board.Sample(board.SignSunk, look.Wrecked), "enemy ship, sunk"),
	}
	if u := m.shownMatch(); u != nil {
		if sealed := sealsOf(m.lang, u); sealed != "" {
			lines = append(lines, "", t.strong.Render(m.lang.Say("Seals")), line("Who keeps them can prove at the end that no ship was moved in secret."), "  "+sealed)
		}
	}
	return lines
}

// shownMatch is the newest of the match that is played or watched on the screen;
// nil without one.
func (m *Model) shownMatch() *session.MatchUpdate {
	switch m.screen.(type) {
	case *battleScreen, *resultScreen:
		return &m.game.last
	case *watchScreen:
		if m.sight != nil {
			return &m.sight.last
		}
	}
	return nil
}

// naming tells how a cell is named, on the board that is played on now.
func (m *Model) naming() i18n.Text {
	rules := m.settings.Rules
	if m.game != nil {
		rules = m.game.last.View.Rules
	}
	if rules.Size > len("ABCDEFGHIJKL") { // see typing
		return "B7 M7             name a cell; rows after L in capitals: m is a key, M a row"
	}
	return "B7                name a cell: the cursor goes there"
}
