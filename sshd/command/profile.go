package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/text"
)

func profileCommand(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "profile [NAME] [--json]",
		Short: c.lang.Text("show ratings and statistics of a player (default: your own)"),
		Args:  atMost(1),
	}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.run(func(args []string) error {
		id, err := c.subject(args)
		if err != nil {
			return err
		}
		about, err := ask(c, func(own *session.Session) (account.Profile, error) { return own.Profile(c.ctx, id, false) })
		if err != nil {
			return err
		}
		if *asJSON {
			return c.json(export.ProfileOf(about))
		}
		return c.profile(about)
	})
	return cmd
}

// subject returns the account of the player in args, or else of the user.
func (c *call) subject(args []string) (string, error) {
	if len(args) == 0 {
		return c.ownAccount()
	}
	p, err := c.player(args[0])
	return p.ID, err
}

// formLetters are the letters of outcomes.
var formLetters = [...]i18n.Key{store.Lost: "L##lost", store.Won: "W##won", store.Drawn: "D##drawn"}

// profile writes a profile.
func (c output) profile(p account.Profile) error {
	c.print("%s, %s, since %s", text.Clean(p.Player.Name, 40), narrate.AccountKind(p.Player.Kind), c.lang.Date(p.Player.Created))
	var form []string
	for _, o := range p.Form {
		form = append(form, c.lang.Text(formLetters[o]))
	}
	if len(form) > 0 {
		c.print("results: %s (newest first; W won, L lost, D drawn)", strings.Join(form, " "))
	}
	if len(p.Rules) == 0 {
		return c.print("no matches yet")
	}
	fmt.Fprintln(c.out)
	rows := [][]string{c.heads("Rules", "Rating", "Rated##matches", "Matches", "Won", "Shots", "Hits", "Hit rate", "Accuracy")}
	for _, r := range p.Rules {
		rating := "–"
		if r.Standing.RuleSet != "" {
			rating = narrate.Standing(r.Standing, time.Now())
		}
		hitRate, accuracy := "–", "–"
		if r.Shots > 0 {
			hitRate = narrate.ExactPercent(c.lang, r.HitRate())
		}
		if r.Reviewed > 0 {
			accuracy = narrate.Percent(c.lang, r.Accuracy)
		}
		rows = append(rows, []string{
			text.Clean(r.Name, 40), rating, c.number(r.Standing.Games), c.number(r.Games), c.number(r.Won),
			c.number(r.Shots), c.number(r.Hits), hitRate, accuracy,
		})
	}
	err := c.table(rows)
	for _, r := range p.Rules {
		if first := favourites(r.Openings); len(first) > 0 {
			fmt.Fprintln(c.out)
			err = c.print("favourite first shots, %s: %s", text.Clean(r.Name, 40), strings.Join(first, ", "))
		}
	}
	return err
}

// favourites returns the five cells that were most often among the first shots.
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
