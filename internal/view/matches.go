package view

import (
	"fmt"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/sanitize"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/match"
)

// FinishedMatch is a row of [HistoryList].
type FinishedMatch struct {
	store.Summary
	Names [2]string
	// WinnerName may be "no one".
	WinnerName string
	// Ending says how the match ended.
	Ending string
}

// HistoryList lists finished matches.
var HistoryList = List[FinishedMatch]{
	Columns: []Column{
		{Title: "ID", Kind: Reference}, {Title: "Ended (UTC)"}, {Title: "Rules", Detail: true},
		{Title: "Players", Kind: Heading}, {Title: "Winner"}, {Title: "By##ending", Detail: true},
	},
	Cells: func(l i18n.Language, r FinishedMatch) []string {
		return []string{r.ID, FormatDateTime(l, r.EndTime()), r.RuleSet, MatchTitle(r.Names), r.WinnerName, r.Ending}
	},
}

// HistoryRows returns the rows of finished matches.
func HistoryRows(l i18n.Language, all []store.Summary) []FinishedMatch {
	rows := make([]FinishedMatch, len(all))
	for i, m := range all {
		m.RuleSet = sanitize.Text(m.RuleSet)
		r := FinishedMatch{Summary: m, WinnerName: l.Text("no one"), Ending: l.Text(narrate.ReasonWord(m.Reason))}
		for side, seat := range m.Seats {
			r.Names[side] = displayName(l, seat.Name, seat.Kind == store.Bot)
		}
		if m.Winner != match.Nobody {
			r.WinnerName = r.Names[m.Winner]
		}
		rows[i] = r
	}
	return rows
}

// MatchResult says who won a match, see [narrate.MatchResult].
func MatchResult(l i18n.Language, m store.Summary) string {
	if m.Winner == match.Nobody {
		return ""
	}
	return narrate.MatchResult(l, HistoryRows(l, []store.Summary{m})[0].Names, m.Winner, m.Reason, m.Seats[m.Winner].Shots)
}

// PlayerResult returns the result of the player with an account, such as "won +12". It is empty if the player
// did not take part.
func (m FinishedMatch) PlayerResult(l i18n.Language, player string) string {
	for side, seat := range m.Seats {
		if seat.Player != player {
			continue
		}
		if m.Winner == match.Nobody {
			return l.Text("no one won")
		}
		result := l.Text("lost")
		if m.Winner == match.Side(side) {
			result = l.Text("won")
		}
		if m.Rated {
			result = fmt.Sprintf("%s %+.0f", result, seat.After-seat.Before)
		}
		return result
	}
	return ""
}

// RunningMatch is a row of [MatchesList].
type RunningMatch struct {
	lobby.RunningMatch
	// Number is the position in the list, from 1.
	Number int
	// Names have ratings.
	Names [2]string
	// Terms are the rules, clock and rating mode.
	Terms string
	// Age is roughly how long the match has lasted.
	Age string
}

// MatchesList lists running matches.
var MatchesList = List[RunningMatch]{
	Columns: []Column{
		{Title: "No.", Kind: Reference}, {Title: "Players", Kind: Heading}, {Title: "Rules"},
		{Title: "Duration", Detail: true}, {Title: "Watching", Kind: Number}, {Title: "ID", Kind: Reference},
	},
	Cells: func(l i18n.Language, r RunningMatch) []string {
		return []string{formatNumber(l, r.Number), MatchTitle(r.Names), r.Terms, r.Age, formatNumber(l, r.Watching), r.ID}
	},
}

// MatchRows returns the rows of running matches.
func MatchRows(l i18n.Language, all []lobby.RunningMatch) []RunningMatch {
	rows := make([]RunningMatch, len(all))
	for i, m := range all {
		r := RunningMatch{
			RunningMatch: m, Number: i + 1, Terms: narrate.AppendStakes(l, narrate.MatchTerms(l, m.Rules), m.RatingMode),
			Age: narrate.DurationInMinutes(l, time.Since(m.Started)),
		}
		for side, p := range m.Players {
			r.Names[side] = NameWithRating(l, p, m.Rules)
		}
		rows[i] = r
	}
	return rows
}

// MatchTitle returns the names of two opponents as one text.
func MatchTitle(names [2]string) string { return names[0] + " – " + names[1] }
