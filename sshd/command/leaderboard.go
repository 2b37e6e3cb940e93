package command

import (
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
	"broadside/tui/format"
)

func leaderboard(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "leaderboard [--rules RULES] [--of all|people|bots] [--limit N] [--json]",
		Short: c.lang.Text("the-best-players"),
		Args:  atMost(0),
	}
	rules, of := c.flags(cmd).rules(), cmd.Flags().String("of", "all", c.lang.Text("which-players-are-listed"))
	limit, asJSON := c.flags(cmd).limit(20), c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		r, err := match.Preset(*rules)
		if err != nil {
			return sshd.UsageError{Err: err}
		}
		board, ok := map[string]store.Category{"all": store.Everybody, "people": store.People, "bots": store.Machines}[*of]
		if !ok {
			return sshd.UsageErrorf("of-is-one-of-all")
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
			return c.print("no-players-are-ranked-in", r.Name)
		}
		rows := [][]string{c.heads("place", "name-capitals", "kind", "rating-capitals", "matches-capitals")}
		for i, s := range all {
			rows = append(rows, []string{c.number(i + 1), format.Clean(s.Name, 40), c.lang.Text(narrate.AccountKind(s.Kind)), narrate.Standing(s, time.Now()), c.number(s.Games)})
		}
		return c.table(rows)
	})
	return cmd
}
