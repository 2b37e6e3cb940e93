package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/config"
	"broadside/internal/server"
	"broadside/internal/store/move"
)

func moveCommand() *cobra.Command {
	var to string
	c := makeReportCommand(&cobra.Command{
		Use:   "move --to postgres://…",
		Short: "Copy the database from the data folder to PostgreSQL, while no server runs",
		Long: "Copies all accounts, matches, ratings and settings to an empty PostgreSQL database, and\n" +
			"compares the numbers of rows. The database in the data folder does not change. Stop the\n" +
			"server first, and then start it with --store and the same data folder: the first start\n" +
			"copies the host keys to the database.",
		Example: "  broadside move --to postgres://broadside@db.example.org/broadside --data /var/lib/broadside",
		Args:    cobra.NoArgs,
	}, []string{"data"}, func(ctx context.Context, cfg server.Config, _ []string) (any, string, error) {
		if cfg.Store != "" {
			return nil, "", errPostgres
		}
		tables, err := move.ToPostgres(ctx, cfg.Data, to)
		var text strings.Builder
		for _, t := range tables {
			fmt.Fprintf(&text, "%-15s %d\n", t.Name, t.Rows)
		}
		fmt.Fprintf(&text, "Copied all rows. Start the server with --store %s.\n", to)
		return tables, text.String(), err
	})
	c.Flags().Var(config.URLValue(&to, "postgres", "postgresql"), "to", "URL of the PostgreSQL database")
	_ = c.MarkFlagRequired("to")
	return c
}
