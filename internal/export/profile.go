package export

import (
	"time"

	"broadside/internal/store"
	"broadside/lobby/account"
)

// Profile is a player's profile.
type Profile struct {
	Name  string         `json:"name"`
	Kind  string         `json:"kind"`
	Since string         `json:"since"` // UTC
	Form  []string       `json:"form"`  // newest first: won, lost or drawn
	Rules []ProfileRules `json:"rules"`
}

// ProfileRules is a player's results in one rule set.
type ProfileRules struct {
	Rules    string         `json:"rules"`
	Rating   *Standing      `json:"rating"` // null without rated matches
	Games    int            `json:"games"`
	Won      int            `json:"won"`
	Shots    int            `json:"shots"`
	Hits     int            `json:"hits"`
	Accuracy *float64       `json:"accuracy,omitempty"` // average, from 0 to 1, or absent until a match is analysed
	Openings map[string]int `json:"first_shots"`        // matches in which a cell was among the first five shots
}

var formWords = [...]string{store.Lost: "lost", store.Won: "won", store.Drawn: "drawn"}

// NewProfile converts a player's profile.
func NewProfile(p account.Profile) Profile {
	out := Profile{
		Name: p.Player.Name, Kind: string(p.Player.Kind), Since: p.Player.Created.UTC().Format(time.RFC3339),
		Form: []string{}, Rules: []ProfileRules{},
	}
	for _, o := range p.Form {
		out.Form = append(out.Form, formWords[o])
	}
	for _, r := range p.Rules {
		x := ProfileRules{
			Rules: r.Name, Games: r.Games, Won: r.Won, Shots: r.Shots, Hits: r.Hits,
			Accuracy: roundAccuracy(r.Reviewed, r.Accuracy), Openings: map[string]int{},
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
