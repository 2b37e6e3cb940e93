package store

import (
	"context"
	"encoding/json"
	"time"
)

// Tournaments stores tournaments as JSON values, by their codes. Each world runs its own. All worlds can
// read those that are over. The table is called cups, like tournaments in earlier versions.
type Tournaments struct {
	db    *database
	world string
}

// World returns the world's name.
func (ts Tournaments) World() string { return ts.world }

// KeptTournaments is how many of an owner's tournaments the store keeps once they are over.
const KeptTournaments = 20

// Save stores a tournament. Those of the server have no owner. If it is over, Save removes the owner's oldest tournaments beyond
// [KeptTournaments]. The server keeps that many in each world.
func (ts Tournaments) Save(ctx context.Context, code, owner string, created time.Time, over bool, tournament json.RawMessage) error {
	return ts.db.update(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO cups (code, owner, over, created, cup, world) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (code) DO UPDATE SET over = excluded.over, cup = excluded.cup`, code, nullIfEmpty(owner), over, toMicros(created), string(tournament), ts.world)
		if err != nil || !over {
			return err
		}
		condition, value := `owner = $1`, owner
		if owner == "" {
			condition, value = `owner IS NULL AND world = $1`, ts.world
		}
		_, err = t.exec(`DELETE FROM cups WHERE `+condition+` AND over = TRUE AND code NOT IN
			(SELECT code FROM cups WHERE `+condition+` AND over = TRUE ORDER BY created DESC, code LIMIT $2)`, value, KeptTournaments)
		return err
	})
}

// ListUnfinished returns the tournaments that are not over, oldest first.
func (ts Tournaments) ListUnfinished(ctx context.Context) ([]json.RawMessage, error) {
	return listRows(ctx, ts.db, `SELECT cup FROM cups WHERE over = FALSE AND world = $1 ORDER BY created, code`, []any{ts.world},
		func(tournament *json.RawMessage) []any { return []any{scanJSON(tournament)} })
}

// Get returns the tournament with a code, or [ErrNotFound].
func (ts Tournaments) Get(ctx context.Context, code string) (tournament json.RawMessage, err error) {
	err = ts.db.get(ctx, `SELECT cup FROM cups WHERE code = $1 AND (over = TRUE OR world = $2)`, []any{cleanText(code), ts.world}, scanJSON(&tournament))
	return tournament, err
}
