package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/sshd/command"
)

func nodesCommand() *cobra.Command {
	return makeReportCommand(&cobra.Command{
		Use:   "nodes",
		Short: "List all nodes with their roles, sessions and state",
		Long:  "Lists the nodes that use a PostgreSQL database. Each reports every two seconds.",
		Args:  cobra.NoArgs,
	}, []string{"store"}, func(ctx context.Context, cfg server.Config, _ []string) (any, string, error) {
		if cfg.Store == "" {
			return nil, "", errors.New("a server without a PostgreSQL database has no other nodes: " +
				"name the database with --store postgres://…, or run ssh HOST nodes")
		}
		list, err := store.OpenNodes(cfg.Store)
		if err != nil {
			return nil, "", err
		}
		defer list.Close()
		all, err := list.List(ctx)
		if err != nil {
			return nil, "", err
		}
		var text strings.Builder
		err = command.WriteNodeTable(&text, i18n.English, all, time.Now())
		return all, text.String(), err
	})
}
