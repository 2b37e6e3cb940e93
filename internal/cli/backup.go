package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/store"
)

// backupName is how backups in a folder are called: they sort by age.
const (
	backupName  = "broadside-20060102T150405Z.db"
	backupNames = "broadside-????????T??????Z.db"
)

// errElsewhere is why a database is not backed up or restored here.
var errElsewhere = errors.New("the database is on a PostgreSQL server: use pg_dump and pg_restore, which come with it")

func backupCommand() *cobra.Command {
	var options commandOptions
	var keep int
	c := &cobra.Command{
		Use:   "backup FILE|FOLDER",
		Short: "Copy the database to a file, while the server runs",
		Long: "Copies the database as it is at one moment to a file that is not there yet,\n" +
			"while a server may be at work on it, and checks the copy. In a folder the file\n" +
			"is called after the time; with --keep, only the newest ones stay there.\n" +
			"\"broadside restore\" puts a backup back. The host keys are files of their own in\n" +
			"the data folder.",
		Example: "  broadside backup broadside-backup.db --data /var/lib/broadside\n" +
			"  broadside backup /var/backups/broadside --keep 30",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			if cfg.Store != "" {
				return errElsewhere
			}
			file, folder := args[0], ""
			if info, err := os.Stat(file); err == nil && info.IsDir() {
				folder, file = file, filepath.Join(file, time.Now().UTC().Format(backupName))
			} else if keep > 0 {
				return fmt.Errorf("--keep: %s is no folder", file)
			}
			if err := store.Backup(c.Context(), cfg.Data, file); err != nil {
				return err
			}
			h, err := store.Check(c.Context(), file)
			if err == nil && len(h.Damage) > 0 {
				err = fmt.Errorf("%w: %v: run broadside doctor", store.ErrDamaged, h.Damage)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s is a copy of the database in %s: schema %d, players %d, matches %d.\n", file, cfg.Data, h.Schema, h.Players, h.Matches)
			return removeOldBackups(folder, keep)
		},
	}
	c.Flags().IntVar(&keep, "keep", 0, "how many backups to keep in the folder, 0 for all")
	options.flags(c.Flags())
	return c
}

// removeOldBackups leaves the newest backups in a folder.
func removeOldBackups(folder string, keep int) error {
	if folder == "" || keep <= 0 {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(folder, backupNames))
	if err != nil {
		return fmt.Errorf("looking for old backups: %w", err)
	}
	slices.Sort(files)
	for _, f := range files[:max(0, len(files)-keep)] {
		if err := os.Remove(f); err != nil {
			return fmt.Errorf("removing an old backup: %w", err)
		}
	}
	return nil
}

func restoreCommand() *cobra.Command {
	var options commandOptions
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the database, while no server runs",
		Long: "Checks a backup and puts a copy of it in the place of the database. What was\n" +
			"there is kept beside it under another name. A server must not be running.",
		Example: "  broadside restore broadside-backup.db --data /var/lib/broadside",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, _, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			if cfg.Store != "" {
				return errElsewhere
			}
			aside, err := store.Restore(c.Context(), args[0], cfg.Data)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s is the database in %s now.\n", args[0], cfg.Data)
			if aside != "" {
				fmt.Fprintf(c.OutOrStdout(), "What was there is %s.\n", aside)
			}
			return nil
		},
	}
	options.flags(c.Flags())
	return c
}
