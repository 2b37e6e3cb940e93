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

// LimitPages lets the database grow no further, as if the disk were full;
// more than 0 lets it again.
func (s *Store) LimitPages(n int) error {
	if n == 0 {
		if err := s.write.QueryRow(`PRAGMA page_count`).Scan(&n); err != nil {
			return err
		}
	}
	var set int
	return s.write.QueryRow(`PRAGMA max_page_count(` + strconv.Itoa(n) + `)`).Scan(&set)
}
