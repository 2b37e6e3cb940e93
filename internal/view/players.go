package view

import (
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/sanitize"
	"broadside/lobby/account"
	"broadside/lobby/daily"
)

// ProfileList lists a player's results by rule set.
var ProfileList = List[account.RulesProfile]{
	Columns: []Column{
		{Title: "Rules", Kind: Heading}, {Title: "Rating", Kind: Number},
		{Title: "Rated##matches", Kind: Number, Detail: true}, {Title: "Matches", Kind: Number},
		{Title: "Won", Kind: Number}, {Title: "Shots", Kind: Number, Detail: true},
		{Title: "Hits", Kind: Number, Detail: true}, {Title: "Hit rate", Kind: Number},
		{Title: "Accuracy", Kind: Number, Detail: true},
	},
	Cells: func(l i18n.Language, r account.RulesProfile) []string {
		rating, hitRate, accuracy := "", "", ""
		if r.Standing.RuleSet != "" {
			rating = narrate.RatingWithDeviation(r.Standing, time.Now())
		}
		if r.Shots > 0 {
			hitRate = narrate.PercentWithDecimal(l, r.HitRate())
		}
		if r.Reviewed > 0 {
			accuracy = narrate.Percent(l, r.Accuracy)
		}
		return []string{
			sanitize.Text(r.Name), DashIfEmpty(rating), formatNumber(l, r.Standing.Games), formatNumber(l, r.Games), formatNumber(l, r.Won),
			formatNumber(l, r.Shots), formatNumber(l, r.Hits), DashIfEmpty(hitRate), DashIfEmpty(accuracy),
		}
	},
}

// DailyList lists players who have sunk the fleet of a Daily sea.
var DailyList = List[daily.Row]{
	Columns: []Column{{Title: "Place"}, {Title: "Name", Kind: Heading}, {Title: "Shots", Kind: Number}},
	Cells: func(l i18n.Language, r daily.Row) []string {
		shots := formatNumber(l, r.Shots)
		if r.Own {
			shots += "  " + l.Text("you")
		}
		return []string{formatNumber(l, r.Place), sanitize.Text(r.Name), shots}
	},
}
