package view

import (
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/sanitize"
	"broadside/lobby"
	"broadside/match"
)

// ShortID returns the first letters of a correspondence match's or an offer's ID. Players see at most fifty
// matches and about a hundred offers, so two of them hardly ever share six letters.
func ShortID(id string) string { return id[:min(len(id), 6)] }

// TurnsList lists a player's correspondence matches.
var TurnsList = List[lobby.CorrespondenceMatch]{
	Columns: []Column{
		{Title: "ID", Kind: Reference}, {Title: "Opponent", Kind: Heading}, {Title: "Rules"},
		{Title: "Whose turn"}, {Title: "Time left"},
	},
	Cells: func(l i18n.Language, m lobby.CorrespondenceMatch) []string {
		turn := l.Text("yours##turn")
		if !m.IsTurn {
			turn = l.Text("opponent's##turn")
		}
		return []string{
			ShortID(m.ID), sanitize.Text(m.Opponent), CorrespondenceTerms(l, m.Rules, m.Pace, m.Mode),
			turn, narrate.TimeLeft(l, time.Until(m.Deadline)),
		}
	},
}

// CorrespondenceOffersList lists offers of correspondence matches.
var CorrespondenceOffersList = List[lobby.CorrespondenceOffer]{
	Columns: []Column{
		{Title: "ID", Kind: Reference}, {Title: "Player", Kind: Heading}, {Title: "For##offer"}, {Title: "Rules"},
	},
	Cells: func(l i18n.Language, o lobby.CorrespondenceOffer) []string {
		who := l.Text("anyone##offer")
		switch {
		case o.IsForReader:
			who = l.Text("you##offer")
		case o.Opponent != "":
			who = sanitize.Text(o.Opponent)
		}
		return []string{ShortID(o.ID), sanitize.Text(o.Player), who, CorrespondenceTerms(l, o.Rules, o.Pace, o.Mode)}
	},
}

// CorrespondenceTerms names a correspondence match's rules, its pace, and whether it is rated.
func CorrespondenceTerms(l i18n.Language, r match.Rules, pace time.Duration, mode lobby.RatingMode) string {
	terms := l.Text("%s, %d day per shot||%s, %d days per shot", sanitize.Text(r.Name), narrate.DayCount(pace))
	return narrate.AppendStakes(l, terms, mode)
}
