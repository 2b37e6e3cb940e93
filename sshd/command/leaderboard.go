package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/store"
	"broadside/internal/view"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
)

func leaderboard(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "leaderboard [--rules RULES] [--of all|people|bots] [--limit N] [--json]",
		Short: c.lang.Text("show the best players"),
		Args:  atMost(0),
	}
	rules, of := c.flags(cmd).rules(), cmd.Flags().String("of", "all", c.lang.Text("who is listed: all, people or bots (default: all)"))
	limit, asJSON := c.flags(cmd).limit(20), c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		r, err := match.Preset(*rules)
		if err != nil {
			return sshd.UsageError{Err: err}
		}
		board, ok := map[string]store.Category{"all": store.Everybody, "people": store.People, "bots": store.Machines}[*of]
		if !ok {
			return sshd.UsageErrorf("--of must be all, people or bots")
		}
		if err := checkLimit(*limit); err != nil {
			return err
		}
		all, err := ask(c, func(own *session.Session) ([]store.Standing, error) {
			return own.Leaderboard(c.ctx, board, r.Name, *limit)
		})
		if err != nil {
			return err
		}
		if *asJSON {
			return c.json(export.Standings(all))
		}
		if len(all) == 0 {
			return c.print("No players are ranked in %s yet. Provisional ratings are not ranked.", r.Name)
		}
		return c.table(view.Table(c.lang, view.LeaderboardHeads, view.Leaderboard(c.lang, all)))
	})
	return cmd
}
