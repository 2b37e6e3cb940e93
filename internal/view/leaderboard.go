package view

import (
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
)

// Ranked is a player on the leaderboard.
type Ranked struct {
	store.Standing
	Place    int
	Shown    string // name
	Type     string // person, program or bot
	Strength string // rating and deviation
}

// LeaderboardList lists the players of a leaderboard.
var LeaderboardList = List[Ranked]{
	Columns: []Column{
		{Title: "Place"}, {Title: "Name", Kind: Heading}, {Title: "Kind"}, {Title: "Rating", Kind: Number},
		{Title: "Matches", Kind: Number},
	},
	Cells: func(l i18n.Language, r Ranked) []string {
		return []string{number(l, r.Place), r.Shown, r.Type, r.Strength, number(l, r.Games)}
	},
}

// Leaderboard returns the players of a leaderboard, best first.
func Leaderboard(l i18n.Language, all []store.Standing) []Ranked {
	now := time.Now()
	rows := make([]Ranked, len(all))
	for i, s := range all {
		rows[i] = Ranked{
			Standing: s, Place: i + 1, Shown: name(l, s.Name, s.Kind == store.Bot), Type: l.Text(narrate.AccountKindName(s.Kind)),
			Strength: narrate.RatingWithDeviation(s, now),
		}
	}
	return rows
}
