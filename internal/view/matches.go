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

// Finished is a finished match.
type Finished struct {
	store.Summary
	Names  [2]string // by side
	Victor string    // the winner's name, or "nobody"
	Ending string    // how the match ended
}

// HistoryList lists finished matches.
var HistoryList = List[Finished]{
	Columns: []Column{
		{Title: "ID", Kind: Reference}, {Title: "Ended (UTC)"}, {Title: "Rules", Detail: true},
		{Title: "Players", Kind: Heading}, {Title: "Winner"}, {Title: "By##ending", Detail: true},
	},
	Cells: func(l i18n.Language, r Finished) []string {
		return []string{r.ID, Stamp(l, r.EndTime()), r.RuleSet, versus(r.Names), r.Victor, r.Ending}
	},
}

// History returns finished matches.
func History(l i18n.Language, all []store.Summary) []Finished {
	rows := make([]Finished, len(all))
	for i, m := range all {
		m.RuleSet = sanitize.Text(m.RuleSet)
		r := Finished{Summary: m, Victor: l.Text("nobody"), Ending: l.Text(narrate.ReasonWord(m.Reason))}
		for side, seat := range m.Seats {
			r.Names[side] = name(l, seat.Name, seat.Kind == store.Bot)
		}
		if m.Winner != match.Nobody {
			r.Victor = r.Names[m.Winner]
		}
		rows[i] = r
	}
	return rows
}

// ResultOf returns what the match meant for the player with an account, such as "won +12". It is empty if
// the player did not take part.
func (r Finished) ResultOf(l i18n.Language, player string) string {
	for side, seat := range r.Seats {
		if seat.Player != player {
			continue
		}
		if r.Winner == match.Nobody {
			return l.Text("nobody won")
		}
		result := l.Text("lost")
		if r.Winner == match.Side(side) {
			result = l.Text("won")
		}
		if r.Rated {
			result = fmt.Sprintf("%s %+.0f", result, seat.After-seat.Before)
		}
		return result
	}
	return ""
}

// Running is a running match.
type Running struct {
	lobby.Running
	Number int       // in the list, from 1
	Names  [2]string // with ratings
	Terms  string    // rules, clock and stakes
	Age    string    // roughly how long it has lasted
}

// MatchesList lists running matches.
var MatchesList = List[Running]{
	Columns: []Column{
		{Title: "No.", Kind: Reference}, {Title: "Players", Kind: Heading}, {Title: "Rules"},
		{Title: "Duration", Detail: true}, {Title: "Watching", Kind: Number}, {Title: "ID", Kind: Reference},
	},
	Cells: func(l i18n.Language, r Running) []string {
		return []string{number(l, r.Number), versus(r.Names), r.Terms, r.Age, number(l, r.Watching), r.ID}
	},
}

// Matches returns running matches.
func Matches(l i18n.Language, all []lobby.Running) []Running {
	rows := make([]Running, len(all))
	for i, m := range all {
		r := Running{
			Running: m, Number: i + 1, Terms: narrate.AppendStakes(l, narrate.MatchTerms(l, m.Rules), m.Stakes),
			Age: narrate.DurationInMinutes(l, time.Since(m.Started)),
		}
		for side, p := range m.Players {
			r.Names[side] = RatedName(l, p, m.Rules)
		}
		rows[i] = r
	}
	return rows
}

// versus returns the names of two opponents.
func versus(names [2]string) string { return names[0] + " – " + names[1] }
