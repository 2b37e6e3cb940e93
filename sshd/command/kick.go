package command

import (
	"github.com/spf13/cobra"

	"broadside/lobby/session"
)

func kick(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "kick NAME|SESSION",
		Short: c.lang.Text("end-a-players-sessions-they"),
		Args:  atMost(1),
		RunE: c.named("name-a-player-who-is", func(name string) error {
			n, err := ask(c, func(own *session.Session) (int, error) { return own.Kick(c.ctx, name) })
			if err != nil {
				return err
			}
			return c.print("kicked-x-x", name, c.lang.Text("n-sessions", n))
		}),
	}
}
