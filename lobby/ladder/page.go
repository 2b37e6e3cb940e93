package ladder

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

// Page describes one player on the ladder of a rule set.
type Page struct {
	Rules string `json:"rules"`
	Standing
	// Losses counts losses by their reason, see docs/records.md.
	Losses map[string]int `json:"losses"`
	// Opponents starts with the opponent of the most matches.
	Opponents []Opponent `json:"opponents"`
	// Last holds the last matches, newest first.
	Last []Game `json:"last_games"`
}

// LossReasons returns the keys of Losses, the most frequent ones first.
func (p *Page) LossReasons() []string {
	return slices.SortedFunc(maps.Keys(p.Losses), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.Losses[b], p.Losses[a]), cmp.Compare(a, b))
	})
}

// Opponent is a player's results against another one.
type Opponent struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
	Won   int    `json:"won"`
	Lost  int    `json:"lost"`
}

// Game is a ladder match of the player.
type Game struct {
	ID string `json:"id"`
	// Ended is in UTC.
	Ended    time.Time `json:"ended"`
	Opponent string    `json:"opponent"`
	// First reports that the player defended first.
	First bool `json:"first"`
	Won   bool `json:"won"`
	// Reason is why the match ended.
	Reason string `json:"reason"`
	// Shots is the number of the player's shots.
	Shots int `json:"shots"`
	// Rating is the player's rating after the match.
	Rating float64 `json:"rating"`
}

const lastGames = 20

// Page returns a player's page, or [store.ErrNotFound] if the player is not on the ladder. It waits
// for the database.
func (l *Ladder) Page(ctx context.Context, ruleSet, name string) (Page, error) {
	r, err := l.Report(ctx, ruleSet)
	if err != nil {
		return Page{}, err
	}
	at := slices.IndexFunc(r.Players, func(s Standing) bool { return strings.EqualFold(s.Name, name) })
	if at < 0 {
		return Page{}, store.ErrNotFound
	}
	p := Page{Rules: ruleSet, Standing: r.Players[at], Losses: map[string]int{}, Opponents: []Opponent{}, Last: []Game{}}
	tallies, err := l.store.Matches.LadderTallies(ctx, ruleSet, p.account)
	if err != nil {
		return Page{}, err
	}
	for _, t := range tallies {
		p.addTally(t)
	}
	slices.SortStableFunc(p.Opponents, func(a, b Opponent) int { return cmp.Compare(b.Games, a.Games) })
	last, err := l.store.Matches.LadderMatches(ctx, ruleSet, p.account, lastGames)
	if err != nil {
		return Page{}, err
	}
	for _, m := range last {
		p.Last = append(p.Last, newGame(m, p.account))
	}
	return p, nil
}

// addTally adds matches to the losses and opponents. The caller must add all tallies against one
// opponent before the next opponent's.
func (p *Page) addTally(t store.LadderTally) {
	if len(p.Opponents) == 0 || p.Opponents[len(p.Opponents)-1].Name != t.Opponent {
		p.Opponents = append(p.Opponents, Opponent{Name: t.Opponent})
	}
	o := &p.Opponents[len(p.Opponents)-1]
	o.Games += t.Matches
	if t.Won {
		o.Won += t.Matches
		return
	}
	o.Lost += t.Matches
	p.Losses[t.Reason] += t.Matches
}

func newGame(m store.Summary, account string) Game {
	side := match.First
	if m.Seats[1].Player == account {
		side = match.Second
	}
	return Game{
		ID: m.ID, Ended: m.EndTime().UTC(), Opponent: m.Seats[side.Other()].Name, First: side == match.First, Won: m.Winner == side,
		Reason: m.Reason.String(), Shots: m.Seats[side].Shots, Rating: m.Seats[side].After,
	}
}
