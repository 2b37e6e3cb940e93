package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/session"
)

func init() { register(forOperators, 130, disallow) }

func disallow(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "disallow NAME|FINGERPRINT",
		Short: c.lang.Text("undo-allow"),
		Args:  atMost(1),
		RunE: c.named("name-a-player", func(name string) error {
			name, err := ask(c, session.Disallow{Name: name})
			if err != nil {
				return err
			}
			return c.print("no-longer-allowed-x", name)
		}),
	}
}
