package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"broadside/internal/server"
	"broadside/internal/store"
)

// backupName is the time layout of the names of backups in a folder.
const backupName = "broadside-20060102T150405Z.db"

// errPostgres is returned because backup and restore support only SQLite.
var errPostgres = errors.New("the database is on a PostgreSQL server: use pg_dump and pg_restore")

func backupCommand() *cobra.Command {
	var options commandOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "backup FILE|FOLDER",
		Short: "Back up the database to a file",
		Long: "Copies a consistent snapshot of the database to a new file, even while the server\n" +
			"runs, and checks the copy. In a folder, the file is named after the time. \"broadside\n" +
			"restore\" restores a backup. Back up the host keys separately: they are files in the\n" +
			"data folder.",
		Example: "  broadside backup broadside-backup.db --data /var/lib/broadside\n" +
			"  broadside backup /var/backups/broadside",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := options.loadSQLite(c.Flags())
			if err != nil {
				return err
			}
			file := args[0]
			if info, err := os.Stat(file); err == nil && info.IsDir() {
				file = filepath.Join(file, time.Now().UTC().Format(backupName))
			}
			h, err := backUp(c.Context(), cfg.Data, file)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), backupReport{file, h.Bytes, h.Schema, h.Players, h.Matches})
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s is a copy of the database in %s: schema %d, players %d, matches %d.\n", file, cfg.Data, h.Schema, h.Players, h.Matches)
			return err
		},
	}
	jsonFlag(c, &asJSON)
	options.add(c, "data")
	return c
}

// backUp copies the database of a data folder to a file and checks the copy.
func backUp(ctx context.Context, data, file string) (store.Health, error) {
	if err := store.Backup(ctx, data, file); err != nil {
		return store.Health{}, err
	}
	h, err := store.Check(ctx, file)
	if err == nil && len(h.Damage) > 0 {
		err = fmt.Errorf("%w: %v: run broadside doctor", store.ErrDamaged, h.Damage)
	}
	return h, err
}

// backupReport is the output of backup --json.
type backupReport struct {
	File    string `json:"file"`
	Bytes   int64  `json:"bytes"`
	Schema  int64  `json:"schema"`
	Players int    `json:"players"`
	Matches int    `json:"matches"`
}

func restoreCommand() *cobra.Command {
	var options commandOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Replace the database with a backup, while no server runs",
		Long: "Checks a backup and replaces the database in the data folder with a copy of it. Stop\n" +
			"the server first.",
		Example: "  broadside restore broadside-backup.db --data /var/lib/broadside",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := options.loadSQLite(c.Flags())
			if err != nil {
				return err
			}
			if err := store.Restore(c.Context(), args[0], cfg.Data); err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), restoreReport{args[0], cfg.Data})
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "The database in %s is now a copy of %s.\n", cfg.Data, args[0])
			return err
		},
	}
	jsonFlag(c, &asJSON)
	options.add(c, "data")
	return c
}

// restoreReport is the output of restore --json.
type restoreReport struct {
	File string `json:"file"`
	Data string `json:"data"` // folder of the database
}

// loadSQLite loads the configuration of a server whose database is in the data folder.
func (o *commandOptions) loadSQLite(flags *pflag.FlagSet) (server.Config, error) {
	cfg, _, err := o.load(flags)
	if err == nil && cfg.Store != "" {
		err = errPostgres
	}
	return cfg, err
}
