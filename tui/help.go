package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"broadside/match"
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
		sign(t.board[match.Sea][plain], "your sea") + sign(t.chart[match.Unknown][plain], "enemy waters, unknown"),
		sign(t.board[match.Hull][plain], "your ship") + sign(t.chart[match.Missed][plain], "your shot, water"),
		sign(t.board[match.Splash][plain], "enemy shot, water") + sign(t.chart[match.Deduced][plain], "must be water"),
		sign(t.board[match.HullHit][plain], "your ship, hit") + sign(t.chart[match.Struck][plain], "enemy ship, hit"),
		sign(t.board[match.HullSunk][plain], "your ship, sunk") + sign(t.chart[match.Wrecked][plain], "enemy ship, sunk"),
	}
}

// wrap breaks s into lines of at most width.
func wrap(s string, width int) []string {
	return strings.Split(ansi.Wordwrap(s, width, " "), "\n")
}
