// Package schema creates and upgrades the store's tables.
package schema

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Errors for databases that this program must not change.
var (
	ErrNewer   = errors.New("the database belongs to a newer version of Broadside: use that version, or restore an older backup")
	ErrForeign = errors.New("the file is not a database of Broadside")
)

// migrations are the same for both engines, except those in the folders sqlite and postgres.
//
//go:embed migrations/*.sql migrations/sqlite/*.sql migrations/postgres/*.sql
var migrations embed.FS

// Schema is the schema of an open database.
type Schema struct {
	db       *sql.DB
	provider *goose.Provider
	tables   string // query for the names of all tables
}

// NewSQLite returns the schema of a SQLite database.
func NewSQLite(db *sql.DB) (*Schema, error) {
	all, err := readMigrations("migrations/*.sql", "migrations/sqlite/*.sql")
	if err != nil {
		return nil, err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, nil, goose.WithGoMigrations(all...), goose.WithDisableGlobalRegistry(true))
	return &Schema{db, p, `SELECT name FROM sqlite_schema WHERE type = 'table'`}, err
}

// NewPostgres returns the schema of a PostgreSQL database.
func NewPostgres(db *sql.DB) (*Schema, error) {
	all, err := readMigrations("migrations/*.sql", "migrations/postgres/*.sql")
	if err != nil {
		return nil, err
	}
	// If several programs start at the same time, only one upgrades the schema.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300)) // seconds, times
	if err != nil {
		return nil, err
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, nil, goose.WithGoMigrations(all...), goose.WithDisableGlobalRegistry(true), goose.WithSessionLocker(locker))
	return &Schema{db, p, `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`}, err
}

// readMigrations returns the migrations in files, whose names start with the version. The database runs a
// file as a whole, because goose would split it into statements with buffers of 4 MB for each file.
func readMigrations(patterns ...string) (all []*goose.Migration, err error) {
	for _, pattern := range patterns {
		files, err := fs.Glob(migrations, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			version, err := goose.NumericComponent(name)
			if err != nil {
				return nil, err
			}
			all = append(all, goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
				statements, err := migrations.ReadFile(name)
				if err == nil {
					_, err = tx.ExecContext(ctx, string(statements))
				}
				if err != nil {
					err = fmt.Errorf("%s: %w", name, err)
				}
				return err
			}}, nil))
		}
	}
	return all, nil
}

// Exists reports whether the database has this program's tables. The error is
// [ErrForeign] if it has only other tables.
func (s *Schema) Exists(ctx context.Context) (bool, error) {
	var tables, ours int
	err := s.db.QueryRowContext(ctx, `SELECT COUNT(*), COUNT(CASE name WHEN 'goose_db_version' THEN 1 END) FROM (`+s.tables+`) AS tables`).
		Scan(&tables, &ours)
	if err == nil && ours == 0 && tables > 0 {
		err = ErrForeign
	}
	return ours > 0, err
}

// Versions returns an existing schema's version and the newest version that this program knows.
func (s *Schema) Versions(ctx context.Context) (version, newest int64, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version`).Scan(&version)
	for _, source := range s.provider.ListSources() {
		newest = max(newest, source.Version)
	}
	return version, newest, err
}

// Check is like Exists, but returns [ErrNewer] if this program does not know the schema's version.
func (s *Schema) Check(ctx context.Context) (exists bool, err error) {
	exists, err = s.Exists(ctx)
	if err != nil || !exists {
		return exists, err
	}
	version, newest, err := s.Versions(ctx)
	if err == nil && version > newest {
		err = fmt.Errorf("%w (its schema is %d, this program knows %d)", ErrNewer, version, newest)
	}
	return true, err
}

// Newest makes Upgrade carry out all migrations.
const Newest = math.MaxInt64

// Upgrade creates the schema if necessary, and upgrades it to a version. It does not change a newer schema.
func (s *Schema) Upgrade(ctx context.Context, version int64) error {
	if pending, err := s.provider.HasPending(ctx); err != nil || !pending {
		return err
	}
	_, err := s.provider.UpTo(ctx, version)
	return err
}
