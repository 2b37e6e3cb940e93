package store

import (
	"context"
	"database/sql"
	"path/filepath"
	"strconv"

	"github.com/pressly/goose/v3"
)

// UpTo brings a database to a version of the schema, and no further.
func UpTo(ctx context.Context, cfg Config, version int64) error {
	dialect := goose.DialectPostgres
	open := func() (*sql.DB, error) { return sql.Open("pgx", cfg.URL) }
	if cfg.URL == "" {
		dialect = goose.DialectSQLite3
		open = func() (*sql.DB, error) { return connect(filepath.Join(cfg.Folder, FileName), 1, nil) }
	}
	db, err := open()
	if err != nil {
		return err
	}
	defer db.Close()
	p, err := provider(dialect, db)
	if err != nil {
		return err
	}
	_, err = p.UpTo(ctx, version)
	return err
}

// Versions are all versions of the schema, oldest first.
func Versions() (all []int64, err error) {
	db, err := connect("nowhere", 1, nil)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	p, err := provider(goose.DialectSQLite3, db)
	if err != nil {
		return nil, err
	}
	for _, source := range p.ListSources() {
		all = append(all, source.Version)
	}
	return all, nil
}

// LimitPages lets the database grow no further, as if the disk were full, or
// again.
func (s *Store) LimitPages(limit bool) error {
	return s.db.change(context.Background(), func(t *tx) error {
		pages := 1 << 30
		if limit {
			if err := t.get(`PRAGMA page_count`, nil, &pages); err != nil {
				return err
			}
		}
		return t.get(`PRAGMA max_page_count(`+strconv.Itoa(pages)+`)`, nil, new(int))
	})
}

// Stall renames a player, and then stands still in the middle of writing until
// it is woken up.
func (s *Store) Stall(player string, asleep chan<- struct{}, wake <-chan struct{}) error {
	return s.db.change(context.Background(), func(t *tx) error {
		if err := t.rename(player, "stalled"); err != nil {
			return err
		}
		close(asleep)
		<-wake
		return nil
	})
}

// SlotsTaken returns how many matches have a slot in the tail.
func (s *Store) SlotsTaken() int {
	return len(s.Running.tail.Without(nil))
}
