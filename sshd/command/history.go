package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/format"
)

func games(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "history [NAME] [--limit N] [--json]",
		Aliases: []string{"games"}, // its name in version 1
		Short:   c.lang.Text("the-newest-matches-of-all"),
		Args:    atMost(1),
	}
	limit, asJSON := c.flags(cmd).limit(20), c.flags(cmd).json()
	cmd.RunE = c.run(func(args []string) error {
		if err := checkLimit(*limit); err != nil {
			return err
		}
		all, err := c.games(args, *limit)
		if err != nil {
			return err
		}
		if *asJSON {
			return c.json(export.Summaries(all))
		}
		if len(all) == 0 {
			return c.print("no-match-has-ended-yet")
		}
		rows := [][]string{c.heads("id", "ended-utc", "rules-capitals", "players", "winner", "by-how-a-match-ended")}
		for _, m := range all {
			winner := c.lang.Text("nobody")
			if m.Winner != match.Nobody {
				winner = format.Clean(m.Seats[m.Winner].Name, 40)
			}
			rows = append(rows, []string{
				m.ID, c.stamp(m.Ended()), format.Clean(m.RuleSet, 40),
				format.Clean(m.Seats[0].Name, 40) + " – " + format.Clean(m.Seats[1].Name, 40), winner, c.lang.Text(narrate.Reason(m.Reason)),
			})
		}
		return c.table(rows)
	})
	return cmd
}

// games returns the latest matches, of the player in args if there is one.
func (c *call) games(args []string, limit int) ([]store.Summary, error) {
	of := ""
	if len(args) > 0 {
		p, err := c.player(args[0])
		if err != nil {
			return nil, err
		}
		of = p.ID
	}
	return ask(c, func(own *session.Session) ([]store.Summary, error) {
		return own.Games(c.ctx, of, store.Cursor{}, limit)
	})
}
