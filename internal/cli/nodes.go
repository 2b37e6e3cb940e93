package cli

import (
	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/sshd/command"
)

func nodesCommand() *cobra.Command {
	var options commandOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "nodes",
		Short: "List the nodes of the service with their roles, sessions and state",
		Long: "Asks the server that uses the data folder on this machine about all nodes of the\n" +
			"service. Only the server's user and root can run it.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := options.askServer(c)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), r)
			}
			return command.WriteNodes(c.OutOrStdout(), i18n.English, r)
		},
	}
	jsonFlag(c, &asJSON)
	options.add(c, "data")
	return c
}
