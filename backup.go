package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"broadside/config"
	"broadside/lobby/store"
)

func backupCommand() *cobra.Command {
	var data string
	c := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to a file, while the server runs",
		Long: "Copies the database as it is at one moment to a file that is not there yet,\n" +
			"while a server may be at work on it. To restore it, put it in an empty data\n" +
			"folder under the name " + store.FileName + ". The host key is a file of its own there.",
		Example: "  broadside backup broadside-backup.db --data /var/lib/broadside",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := config.Environment(c.Flags(), os.LookupEnv); err != nil {
				return err
			}
			if err := store.Backup(c.Context(), data, args[0]); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s is a copy of the database in %s.\n", args[0], data)
			return nil
		},
	}
	c.Flags().StringVar(&data, "data", "data", "data folder of the server")
	return c
}
