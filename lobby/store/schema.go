package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// The schema is the same on every engine.
//
//go:embed migrations/*.sql
var migrations embed.FS

// provider carries out the migrations.
func provider(d goose.Dialect, db *sql.DB, options ...goose.ProviderOption) (*goose.Provider, error) {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(d, db, folder, append(options, goose.WithDisableGlobalRegistry(true))...)
}

// known refuses a schema that is newer than this program.
func known(ctx context.Context, db *sql.DB, p *goose.Provider) error {
	var version, newest int64
	if err := db.QueryRowContext(ctx, `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version`).Scan(&version); err != nil {
		return err
	}
	for _, source := range p.ListSources() {
		newest = max(newest, source.Version)
	}
	if version > newest {
		return fmt.Errorf("%w (its schema is %d, this program knows %d)", ErrNewerSchema, version, newest)
	}
	return nil
}
