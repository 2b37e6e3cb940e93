package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"broadside/internal/owner"
	"broadside/internal/store/schema"
)

// Restore checks a backup and replaces the SQLite database in a folder with a copy of it.
// The error is [ErrInUse] if a server is using the folder. A backup that is refused leaves
// the database unchanged.
func Restore(ctx context.Context, file, folder string) (err error) {
	defer annotate(&err, "restore %s to %s", file, folder)
	backup, err := openForReading(ctx, file)
	if err != nil {
		return err
	}
	defer backup.Close()
	found, err := findDamage(ctx, backup)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		return fmt.Errorf("%w: %s", ErrDamaged, strings.Join(found, "; "))
	}
	if err := checkSchema(ctx, backup); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	held, err := lockFolder(folder)
	if err != nil {
		return err
	}
	defer held.Close()
	partial, err := writePartialBackup(ctx, backup, folder)
	if err != nil {
		return err
	}
	owner.CopyFolderOwner(partial)
	target := filepath.Join(folder, FileName)
	// SQLite would apply a remaining file to the restored database.
	for _, suffix := range []string{"-wal", "-journal", "-shm"} {
		if err := os.Remove(target + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, os.Remove(partial))
		}
	}
	if err := os.Rename(partial, target); err != nil {
		return errors.Join(err, os.Remove(partial))
	}
	return syncFolder(folder)
}

// checkSchema returns [ErrForeignSchema] if a backup's tables, indexes, views or triggers differ from
// Broadside's. Others could change what the server stores.
func checkSchema(ctx context.Context, backup *sql.DB) error {
	sch, err := schema.NewSQLite(backup)
	if err != nil {
		return err
	}
	version, _, err := sch.Versions(ctx)
	if err != nil {
		return err
	}
	own, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	defer own.Close()
	// Each connection to :memory: has its own database.
	own.SetMaxOpenConns(1)
	sch, err = schema.NewSQLite(own)
	if err != nil {
		return err
	}
	if err := sch.Upgrade(ctx, version); err != nil {
		return err
	}
	want, err := schemaParts(ctx, own)
	if err != nil {
		return err
	}
	got, err := schemaParts(ctx, backup)
	if err != nil {
		return err
	}
	for name, text := range got {
		if want[name] != text {
			return fmt.Errorf("%w: %s", ErrForeignSchema, name)
		}
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			return fmt.Errorf("%w: %s is missing", ErrForeignSchema, name)
		}
	}
	return nil
}

var sqlComments = regexp.MustCompile(`--[^\n]*|(?s)/\*.*?\*/`)

// schemaParts returns the SQL of tables, indexes, views and triggers by name, without comments and spaces.
// It leaves out those that SQLite and goose create.
func schemaParts(ctx context.Context, db *sql.DB) (map[string]string, error) {
	type part struct{ kind, name, text string }
	rows, err := db.QueryContext(ctx, `SELECT type, name, COALESCE(sql, '') FROM sqlite_schema
		WHERE type IN ('view', 'trigger') OR name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name <> 'goose_db_version'`)
	all, err := scanRows(rows, err, func(p *part) []any { return []any{&p.kind, &p.name, &p.text} })
	parts := map[string]string{}
	for _, p := range all {
		parts["the "+p.kind+" "+p.name] = strings.Join(strings.Fields(sqlComments.ReplaceAllString(p.text, " ")), "")
	}
	return parts, err
}
