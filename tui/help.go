package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"broadside/tui/board"
	"broadside/tui/look"
)

// helpPage explains keys and signs. It fits the smallest screen.
func helpPage() []string {
	t := looks()
	sign := func(s, meaning string) string { return "  " + s + "  " + pad(meaning, 30) }
	return []string{
		t.strong.Render("The game"),
		"  Two fleets, hidden from each other. Shoot in turns; sink all ships to win.",
		"  You learn of each shot: water, hit, or hit and sunk.",
		"",
		t.strong.Render("Keys"),
		"  arrows, h j k l   move the cursor          t   talk, tab there mutes",
		"  B7                name a cell: the cursor goes there",
		"  enter             put the ship down · fire",
		"  r or space        turn the ship            x   place all ships at random",
		"  u                 take a ship back         z   clear the board",
		"  tab               next ship, hand over     q   resign, leave",
		"  w                 watch, → the next one    s   the daily sea",
		"  l  g              leaderboard · games      y n answer a challenge",
		"  o                 one's own saved fleets   s   save the fleet that is placed",
		"  A fleet can be pasted, too: one ship a line, such as  carrier A1 A5",
		"",
		t.strong.Render("Signs") + "    [ ] the cursor   ‹ › the last shot",
		sign(board.Sample(board.SignNothing, look.Sea), "your sea") + sign(board.Sample(board.SignNothing, look.Unknown), "enemy waters, unknown"),
		sign(board.Sample(board.SignHull, look.Hull), "your ship") + sign(board.Sample(board.SignMiss, look.Missed), "your shot, water"),
		sign(board.Sample(board.SignMiss, look.Splash), "enemy shot, water") + sign(board.Sample(board.SignDeduced, look.Deduced), "must be water"),
		sign(board.Sample(board.SignHit, look.HullHit), "your ship, hit") + sign(board.Sample(board.SignHit, look.Struck), "enemy ship, hit"),
		sign(board.Sample(board.SignSunk, look.HullSunk), "your ship, sunk") + sign(board.Sample(board.SignSunk, look.Wrecked), "enemy ship, sunk"),
	}
}

// wrap breaks s into lines of at most width.
func wrap(s string, width int) []string {
	return strings.Split(ansi.Wordwrap(s, width, " "), "\n")
}
