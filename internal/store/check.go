package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
)

// Health is how a database is.
type Health struct {
	Schema, Newest int64     // version of its schema, and the one that this program makes
	Damage         []string  // what SQLite's own check has found; empty if all is well
	Bytes          int64     // of the file, or of the whole database
	Players        int       // accounts, but of the built-in bots
	Matches        int       // that have ended
	Last           time.Time // when the last of them ended; zero without one
}

// Check looks at the database in the data folder, or at the one in a file if
// the path is no folder, and changes nothing. A server may be at work on it. It
// reads all of the file, which takes a moment for a large one. Without a
// database the error is [fs.ErrNotExist].
func Check(ctx context.Context, path string) (Health, error) {
	h, err := check(ctx, path)
	if err != nil {
		return h, fmt.Errorf("checking the database %s: %w", path, explainSQLite(err))
	}
	return h, nil
}

func check(ctx context.Context, path string) (h Health, err error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		path = filepath.Join(path, FileName)
		info, err = os.Stat(path)
	}
	if err != nil {
		return h, err
	}
	if !info.Mode().IsRegular() {
		return h, ErrNotOurs
	}
	h.Bytes = info.Size()
	if path, err = filepath.Abs(path); err != nil {
		return h, err
	}
	if err := inspect(ctx, path, Config{}); err != nil {
		return h, err
	}
	options := url.Values{"mode": {"ro"}}
	_, noLog := os.Lstat(path + "-wal")
	if noLog != nil && !exists(path+"-journal") {
		options.Set("immutable", "1") // nobody uses it, and no files are made beside it
	}
	db, err := connect(path, 1, options)
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if h.Damage, err = damage(ctx, db); err != nil {
		return h, err
	}
	p, err := provider(goose.DialectSQLite3, db)
	if err != nil {
		return h, err
	}
	return h, h.count(ctx, db, p)
}

// maxDamage bounds what [Health] says of a damaged database.
const maxDamage = 20

// damage looks for everything that can be wrong with a database: its pages and
// indexes, references between tables, and the events of matches.
func damage(ctx context.Context, db *sql.DB) (found []string, err error) {
	if found, err = pragmaLines(ctx, db, fmt.Sprintf(`PRAGMA integrity_check(%d)`, maxDamage)); err != nil || len(found) > 0 {
		return found, err
	}
	if found, err = pragmaLines(ctx, db, `SELECT 'a row of the table ' || "table" || ' refers to one that is missing in ' || "parent" FROM pragma_foreign_key_check LIMIT 20`); err != nil || len(found) > 0 {
		return found, err
	}
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
		if _, _, err := unpack(events); err != nil {
			found = append(found, fmt.Sprintf("the record of the match %s: %v", id, err))
		}
	}
	return found, rows.Err()
}

// count fills in what there is.
func (h *Health) count(ctx context.Context, db *sql.DB, p *goose.Provider) (err error) {
	if h.Schema, h.Newest, err = versions(ctx, db, p); err != nil {
		return fmt.Errorf("%w: %w", ErrNotOurs, err)
	}
	var last int64
	if err := db.QueryRowContext(ctx, `SELECT (SELECT COUNT(*) FROM players WHERE kind <> 'bot'), COUNT(*), COALESCE(MAX(ended), 0) FROM matches`).
		Scan(&h.Players, &h.Matches, &last); err != nil {
		return err
	}
	h.Last = moment(last)
	return nil
}
