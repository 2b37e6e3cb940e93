package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/server"
	"broadside/internal/store"
)

// backupName is the time layout that gives a backup in a folder its name.
const backupName = "broadside-20060102T150405Z.db"

// errPostgres is returned because backup and restore support only SQLite.
var errPostgres = errors.New("the database is on a PostgreSQL server: use pg_dump and pg_restore")

// backupReport is the output of backup --json.
type backupReport struct {
	File    string `json:"file"`
	Bytes   int64  `json:"bytes"`
	Schema  int64  `json:"schema"`
	Players int    `json:"players"`
	Matches int    `json:"matches"`
}

func backupCommand() *cobra.Command {
	return makeReportCommand(&cobra.Command{
		Use:   "backup FILE|FOLDER",
		Short: "Back up the database to a file",
		Long: "Copies the database to a new file, even while the server runs, and checks the copy.\n" +
			"In a folder, the file is named after the time. \"broadside restore\" restores a backup.\n" +
			"Back up the host keys separately. They are files in the data folder.",
		Example: "  broadside backup broadside-backup.db --data /var/lib/broadside\n" +
			"  broadside backup /var/backups/broadside",
		Args: cobra.ExactArgs(1),
	}, []string{"data"}, func(ctx context.Context, cfg server.Config, args []string) (any, string, error) {
		if cfg.Store != "" {
			return nil, "", errPostgres
		}
		file := args[0]
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			file = filepath.Join(file, time.Now().UTC().Format(backupName))
		}
		if err := store.Backup(ctx, cfg.Data, file); err != nil {
			return nil, "", err
		}
		h, err := store.Check(ctx, file)
		if err != nil {
			return nil, "", err
		}
		if len(h.Damage) > 0 {
			return nil, "", fmt.Errorf("%w: %v: run broadside doctor", store.ErrDamaged, h.Damage)
		}
		text := fmt.Sprintf("%s is a copy of the database in %s: schema %d, players %d, matches %d.\n",
			file, cfg.Data, h.Schema, h.Players, h.Matches)
		report := backupReport{File: file, Bytes: h.Bytes, Schema: h.Schema, Players: h.Players, Matches: h.Matches}
		return report, text, nil
	})
}

// restoreReport is the output of restore --json.
type restoreReport struct {
	File string `json:"file"`
	Data string `json:"data"`
}

func restoreCommand() *cobra.Command {
	return makeReportCommand(&cobra.Command{
		Use:   "restore FILE",
		Short: "Replace the database with a backup, while no server runs",
		Long: "Checks a backup and replaces the database in the data folder with a copy of it. Stop\n" +
			"the server first.",
		Example: "  broadside restore broadside-backup.db --data /var/lib/broadside",
		Args:    cobra.ExactArgs(1),
	}, []string{"data"}, func(ctx context.Context, cfg server.Config, args []string) (any, string, error) {
		if cfg.Store != "" {
			return nil, "", errPostgres
		}
		text := fmt.Sprintf("The database in %s is now a copy of %s.\n", cfg.Data, args[0])
		return restoreReport{File: args[0], Data: cfg.Data}, text, store.Restore(ctx, args[0], cfg.Data)
	})
}
