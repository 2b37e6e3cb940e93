package view

import (
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
)

// RankedPlayer is a row of [LeaderboardList].
type RankedPlayer struct {
	store.Standing
	Place       int
	DisplayName string
	KindText    string
	// RatingText has the rating and its deviation.
	RatingText string
}

// LeaderboardList lists a leaderboard's players.
var LeaderboardList = List[RankedPlayer]{
	Columns: []Column{
		{Title: "Place"}, {Title: "Name", Kind: Heading}, {Title: "Kind"}, {Title: "Rating", Kind: Number},
		{Title: "Matches", Kind: Number},
	},
	Cells: func(l i18n.Language, r RankedPlayer) []string {
		return []string{formatNumber(l, r.Place), r.DisplayName, r.KindText, r.RatingText, formatNumber(l, r.Games)}
	},
}

// LeaderboardRows returns a leaderboard's players, which must be sorted, best first.
func LeaderboardRows(l i18n.Language, all []store.Standing) []RankedPlayer {
	now := time.Now()
	rows := make([]RankedPlayer, len(all))
	for i, s := range all {
		rows[i] = RankedPlayer{
			Standing: s, Place: i + 1, DisplayName: displayName(l, s.Name, s.Kind == store.Bot),
			KindText:   l.Text(narrate.AccountKindName(s.Kind)),
			RatingText: narrate.RatingWithDeviation(s, now),
		}
	}
	return rows
}
