package export

import (
	"math"
	"time"

	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/ladder"
)

// Profile is a player's profile.
type Profile struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	// Since is in UTC.
	Since string `json:"since"`
	// Form has the results won, lost and drawn, newest first.
	Form  []string       `json:"form"`
	Rules []ProfileRules `json:"rules"`
	// Streak is the number of last matches with the same result.
	Streak int `json:"streak"`
	// Opponents are those of the most matches, among the last 300.
	Opponents []ladder.Opponent `json:"opponents"`
}

// ProfileRules is a player's results in one rule set.
type ProfileRules struct {
	Rules string `json:"rules"`
	// Rating is null without rated matches.
	Rating *Standing `json:"rating"`
	Games  int       `json:"games"`
	Won    int       `json:"won"`
	Shots  int       `json:"shots"`
	Hits   int       `json:"hits"`
	// Accuracy is an average from 0 to 1. It is absent until a match is analysed.
	Accuracy *float64 `json:"accuracy,omitempty"`
	// Openings counts the matches in which a cell was among the first five shots.
	Openings map[string]int `json:"first_shots"`
	// Ratings are those after the rated matches among the last 300, oldest first.
	Ratings []float64 `json:"ratings"`
	// Results has the first shots' results in the last matches, best cell first.
	Results []CellResults `json:"first_shot_results"`
}

// CellResults counts the results of shots at a cell.
type CellResults struct {
	Cell  string `json:"cell"`
	Shots int    `json:"shots"`
	Hits  int    `json:"hits"`
}

var formWords = [...]string{store.Lost: "lost", store.Won: "won", store.Drawn: "drawn"}

// NewProfile converts a player's profile.
func NewProfile(p account.Profile) Profile {
	out := Profile{
		Name: p.Player.Name, Kind: string(p.Player.Kind), Since: p.Player.Created.UTC().Format(time.RFC3339),
		Form: []string{}, Rules: []ProfileRules{}, Streak: p.Career.Streak,
		Opponents: append([]ladder.Opponent{}, p.Career.Opponents...),
	}
	for _, o := range p.Form {
		out.Form = append(out.Form, formWords[o])
	}
	for _, r := range p.Rules {
		x := ProfileRules{
			Rules: r.Name, Games: r.Games, Won: r.Won, Shots: r.Shots, Hits: r.Hits,
			Accuracy: roundAccuracy(r.Reviewed, r.Accuracy), Openings: map[string]int{},
			Ratings: []float64{}, Results: []CellResults{},
		}
		for _, rating := range p.Career.Ratings[r.Name] {
			x.Ratings = append(x.Ratings, math.Round(rating))
		}
		for _, c := range r.FirstResults {
			x.Results = append(x.Results, CellResults{Cell: c.Cell.String(), Shots: c.Shots, Hits: c.Hits})
		}
		if r.Standing.RuleSet != "" {
			s := newStanding(r.Standing)
			x.Rating = &s
		}
		for cell, times := range r.FirstShots {
			x.Openings[cell.String()] = times
		}
		out.Rules = append(out.Rules, x)
	}
	return out
}
