package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/session"
)

func init() { register(forOperators, 30, kick) }

func kick(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "kick NAME|SESSION",
		Short: c.lang.Say("End somebody's sessions; they may come back"),
		Args:  atMost(1),
		RunE: c.named("name somebody who is here", func(name string) error {
			n, err := ask(c, session.Kick{Name: name})
			if err != nil {
				return err
			}
			return c.print("kicked: %s (%s)", name, c.lang.Say("%d sessions", n))
		}),
	}
}
