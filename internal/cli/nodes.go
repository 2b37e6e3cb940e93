package cli

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/sshd/command"
)

func nodesCommand() *cobra.Command {
	var options commandOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "nodes",
		Short: "List the nodes of the service with their roles, sessions and state",
		Long:  "Lists the nodes that use a PostgreSQL database. Each reports every two seconds.",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			if cfg.Store == "" {
				return errors.New("a server without a PostgreSQL database has no other nodes: name the database with --store postgres://…, or run ssh HOST nodes")
			}
			list, err := store.OpenNodes(cfg.Store)
			if err != nil {
				return err
			}
			defer list.Close()
			all, err := list.List(c.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), all)
			}
			return command.WriteNodes(c.OutOrStdout(), i18n.English, all, time.Now())
		},
	}
	jsonFlag(c, &asJSON)
	options.add(c, "store")
	return c
}
