// Package move copies the SQLite database of a data folder to an empty PostgreSQL database.
package move

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"broadside/internal/store"
)

// ErrNotEmpty is returned if a table of the target has rows.
var ErrNotEmpty = errors.New("the target database is not empty: choose a new one")

// Table is a table that has been copied.
type Table struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
}

// ToPostgres copies all tables of the database in a data folder to the database at a URL, in one
// transaction, and compares the numbers of rows. It changes nothing in the source. No server may use either
// database, and the source must exist. The error is [ErrNotEmpty] if the target has data.
func ToPostgres(ctx context.Context, folder, to string) (copied []Table, err error) {
	if _, err := store.Check(ctx, folder); err != nil {
		return nil, err
	}
	// Opening the stores brings both schemas to the newest version, and keeps servers away
	// from the source.
	source, err := store.Open(ctx, store.Config{Folder: folder, Exclusive: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := store.Open(ctx, store.Config{URL: to})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()

	file := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(folder, store.FileName)), RawQuery: "mode=ro&_busy_timeout=10000"}
	from, err := sql.Open("sqlite", file.String())
	if err != nil {
		return nil, err
	}
	defer from.Close()
	conn, err := pgx.Connect(ctx, to)
	if err != nil {
		return nil, fmt.Errorf("connect to the target: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	tx, err := conn.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) // no effect after Commit
	// Tables were created after those that they refer to.
	var tables string
	if err := from.QueryRowContext(ctx, `SELECT group_concat(name, ' ' ORDER BY rowid) FROM sqlite_schema
		WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version'`).Scan(&tables); err != nil {
		return nil, err
	}
	names := strings.Fields(tables)
	for _, name := range names {
		var used bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+quote(name)+`)`).Scan(&used); err != nil {
			return nil, fmt.Errorf("table %s of the target: %w", name, err)
		}
		if used {
			return nil, fmt.Errorf("table %s: %w", name, ErrNotEmpty)
		}
	}
	for _, name := range names {
		rows, err := copyTable(ctx, from, tx, name)
		if err != nil {
			return nil, fmt.Errorf("copy table %s: %w", name, err)
		}
		copied = append(copied, Table{name, rows})
	}
	return copied, tx.Commit(ctx)
}

func copyTable(ctx context.Context, from *sql.DB, to pgx.Tx, name string) (int64, error) {
	rows, err := from.QueryContext(ctx, `SELECT * FROM `+quote(name))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	types, err := rows.ColumnTypes()
	if err != nil {
		return 0, err
	}
	next := func() ([]any, error) {
		if !rows.Next() {
			return nil, rows.Err()
		}
		return scanRow(rows, types)
	}
	if _, err := to.CopyFrom(ctx, pgx.Identifier{name}, columns, pgx.CopyFromFunc(next)); err != nil {
		return 0, err
	}
	var here, there int64
	count := `SELECT COUNT(*) FROM ` + quote(name)
	if err := from.QueryRowContext(ctx, count).Scan(&here); err != nil {
		return 0, err
	}
	if err := to.QueryRow(ctx, count).Scan(&there); err != nil {
		return 0, err
	}
	if here != there {
		return 0, fmt.Errorf("the source has %d rows, the target %d", here, there)
	}
	return there, nil
}

// scanRow reads a row. SQLite has no values of the types BOOLEAN and BYTEA, but remembers which columns
// were declared with them.
func scanRow(rows *sql.Rows, types []*sql.ColumnType) ([]any, error) {
	values, to := make([]any, len(types)), make([]any, len(types))
	for i := range values {
		to[i] = &values[i]
	}
	if err := rows.Scan(to...); err != nil {
		return nil, err
	}
	for i, value := range values {
		declared := types[i].DatabaseTypeName()
		switch v := value.(type) {
		case int64:
			if declared == "BOOLEAN" {
				values[i] = v != 0
			}
		case string:
			if declared == "BYTEA" {
				values[i] = []byte(v)
			}
		}
	}
	return values, nil
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
