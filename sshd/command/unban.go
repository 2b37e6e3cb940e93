package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/session"
)

func unban(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "unban NAME|FINGERPRINT|ADDRESS[/PREFIX]",
		Short: c.lang.Text("remove bans"),
		Args:  atMost(1),
		RunE: c.run(func(args []string) error {
			s, err := c.banSubject(args)
			if err != nil {
				return err
			}
			lifted, err := ask(c, func(own *session.Session) ([]store.Ban, error) { return own.Unban(c.ctx, s) })
			if err != nil {
				return err
			}
			if len(lifted) == 0 {
				return i18n.Errorf("%q is not banned: ssh HOST bans lists all bans", args[0])
			}
			for _, b := range lifted {
				c.print("no longer banned: %s", b.Subject())
			}
			return nil
		}),
	}
}
