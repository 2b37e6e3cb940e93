package command

import (
	"github.com/spf13/cobra"

	"broadside/lobby/session"
	"broadside/tui/text"
)

func unmute(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "unmute NAME|SESSION",
		Short: c.lang.Text("unmute a player"),
		Args:  atMost(1),
		RunE: c.named("name a player", func(name string) error {
			name, err := ask(c, func(own *session.Session) (string, error) { return own.UnmutePlayer(c.ctx, name) })
			if err != nil {
				return err
			}
			return c.print("no longer muted: %s", text.Clean(name, 40))
		}),
	}
}
