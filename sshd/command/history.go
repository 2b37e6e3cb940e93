package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/store"
	"broadside/internal/view"
	"broadside/lobby/session"
)

func games(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "history [NAME] [--limit N] [--json]",
		Aliases: []string{"games"}, // its name in version 1
		Short:   c.lang.Text("list the newest matches of everyone, or of one player"),
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
			return c.print("No match has finished yet.")
		}
		return c.table(view.Table(c.lang, view.HistoryHeads, view.History(c.lang, all)))
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
