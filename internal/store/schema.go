package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// migrations are the same on every engine, except those in the folder postgres.
//
//go:embed migrations/*.sql migrations/postgres/*.sql
var migrations embed.FS

// provider returns what carries out the migrations.
func provider(d goose.Dialect, db *sql.DB, options ...goose.ProviderOption) (*goose.Provider, error) {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if d == goose.DialectPostgres {
		options = append(options, goose.WithGoMigrations(
			postgresMigration(7, "postgres/00007_cluster.sql", `DROP TABLE journal; DROP TABLE world`)))
	}
	return goose.NewProvider(d, db, folder, append(options, goose.WithDisableGlobalRegistry(true))...)
}

// postgresMigration returns a migration that is carried out on PostgreSQL only: up
// names a file of statements, down holds those that undo them.
func postgresMigration(version int64, up, down string) *goose.Migration {
	return goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		statements, err := migrations.ReadFile("migrations/" + up)
		if err == nil {
			_, err = tx.ExecContext(ctx, string(statements))
		}
		return err
	}}, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, down)
		return err
	}})
}

// versions returns the version of a database's schema and the newest known one.
func versions(ctx context.Context, db *sql.DB, p *goose.Provider) (version, newest int64, err error) {
	if err := db.QueryRowContext(ctx, `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version`).Scan(&version); err != nil {
		return 0, 0, err
	}
	for _, source := range p.ListSources() {
		newest = max(newest, source.Version)
	}
	return version, newest, nil
}

// checkVersion returns [ErrNewerSchema] if a schema is newer than this program.
func checkVersion(ctx context.Context, db *sql.DB, p *goose.Provider) error {
	version, newest, err := versions(ctx, db, p)
	if err == nil && version > newest {
		return fmt.Errorf("%w (its schema is %d, this program knows %d)", ErrNewerSchema, version, newest)
	}
	return err
}
