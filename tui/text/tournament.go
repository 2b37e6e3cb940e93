package text

import (
	"fmt"
	"strconv"
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/pairing"
	"broadside/lobby/tournament"
)

var tournamentFormatNames = map[tournament.Format]i18n.Key{
	tournament.Swiss: "Swiss", tournament.RoundRobin: "round robin", tournament.Knockout: "knockout",
}

// TournamentFormatName returns the name of a tournament format.
func TournamentFormatName(l i18n.Language, f tournament.Format) string {
	return l.Text(tournamentFormatNames[f])
}

// TournamentState describes a tournament's state, such as "round 2 of 7".
func TournamentState(l i18n.Language, t *tournament.Tournament) string {
	switch t.Phase {
	case tournament.Joining:
		if !t.Starts.IsZero() {
			return l.Text("starts on %s", TournamentStart(l, t))
		}
		return l.Text("not started")
	case tournament.Over:
		if len(t.Games) == 0 {
			return l.Text("did not take place")
		}
		return l.Text("over")
	case tournament.Paused:
		return l.Text("paused")
	}
	return l.Text("round %d of %d", t.Round+1, max(t.RoundCount(), t.Round+1))
}

// TournamentStart returns when a tournament starts. The time must be set.
func TournamentStart(l i18n.Language, t *tournament.Tournament) string {
	return l.ShortDate(t.Starts) + t.Starts.UTC().Format(" 15:04 UTC")
}

// TournamentSummary returns a line with a tournament's format, rules, entrants and state.
func TournamentSummary(l i18n.Language, t *tournament.Tournament) string {
	return l.Text("%s, %s, %s, entrants: %d, %s", TournamentFormatName(l, t.Format), t.Rules.Name, l.Text(t.RatingMode.Word()), len(t.Entrants), TournamentState(l, t))
}

// TournamentName returns a tournament's name, safe to display.
func TournamentName(t *tournament.Tournament) string { return Clean(t.Name, tournament.MaxName) }

// entrantName returns the name of entrant i. The index may be [pairing.Bye] or [pairing.Open].
func entrantName(l i18n.Language, t *tournament.Tournament, i int) string {
	switch i {
	case pairing.Bye:
		return l.Text("bye")
	case pairing.Open:
		return "?"
	}
	return CleanName(t.Entrants[i].Name)
}

// FormatPoints formats points, which are multiples of one half.
func FormatPoints(points float64) string { return strconv.FormatFloat(points, 'f', -1, 64) }

// pairNames returns the names of both players. The first one defends first.
func pairNames(l i18n.Language, t *tournament.Tournament, p pairing.Pair) string {
	return entrantName(l, t, p.First) + " – " + entrantName(l, t, p.Second)
}

// gameResult returns a game's result, or whom it is waiting for.
func gameResult(l i18n.Language, t *tournament.Tournament, g tournament.Game) string {
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
	case t.Phase != tournament.Running:
		return "…"
	}
	var absent []string
	for _, i := range []int{g.First, g.Second} {
		if !t.Entrants[i].Present {
			absent = append(absent, CleanName(t.Entrants[i].Name))
		}
	}
	if len(absent) == 0 {
		return l.Text("starts now")
	}
	return l.Text("waiting for %s", strings.Join(absent, ", "))
}

// NextOpponentText returns a sentence about a player's next match in the tournament, or "" if there is none.
func NextOpponentText(l i18n.Language, t *tournament.Tournament, player string) string {
	i := t.EntrantIndex(player)
	if i < 0 || t.Phase == tournament.Over {
		return ""
	}
	for _, g := range t.RoundGames(t.Round) {
		if !g.Has(i) {
			continue
		}
		switch {
		case g.Ending == tournament.ByBye:
			return l.Text("You have a bye in this round.")
		case g.Ending != tournament.Undecided:
			return l.Text("You have finished this round.")
		default:
			other := g.Opponent(i)
			key := i18n.Key("Your next opponent is %s.")
			if !t.Entrants[other].Present && g.Match == "" {
				key = "Your next opponent is %s, who isn't here yet."
			}
			return l.Text(key, entrantName(l, t, other))
		}
	}
	return ""
}

// TournamentTableHeadings has the headings for TournamentTableRows.
var TournamentTableHeadings = []i18n.Key{"Place", "Name", "Points", "W-D-L", "Buchholz"}

// TournamentTableRows returns a row for each entrant, best first: place, name, points, results, and
// tie-break.
func TournamentTableRows(l i18n.Language, t *tournament.Tournament) (rows [][]string) {
	for _, r := range t.Table() {
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

// TournamentRoundRows returns a row for each game of a round: the pair and the result. For later rounds of a
// knockout, it returns the pairs that are known.
func TournamentRoundRows(l i18n.Language, t *tournament.Tournament, round int) (rows [][]string) {
	games := t.RoundGames(round)
	for _, g := range games {
		rows = append(rows, []string{pairNames(l, t, g.Pair), gameResult(l, t, g)})
	}
	bracket := t.Bracket()
	if len(games) == 0 && round < len(bracket) {
		for _, p := range bracket[round] {
			rows = append(rows, []string{pairNames(l, t, p), ""})
		}
	}
	return rows
}
