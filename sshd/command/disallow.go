package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/session"
)

func init() { register(forOperators, 130, disallow) }

func disallow(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "disallow NAME|FINGERPRINT",
		Short: c.lang.Say("Take back allow"),
		Args:  atMost(1),
		RunE: c.run(func(args []string) error {
			name, err := one(args, "name a player")
			if err != nil {
				return err
			}
			if name, err = ask(c, session.Disallow{Name: name}); err != nil {
				return err
			}
			return c.print("no longer allowed: %s", name)
		}),
	}
}
