package command

import (
	"github.com/spf13/cobra"

	"broadside/lobby/session"
	"broadside/sshd"
)

func rename(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "rename OLD NEW",
		Short: c.lang.Text("rename a player"),
		Args:  atMost(2),
		RunE: c.run(func(args []string) error {
			if len(args) != 2 {
				return sshd.UsageErrorf("give the old name and the new one")
			}
			name, err := ask(c, func(own *session.Session) (string, error) { return own.RenamePlayer(c.ctx, args[0], args[1]) })
			if err != nil {
				return err
			}
			return c.print("renamed: %s is now %s", name, args[1])
		}),
	}
}
