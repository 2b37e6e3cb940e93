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

// Health is the state of a database.
type Health struct {
	Schema, Newest int64     // version of the schema, and the newest version known to this program
	Damage         []string  // problems found by the check
	Bytes          int64     // size of the file or of the whole database
	Players        int       // accounts, except those of built-in bots
	Matches        int       // finished matches
	LastMatchEnd   time.Time // end of the most recent match; zero if there is none

	// Of PostgreSQL only.
	PostgresVersion int       // such as 16
	ReadOnly        bool      // a copy of another server
	ServerClock     time.Time // the database server's
}

// Check looks for damage in the SQLite database in a data folder, or in the file path. It
// reads the whole database and changes nothing. A server may have the database open. The
// error is [fs.ErrNotExist] if there is no database.
func Check(ctx context.Context, path string) (h Health, err error) {
	defer annotate(&err, "checking the database %s", path)
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

// findDamage looks for damaged pages and indexes, broken references between tables, and
// unreadable match events.
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
	rows, err := db.QueryContext(ctx, `SELECT match, events FROM records`) // too many rows for scanAll
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
