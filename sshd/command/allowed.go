package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"broadside/internal/session"
	"broadside/tui/format"
)

func init() { register(forOperators, 140, allowed) }

func allowed(c *call) *cobra.Command {
	cmd := &cobra.Command{Use: "allowed [--json]", Short: c.lang.Text("players-admitted-during-a-lockdown"), Args: atMost(0)}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		names, err := ask(c, session.Allowed{})
		if err != nil {
			return err
		}
		if *asJSON {
			return c.json(names)
		}
		for _, n := range names {
			fmt.Fprintln(c.out, format.Clean(n, 40))
		}
		return nil
	})
	return cmd
}
