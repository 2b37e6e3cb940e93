package store

import (
	"context"
	"strconv"
)

// LimitPages keeps the database from growing, as if the disk were full, or allows it
// again.
func (s *Store) LimitPages(limit bool) error {
	return s.db.update(context.Background(), func(t *tx) error {
		pages := 1 << 30
		if limit {
			if err := t.get(`PRAGMA page_count`, nil, &pages); err != nil {
				return err
			}
		}
		return t.get(`PRAGMA max_page_count(`+strconv.Itoa(pages)+`)`, nil, new(int))
	})
}

// DamageRecord replaces a match's record.
func (s *Store) DamageRecord(match string) error {
	return s.db.update(context.Background(), func(t *tx) error {
		_, err := t.exec(`UPDATE records SET events = $1 WHERE match = $2`, []byte("damaged"), match)
		return err
	})
}

// Stall renames a player and stalls in the transaction until it is woken up.
func (s *Store) Stall(player string, asleep chan<- struct{}, wake <-chan struct{}) error {
	return s.db.update(context.Background(), func(t *tx) error {
		if err := t.rename(player, "", "stalled"); err != nil {
			return err
		}
		close(asleep)
		<-wake
		return nil
	})
}

// FirstShotPlan returns how the database runs the query of [Statistics.FirstShotResults].
func (s *Store) FirstShotPlan(ctx context.Context) (steps []string, err error) {
	type row struct {
		id, parent, unused int
		detail             string
	}
	rows, err := listRows(ctx, s.db, `EXPLAIN QUERY PLAN `+firstShotResults, []any{"x", "classic", HotSeat, 9},
		func(r *row) []any { return []any{&r.id, &r.parent, &r.unused, &r.detail} })
	for _, r := range rows {
		steps = append(steps, r.detail)
	}
	return steps, err
}
