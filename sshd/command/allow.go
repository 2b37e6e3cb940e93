package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/session"
)

func init() { register(forOperators, 120, allow) }

func allow(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "allow NAME|FINGERPRINT",
		Short: c.lang.Say("Let a player in during a lockdown"),
		Args:  atMost(1),
		RunE: c.run(func(args []string) error {
			name, err := one(args, "name a player")
			if err != nil {
				return err
			}
			if name, err = ask(c, session.Allow{Name: name}); err != nil {
				return err
			}
			return c.print("allowed: %s", name)
		}),
	}
}
