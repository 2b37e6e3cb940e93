package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"broadside/internal/config"
	"broadside/internal/store/move"
)

func moveCommand() *cobra.Command {
	var options commandOptions
	var asJSON bool
	var to string
	c := &cobra.Command{
		Use:   "move --to postgres://…",
		Short: "Copy the database from the data folder to PostgreSQL, while no server runs",
		Long: "Copies all accounts, matches, ratings and settings to an empty PostgreSQL database, and\n" +
			"compares the numbers of rows. The database in the data folder does not change. Stop the\n" +
			"server first, and then start it with --store and the same data folder: the first start\n" +
			"copies the host keys to the database.",
		Example: "  broadside move --to postgres://broadside@db.example.org/broadside --data /var/lib/broadside",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := options.loadSQLite(c.Flags())
			if err != nil {
				return err
			}
			tables, err := move.Move(c.Context(), cfg.Data, to)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), tables)
			}
			for _, t := range tables {
				fmt.Fprintf(c.OutOrStdout(), "%-15s %d\n", t.Name, t.Rows)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "All rows are copied. Start the server with --store %s.\n", to)
			return err
		},
	}
	c.Flags().Var(config.Address(&to, "postgres", "postgresql"), "to", "URL of the PostgreSQL database")
	_ = c.MarkFlagRequired("to") // fails only if there is no such flag
	jsonFlag(c, &asJSON)
	options.add(c, "data")
	return c
}
