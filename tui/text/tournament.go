package text

import (
	"fmt"
	"strconv"
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/pairing"
	"broadside/lobby/tournament"
)

// tournamentFormatNames are the names of the formats of tournaments.
var tournamentFormatNames = map[tournament.Format]i18n.Key{
	tournament.Swiss: "Swiss", tournament.RoundRobin: "round robin", tournament.Knockout: "knockout",
}

// TournamentFormatName returns the name of a format.
func TournamentFormatName(l i18n.Language, f tournament.Format) string {
	return l.Text(tournamentFormatNames[f])
}

// TournamentState describes the state of a cup, such as "round 2 of 7".
func TournamentState(l i18n.Language, c *tournament.Tournament) string {
	switch c.Phase {
	case tournament.Joining:
		if !c.Starts.IsZero() {
			return l.Text("starts on %s UTC", l.ShortDate(c.Starts)+c.Starts.UTC().Format(" 15:04"))
		}
		return l.Text("not started")
	case tournament.Over:
		return l.Text("over")
	case tournament.Paused:
		return l.Text("paused")
	}
	return l.Text("round %d of %d", c.Round+1, max(c.RoundCount(), c.Round+1))
}

// TournamentSummary returns a line about a cup: its format, rules, entrants and state.
func TournamentSummary(l i18n.Language, c *tournament.Tournament) string {
	return l.Text("%s, %s, %s, entrants: %d, %s", TournamentFormatName(l, c.Format), c.Rules.Name, l.Text(c.RatingMode.Word()), len(c.Entrants), TournamentState(l, c))
}

// TournamentName returns the name of a cup, limited to the width of a list.
func TournamentName(c *tournament.Tournament) string { return Clean(c.Name, tournament.MaxName) }

// entrantName returns the name of the entrant with an index, which may be
// [pairing.Bye] or [pairing.Open].
func entrantName(l i18n.Language, c *tournament.Tournament, i int) string {
	switch i {
	case pairing.Bye:
		return l.Text("bye")
	case pairing.Open:
		return "?"
	}
	return CleanName(c.Entrants[i].Name)
}

// FormatPoints tournamentFormats points, which are multiples of one half.
func FormatPoints(points float64) string { return strconv.FormatFloat(points, 'f', -1, 64) }

// pairNames returns the names of a pair, the one that defends first before the other.
func pairNames(l i18n.Language, c *tournament.Tournament, p pairing.Pair) string {
	return entrantName(l, c, p.First) + " – " + entrantName(l, c, p.Second)
}

// gameResult returns the result of a game, or what it is waiting for.
func gameResult(l i18n.Language, c *tournament.Tournament, g tournament.Game) string {
	score := FormatPoints(g.Points[0]) + "–" + FormatPoints(g.Points[1])
	switch {
	case g.Ending == tournament.ByBye:
		return FormatPoints(g.Points[0])
	case g.Ending == tournament.ByForfeit:
		return score + " " + l.Text("forfeit")
	case g.Ending != tournament.Undecided:
		return score
	case g.Match != "":
		return l.Text("playing")
	case c.Phase != tournament.Running:
		return "…"
	}
	var absent []string
	for _, i := range []int{g.First, g.Second} {
		if !c.Entrants[i].Present {
			absent = append(absent, CleanName(c.Entrants[i].Name))
		}
	}
	if len(absent) == 0 {
		return l.Text("starts now")
	}
	return l.Text("waiting for %s", strings.Join(absent, ", "))
}

// NextOpponentText returns a sentence about the player's next match, or "" if there is none.
func NextOpponentText(l i18n.Language, c *tournament.Tournament, player string) string {
	i := c.EntrantIndex(player)
	if i < 0 || c.Phase == tournament.Over {
		return ""
	}
	for _, g := range c.RoundGames(c.Round) {
		switch {
		case !g.Has(i):
		case g.Ending == tournament.ByBye:
			return l.Text("You have a bye in this round.")
		case g.Ending != tournament.Undecided:
			return l.Text("You have finished this round.")
		default:
			other := g.Opponent(i)
			key := i18n.Key("Your next opponent is %s.")
			if !c.Entrants[other].Present && g.Match == "" {
				key = "Your next opponent is %s, who isn't here yet."
			}
			return l.Text(key, entrantName(l, c, other))
		}
	}
	return ""
}

// TournamentTableHeadings are the headings of TournamentTable.
var TournamentTableHeadings = []i18n.Key{"Place", "Name", "Points", "W-D-L", "Buchholz"}

// TournamentTableRows returns the rows of the table, best first: place, name, points, matches, and
// tie-break.
func TournamentTableRows(l i18n.Language, c *tournament.Tournament) (rows [][]string) {
	for _, r := range c.Table() {
		name := CleanName(r.Name)
		if r.Left {
			name += " " + l.Text("(left)")
		}
		rows = append(rows, []string{
			fmt.Sprint(r.Place), name, FormatPoints(r.Points), fmt.Sprintf("%d-%d-%d", r.Wins+r.Byes, r.Draws, r.Losses), FormatPoints(r.Buchholz),
		})
	}
	return rows
}

// TournamentRoundRows returns the rows of a round: the pair and the result. In a knockout, pairs of
// later rounds are included as far as they are known.
func TournamentRoundRows(l i18n.Language, c *tournament.Tournament, round int) (rows [][]string) {
	games := c.RoundGames(round)
	for _, g := range games {
		rows = append(rows, []string{pairNames(l, c, g.Pair), gameResult(l, c, g)})
	}
	bracket := c.Bracket()
	if len(games) == 0 && round < len(bracket) {
		for _, p := range bracket[round] {
			rows = append(rows, []string{pairNames(l, c, p), ""})
		}
	}
	return rows
}
