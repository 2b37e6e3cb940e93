package view

import (
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/ladder"
	"broadside/match"
)

// LadderList lists the players on the ladder.
var LadderList = List[ladder.Standing]{
	Columns: []Column{
		{Title: "Place"}, {Title: "Name", Kind: Heading}, {Title: "Kind", Detail: true}, {Title: "Rating", Kind: Number},
		{Title: "Matches", Kind: Number}, {Title: "Won", Kind: Number}, {Title: "Online"},
	},
	Cells: func(l i18n.Language, p ladder.Standing) []string {
		online := ""
		if p.Online {
			online = "•"
		}
		return []string{
			formatNumber(l, p.Place), LadderName(l, p.Name), l.Text(narrate.AccountKindName(store.Kind(p.Kind))), p.RatingText(),
			formatNumber(l, p.Games), formatNumber(l, p.Won), online,
		}
	},
}

// LadderName returns the name of a player on the ladder, who may be a bot.
func LadderName(l i18n.Language, s string) string {
	return narrate.BotName(l, displayName(l, s, false))
}

// LadderFacts returns sentences about a player on the ladder: the place, the matches, and why the player lost.
func LadderFacts(l i18n.Language, p *ladder.Page) []string {
	facts := []string{
		l.Text("%s is number %d on the ladder in %s, rated %s.", LadderName(l, p.Name), p.Place, p.Rules, p.RatingText()),
		l.Text("Matches: %d, won: %d, lost: %d.", p.Games, p.Won, p.Lost),
	}
	for _, reason := range p.LossReasons() {
		facts = append(facts, l.Text("Losses: %d (%s)", p.Losses[reason], endingText(l, reason)))
	}
	return facts
}

func endingText(l i18n.Language, reason string) string {
	why, _ := match.ParseReason(reason)
	return l.Text(narrate.ReasonWord(why))
}

// LadderOpponentsList lists a ladder player's opponents.
var LadderOpponentsList = List[ladder.Opponent]{
	Columns: []Column{
		{Title: "Opponent", Kind: Heading}, {Title: "Matches", Kind: Number}, {Title: "Won", Kind: Number},
		{Title: "Lost", Kind: Number},
	},
	Cells: func(l i18n.Language, o ladder.Opponent) []string {
		return []string{LadderName(l, o.Name), formatNumber(l, o.Games), formatNumber(l, o.Won), formatNumber(l, o.Lost)}
	},
}

// LadderMatchesList lists a ladder player's last matches.
var LadderMatchesList = List[ladder.Game]{
	Columns: []Column{
		{Title: "ID", Kind: Reference}, {Title: "Ended (UTC)", Detail: true}, {Title: "Opponent", Kind: Heading},
		{Title: "Result"}, {Title: "By##ending"}, {Title: "Shots", Kind: Number},
	},
	Cells: func(l i18n.Language, g ladder.Game) []string {
		result, ending := LadderResult(l, g)
		return []string{g.ID, FormatDateTime(l, g.Ended), LadderName(l, g.Opponent), result, ending, formatNumber(l, g.Shots)}
	},
}

// LadderResult returns a ladder player's result in a match, and how the match ended.
func LadderResult(l i18n.Language, g ladder.Game) (result, ending string) {
	if g.Won {
		return l.Text("won"), endingText(l, g.Reason)
	}
	return l.Text("lost"), endingText(l, g.Reason)
}
