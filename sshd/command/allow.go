package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/session"
)

func init() { register(forOperators, 120, allow) }

func allow(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "allow NAME|FINGERPRINT",
		Short: c.lang.Text("admit-a-player-during-a"),
		Args:  atMost(1),
		RunE: c.named("name-a-player", func(name string) error {
			name, err := ask(c, session.Allow{Name: name})
			if err != nil {
				return err
			}
			return c.print("allowed-x", name)
		}),
	}
}
