// Package move copies the SQLite database of a data folder to an empty PostgreSQL database.
package move

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"

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

// Move copies all tables from the data folder to the database with a URL, in one transaction,
// and compares the numbers of rows. It changes nothing in the source. No server may use either
// database, and the source must exist. The error is [ErrNotEmpty] if the target has data.
func Move(ctx context.Context, folder, to string) (_ []Table, err error) {
	if _, err := store.Check(ctx, folder); err != nil {
		return nil, err
	}
	// Open stores keep servers away and bring both schemas to the newest version.
	source, err := store.Open(ctx, store.Config{Folder: folder, Exclusive: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := store.Open(ctx, store.Config{URL: to, Exclusive: true})
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
		return nil, fmt.Errorf("connecting to the target: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	c := copier{ctx: ctx}
	if c.from, err = from.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}); err != nil {
		return nil, err
	}
	defer c.from.Rollback()
	if c.to, err = conn.Begin(ctx); err != nil {
		return nil, err
	}
	defer c.to.Rollback(context.WithoutCancel(ctx))
	copied, err := c.tables()
	if err != nil {
		return nil, err
	}
	return copied, c.to.Commit(ctx)
}

// copier copies tables between two transactions.
type copier struct {
	ctx  context.Context
	from *sql.Tx
	to   pgx.Tx
}

// tables copies all tables, each after those that it refers to.
func (c *copier) tables() (copied []Table, err error) {
	names, err := c.names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		var used bool
		if err := c.to.QueryRow(c.ctx, `SELECT EXISTS (SELECT FROM `+quote(name)+`)`).Scan(&used); err != nil {
			return nil, fmt.Errorf("table %s of the target: %w", name, err)
		}
		if used {
			return nil, fmt.Errorf("table %s: %w", name, ErrNotEmpty)
		}
	}
	for _, name := range names {
		rows, err := c.table(name)
		if err != nil {
			return nil, fmt.Errorf("copying table %s: %w", name, err)
		}
		copied = append(copied, Table{name, rows})
	}
	return copied, nil
}

// names returns the tables in an order in which each follows those that it refers to.
func (c *copier) names() (ordered []string, err error) {
	all, err := c.column(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	var add func(string) error
	add = func(name string) error {
		if slices.Contains(ordered, name) {
			return nil
		}
		needs, err := c.column(`SELECT "table" FROM pragma_foreign_key_list($1)`, name)
		if err != nil {
			return err
		}
		for _, other := range needs {
			if other != name { // a table may refer to itself
				if err := add(other); err != nil {
					return err
				}
			}
		}
		ordered = append(ordered, name)
		return nil
	}
	for _, name := range all {
		if err := add(name); err != nil {
			return nil, err
		}
	}
	return ordered, nil
}

// column returns the rows of a query for one column.
func (c *copier) column(query string, args ...any) (all []string, err error) {
	rows, err := c.from.QueryContext(c.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}

// table copies a table and counts its rows on both sides.
func (c *copier) table(name string) (int64, error) {
	columns, err := c.column(`SELECT name FROM pragma_table_info($1) ORDER BY cid`, name)
	if err != nil {
		return 0, err
	}
	types, err := c.types(name)
	if err != nil {
		return 0, err
	}
	list := ""
	for i, column := range columns {
		if i > 0 {
			list += ", "
		}
		list += quote(column)
	}
	rows, err := c.from.QueryContext(c.ctx, `SELECT `+list+` FROM `+quote(name))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	if _, err := c.to.CopyFrom(c.ctx, pgx.Identifier{name}, columns, &reader{rows: rows, columns: columns, types: types}); err != nil {
		return 0, err
	}
	var here, there int64
	if err := c.from.QueryRowContext(c.ctx, `SELECT COUNT(*) FROM `+quote(name)).Scan(&here); err != nil {
		return 0, err
	}
	if err := c.to.QueryRow(c.ctx, `SELECT COUNT(*) FROM `+quote(name)).Scan(&there); err != nil {
		return 0, err
	}
	if here != there {
		return 0, fmt.Errorf("the source has %d rows, the target %d", here, there)
	}
	return there, nil
}

// types returns the types of a table's columns in the target.
func (c *copier) types(name string) (map[string]string, error) {
	rows, err := c.to.Query(c.ctx, `SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1`, name)
	if err != nil {
		return nil, err
	}
	types, column, kind := map[string]string{}, "", ""
	_, err = pgx.ForEachRow(rows, []any{&column, &kind}, func() error {
		types[column] = kind
		return nil
	})
	return types, err
}

// reader reads rows for [pgx.Tx.CopyFrom].
type reader struct {
	rows    *sql.Rows
	columns []string
	types   map[string]string
}

// Next implements [pgx.CopyFromSource].
func (r *reader) Next() bool { return r.rows.Next() }

// Err implements [pgx.CopyFromSource].
func (r *reader) Err() error { return r.rows.Err() }

// Values implements [pgx.CopyFromSource]. SQLite has no types for truth values, and may keep
// text in a column for bytes.
func (r *reader) Values() ([]any, error) {
	values, to := make([]any, len(r.columns)), make([]any, len(r.columns))
	for i := range values {
		to[i] = &values[i]
	}
	if err := r.rows.Scan(to...); err != nil {
		return nil, err
	}
	for i, column := range r.columns {
		switch v := values[i].(type) {
		case int64:
			if r.types[column] == "boolean" {
				values[i] = v != 0
			}
		case string:
			if r.types[column] == "bytea" {
				values[i] = []byte(v)
			}
		}
	}
	return values, nil
}

// quote returns a name as an identifier in SQL.
func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
