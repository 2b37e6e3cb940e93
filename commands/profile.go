package commands

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"broadside/lobby/store"
	"broadside/match"
	"broadside/tui"
)

var profile = command{
	name: "profile", args: "[NAME] [--json]",
	about: "Ratings and figures of a player, or of oneself", most: 1,
	set: func(f *pflag.FlagSet) func(*call) error {
		asJSON := jsonFlag(f)
		return func(c *call) error {
			p, err := c.subject()
			if err != nil {
				return err
			}
			about, err := tui.ReadProfile(c.ctx, c.cfg.Store, p)
			if err != nil {
				return err
			}
			if *asJSON {
				return c.json(profileJSON(about))
			}
			return c.profile(about)
		}
	},
}

// subject is the player who is named, or else who asks.
func (c *call) subject() (store.Player, error) {
	if len(c.args) > 0 {
		return c.player(c.args[0])
	}
	if c.who.Fingerprint == "" {
		return store.Player{}, usageError("you have come without a key, so nobody knows you: name a player")
	}
	p, err := c.cfg.Store.PlayerByKey(c.ctx, c.who.Fingerprint)
	if errors.Is(err, store.ErrNotFound) {
		return p, failure("you have no account yet: come in once with ssh -t HOST, or name a player")
	}
	return p, err
}

// player is the account with a name.
func (c *call) player(name string) (store.Player, error) {
	p, err := c.cfg.Store.PlayerByName(c.ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return p, failure(fmt.Sprintf("there is no player called %q: ssh HOST leaderboard lists some", name))
	}
	return p, err
}

// formLetters are outcomes as letters.
var formLetters = [...]string{store.Lost: "L", store.Won: "W", store.Drawn: "D"}

func (c *call) profile(p tui.Profile) error {
	fmt.Fprintf(c.out, "%s, %s, since %s\n", tui.Clean(p.Player.Name, 40), p.Player.Kind, p.Player.Created.UTC().Format("2 January 2006"))
	var form []string
	for _, o := range p.Form {
		form = append(form, formLetters[o])
	}
	if len(form) > 0 {
		fmt.Fprintf(c.out, "form: %s (newest first; W won, L lost, D drawn)\n", strings.Join(form, " "))
	}
	if len(p.Rules) == 0 {
		_, err := fmt.Fprintln(c.out, "no matches yet")
		return err
	}
	fmt.Fprintln(c.out)
	rows := [][]string{{"RULES", "RATING", "RATED", "GAMES", "WON", "SHOTS", "HITS", "HIT RATE"}}
	for _, r := range p.Rules {
		rating := "–"
		if r.Standing.Games > 0 {
			rating = ratingText(r.Standing)
		}
		rows = append(rows, []string{
			tui.Clean(r.Name, 40), rating, strconv.Itoa(r.Standing.Games), strconv.Itoa(r.Games), strconv.Itoa(r.Won),
			strconv.Itoa(r.Shots), strconv.Itoa(r.Hits), fmt.Sprintf("%.1f %%", 100*r.HitRate()),
		})
	}
	if err := c.table(rows); err != nil {
		return err
	}
	for _, r := range p.Rules {
		if first := favourites(r.Openings); len(first) > 0 {
			fmt.Fprintf(c.out, "\nfavourite first shots, %s: %s\n", tui.Clean(r.Name, 40), strings.Join(first, ", "))
		}
	}
	return nil
}

// favourites are the cells shot at first most often, the best five.
func favourites(openings map[match.Cell]int) []string {
	type favourite struct {
		cell  match.Cell
		times int
	}
	var all []favourite
	for cell, times := range openings {
		all = append(all, favourite{cell, times})
	}
	slices.SortFunc(all, func(a, b favourite) int {
		return cmp.Or(cmp.Compare(b.times, a.times), cmp.Compare(a.cell.Y, b.cell.Y), cmp.Compare(a.cell.X, b.cell.X))
	})
	var out []string
	for _, f := range all[:min(len(all), 5)] {
		out = append(out, fmt.Sprintf("%v (%d)", f.cell, f.times))
	}
	return out
}

type profileRules struct {
	Rules    string         `json:"rules"`
	Rating   *standing      `json:"rating"` // null without rated games
	Games    int            `json:"games"`
	Won      int            `json:"won"`
	Shots    int            `json:"shots"`
	Hits     int            `json:"hits"`
	Openings map[string]int `json:"first_shots"` // matches in which a cell was among the first five shots
}

type profileOut struct {
	Name  string         `json:"name"`
	Kind  string         `json:"kind"`
	Since string         `json:"since"`
	Form  []string       `json:"form"` // newest first: won, lost or drawn
	Rules []profileRules `json:"rules"`
}

var formWords = [...]string{store.Lost: "lost", store.Won: "won", store.Drawn: "drawn"}

func profileJSON(p tui.Profile) profileOut {
	out := profileOut{
		Name: p.Player.Name, Kind: string(p.Player.Kind), Since: p.Player.Created.UTC().Format("2006-01-02T15:04:05Z"),
		Form: []string{}, Rules: []profileRules{},
	}
	for _, o := range p.Form {
		out.Form = append(out.Form, formWords[o])
	}
	for _, r := range p.Rules {
		x := profileRules{Rules: r.Name, Games: r.Games, Won: r.Won, Shots: r.Shots, Hits: r.Hits, Openings: map[string]int{}}
		if r.Standing.Games > 0 {
			s := standings([]store.Standing{r.Standing})[0]
			s.Place, s.Name, s.Kind = 0, "", ""
			x.Rating = &s
		}
		for cell, times := range r.Openings {
			x.Openings[cell.String()] = times
		}
		out.Rules = append(out.Rules, x)
	}
	return out
}
