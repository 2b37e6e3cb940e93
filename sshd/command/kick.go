package command

import (
	"github.com/spf13/cobra"

	"broadside/lobby/session"
)

func kick(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "kick NAME|SESSION",
		Short: c.lang.Text("end a player's sessions; they may reconnect"),
		Args:  atMost(1),
		RunE: c.named("name a player who is online", func(name string) error {
			n, err := ask(c, func(own *session.Session) (int, error) { return own.Kick(c.ctx, name) })
			if err != nil {
				return err
			}
			return c.print("kicked: %s (%s)", name, c.lang.Text("%d session||%d sessions", n))
		}),
	}
}
