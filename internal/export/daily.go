package export

import (
	"broadside/lobby/daily"
)

// DailyLeaderboard is a day's standings of the Daily sea.
type DailyLeaderboard struct {
	Day      string     `json:"day"`
	Finished int        `json:"finished"`
	Best     []DailyRow `json:"best"`
	// Newcomers are players who are not ranked.
	Newcomers []DailyRow `json:"newcomers"`
	// You is null without an account.
	You *DailyYou `json:"you"`
	// DayBefore is the previous day's winner, or null.
	DayBefore *DailyRow `json:"day_before"`
}

// DailyRow is a player in a day's standings.
type DailyRow struct {
	Place int    `json:"place,omitempty"`
	Name  string `json:"name"`
	Shots int    `json:"shots"`
}

// DailyYou is the user's own result.
type DailyYou struct {
	// Place is null until the user has finished, and for players who are not ranked.
	Place   *int   `json:"place"`
	Shots   int    `json:"shots"`
	Done    bool   `json:"done"`
	Blocks  string `json:"blocks"`
	Streak  int    `json:"streak"`
	Longest int    `json:"longest_streak"`
}

// NewDailyLeaderboard converts a day's standings.
func NewDailyLeaderboard(d daily.Leaderboard) DailyLeaderboard {
	row := func(r daily.Row) DailyRow { return DailyRow{r.Place, r.Name, r.Shots} }
	out := DailyLeaderboard{Day: d.Day, Finished: d.Finished, Best: []DailyRow{}, Newcomers: []DailyRow{}}
	for _, r := range d.Newcomers {
		out.Newcomers = append(out.Newcomers, row(r))
	}
	for _, r := range d.Best {
		out.Best = append(out.Best, row(r))
	}
	if d.Yesterday.Place > 0 {
		before := row(d.Yesterday)
		out.DayBefore = &before
	}
	if d.Own.Own {
		out.You = &DailyYou{Shots: d.Own.Shots, Done: d.Done, Blocks: d.Blocks, Streak: d.Streak, Longest: d.Longest}
		if d.Own.Place > 0 {
			out.You.Place = &d.Own.Place
		}
	}
	return out
}
