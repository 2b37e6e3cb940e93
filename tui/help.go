package tui

import (
	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/component"
	"broadside/tui/format"
)

// helpPage explains the keys and symbols of the game.
type helpPage struct{ *router }

// matchShown returns the rules of the match on the current screen, or of the player's
// next match. It also returns the match's last update if its commitments are known.
func (h helpPage) matchShown() (match.Rules, *session.MatchUpdate) {
	if s, ok := h.top().(component.MatchViewer); ok {
		return s.MatchShown()
	}
	return h.env.Settings.Rules, nil
}

// movingHelp explains the rules for moving ships.
func (h helpPage) movingHelp() []string {
	line := func(text i18n.Key) string { return "  " + h.env.Lang.Text(text) }
	signs := func(text i18n.Key, older, old string, styles [3]term.Style, fresh string) string {
		return "  " + board.Sample(fresh, styles[0]) + board.Sample(older, styles[1]) + board.Sample(old, styles[2]) + "  " + h.env.Lang.Text(text)
	}
	return []string{
		term.Strong.Render(h.env.Lang.Text("ships-that-move")),
		line("after-each-enemy-shot-you"),
		line("not-onto-the-last-three"),
		line("tab-1-0-a-click"),
		line("arrows-f-b-c-a"),
		"  ▲ ▸ ▼ ◂  " + h.env.Lang.Text("the-bow-of-a-ship"),
		signs("water-in-the-last-three", board.SignOlderMiss, board.SignOldMiss,
			[3]term.Style{term.Missed, term.MissedOlder, term.MissedOld}, board.SignMiss),
		signs("a-hit-equally-recent-the", board.SignOlderHit, board.SignOldHit,
			[3]term.Style{term.Struck, term.StruckOlder, term.StruckOld}, board.SignHit),
		"",
	}
}

func (h helpPage) area(size component.Size) component.Area { return component.Area{Lines: h.lines()} }

// lines explains keys and symbols. It fits 80×24, except for the help on special
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

// salvoHelp explains the rules for several shots per turn.
func (h helpPage) salvoHelp() []string {
	line := func(text i18n.Key) string { return "  " + h.env.Lang.Text(text) }
	return []string{
		term.Strong.Render(h.env.Lang.Text("salvos-title")),
		line("each-turn-you-have-a"),
		line("enter-a-click-mark-a"),
		"",
	}
}

func (h helpPage) usualHelp() []string {
	sign := func(s string, meaning i18n.Key) string {
		return "  " + s + "  " + format.Pad(h.env.Lang.Text(meaning), 30)
	}
	line := func(text i18n.Key) string { return "  " + h.env.Lang.Text(text) }
	lines := []string{
		term.Strong.Render(h.env.Lang.Text("the-match")),
		line("two-hidden-fleets-shoot-in"),
		line("each-shot-is-water-a"),
		"",
		term.Strong.Render(h.env.Lang.Text("keys-of-the-keyboard")),
		line("arrows-h-j-k-l"),
		line(h.naming()),
		line("enter-two-clicks-place-the"),
		line("r-space-wheel-turn-the"),
		line("u-drag-pick-a-ship"),
		line("tab-next-ship-hand-over"),
		line("l-g-leaderboard-history-y"),
		line("o-load-a-saved-fleet"),
		line("you-can-also-paste-a"),
		"",
		term.Strong.Render(h.env.Lang.Text("signs")) + "    " + h.env.Lang.Text("the-cursor-the-last-shot"),
		sign(board.Sample(board.SignNothing, term.Sea), "your-sea") + sign(board.Sample(board.SignNothing, term.Unknown), "enemy-waters-unknown"),
		sign(board.Sample(board.SignHull, term.Hull), "your-ship") + sign(board.Sample(board.SignMiss, term.Missed), "your-shot-water"),
		sign(board.Sample(board.SignMiss, term.Splash), "enemy-shot-water") + sign(board.Sample(board.SignDeduced, term.Deduced), "must-be-water"),
		sign(board.Sample(board.SignHit, term.HullHit), "your-ship-hit") + sign(board.Sample(board.SignHit, term.Struck), "enemy-ship-hit"),
		sign(board.Sample(board.SignSunk, term.HullSunk), "your-ship-sunk") + sign(board.Sample(board.SignSunk, term.Wrecked), "enemy-ship-sunk"),
	}
	if _, u := h.matchShown(); u != nil {
		if commitments := component.Commitments(h.env.Lang, u); commitments != "" {
			lines = append(lines, "", term.Strong.Render(h.env.Lang.Text("commitments")), line("keep-them-to-prove-at"), "  "+commitments)
		}
	}
	return lines
}

// naming returns the text that explains cell names on the current board.
func (h helpPage) naming() i18n.Key {
	rules, _ := h.matchShown()
	if rules.Size > len("ABCDEFGHIJKL") { // see component.CellInput
		return "b7-m7-go-to-a"
	}
	return "b7-move-the-cursor-to"
}
