package store

import (
	"context"
	"strconv"
)

// UpTo brings a database in a folder to a version of the schema, and no
// further.
func UpTo(ctx context.Context, file string, version int64) error {
	db, err := connect(file, 1, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	p, err := provider(db)
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
	p, err := provider(db)
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
	return s.change(context.Background(), func(t *tx) error {
		pages := 1 << 30
		if limit {
			if err := t.get(`PRAGMA page_count`, nil, &pages); err != nil {
				return err
			}
		}
		return t.get(`PRAGMA max_page_count(`+strconv.Itoa(pages)+`)`, nil, new(int))
	})
}
