package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"broadside/internal/store/schema"
)

// Health is a database's state.
type Health struct {
	// Schema is the schema's version, and Newest the newest version that this program knows.
	Schema, Newest int64
	// Damage lists the problems that the check found.
	Damage []string
	// Bytes is the size of the file or of the whole database.
	Bytes int64
	// Players counts the accounts without built-in bots.
	Players int
	// Matches counts the finished matches.
	Matches int
	// LastMatchEnd is when the newest match ended, or zero if there is none.
	LastMatchEnd time.Time

	// Of PostgreSQL only.
	// PostgresVersion is a major version such as 16.
	PostgresVersion int
	// ReadOnly is set if the database is a copy of another server's.
	ReadOnly bool
	// ServerClock is the time of the database server's clock.
	ServerClock time.Time
}

// Check looks for damage in the SQLite database in a data folder, or in the file path. It
// reads the whole database and changes nothing. A server may have the database open. The
// error is [fs.ErrNotExist] if there is no database.
func Check(ctx context.Context, path string) (h Health, err error) {
	defer annotate(&err, "check database %s", path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, FileName)
	}
	db, err := openForReading(ctx, path)
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	info, err := os.Stat(path)
	if err != nil {
		return h, err
	}
	h.Bytes = info.Size()
	h.Damage, err = findDamage(ctx, db)
	if err != nil {
		return h, err
	}
	sch, err := schema.NewSQLite(db)
	if err != nil {
		return h, err
	}
	return h, h.fillCounts(ctx, db, sch)
}

// maxDamage is the maximum length of [Health.Damage].
const maxDamage = 20

// findDamage looks for damaged pages and indexes, broken references between tables, and unreadable
// events. It returns at most maxDamage problems.
func findDamage(ctx context.Context, db *sql.DB) (found []string, err error) {
	for _, check := range []string{
		fmt.Sprintf(`PRAGMA integrity_check(%d)`, maxDamage),
		`SELECT 'a row of the table ' || "table" || ' refers to one that is missing in ' || "parent" FROM pragma_foreign_key_check LIMIT 20`,
	} {
		found, err = queryPragma(ctx, db, check)
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	// There are too many rows for scanAll.
	rows, err := db.QueryContext(ctx, `SELECT match, events FROM records`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() && len(found) < maxDamage {
		var id string
		var events []byte
		if err := rows.Scan(&id, &events); err != nil {
			return nil, err
		}
		if _, _, err := decodeRecord(events); err != nil {
			found = append(found, fmt.Sprintf("the record of the match %s: %v", id, err))
		}
	}
	return found, rows.Err()
}

func (h *Health) fillCounts(ctx context.Context, db *sql.DB, s *schema.Schema) (err error) {
	h.Schema, h.Newest, err = s.Versions(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotOurs, err)
	}
	var last int64
	if err := db.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM players WHERE kind <> 'bot'), COUNT(*), COALESCE(MAX(ended), 0) FROM matches`).
		Scan(&h.Players, &h.Matches, &last); err != nil {
		return err
	}
	h.LastMatchEnd = fromMicros(last)
	return nil
}
