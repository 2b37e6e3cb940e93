package store

import "context"

// Relation stores, for each player, a set of other players. Both have accounts.
type Relation struct {
	db    *database
	table string
}

// Add adds another player to a player's set, unless it is in the set already. It returns
// [ErrNotFound] if an account does not exist.
func (r Relation) Add(ctx context.Context, player, other string) error {
	return r.db.update(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO `+r.table+` (player, other) VALUES ($1, $2) ON CONFLICT (player, other) DO NOTHING`, player, other)
		return err
	})
}

// Remove removes another player from a player's set, or returns [ErrNotFound].
func (r Relation) Remove(ctx context.Context, player, other string) error {
	return r.db.update(ctx, func(t *tx) error {
		return t.execOrNotFound(`DELETE FROM `+r.table+` WHERE player = $1 AND other = $2`, player, other)
	})
}

// List returns a player's set, ordered by name.
func (r Relation) List(ctx context.Context, player string) ([]Player, error) {
	return listRows(ctx, r.db, `SELECT `+playerColumns+` FROM `+r.table+` JOIN players ON players.id = `+r.table+`.other
		WHERE `+r.table+`.player = $1 ORDER BY players.folded`, []any{cleanText(player)}, (*Player).scanTargets)
}
