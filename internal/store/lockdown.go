package store

import "context"

// Lockdown stores which players may sign in during a lockdown.
type Lockdown struct{ db *database }

// Allow lets a player sign in during a lockdown. It returns [ErrNotFound] if the account
// does not exist.
func (l Lockdown) Allow(ctx context.Context, player, by string) (err error) {
	defer annotate(&err, "allowing %q", player)
	return l.db.update(ctx, func(t *tx) error {
		name, err := t.playerName(player)
		if err != nil {
			return err
		}
		if _, err := t.exec(`INSERT INTO allowed (player, actor, added) VALUES ($1, $2, $3) ON CONFLICT (player) DO NOTHING`,
			player, text(by), micros(now())); err != nil {
			return err
		}
		return t.logAct(Act{Actor: by, Act: "allow", Subject: name})
	})
}

// Disallow undoes Allow. It returns [ErrNotFound] if the player is not allowed.
func (l Lockdown) Disallow(ctx context.Context, player, by string) (err error) {
	defer annotate(&err, "disallowing %q", player)
	return l.db.update(ctx, func(t *tx) error { return t.undo("allowed", player, by, "disallow") })
}

// Allowed returns the players who may sign in during a lockdown, ordered by name.
func (l Lockdown) Allowed(ctx context.Context) (_ []Player, err error) {
	defer annotate(&err, "listing allowed players")
	return list(ctx, l.db, `SELECT `+playerColumns+` FROM allowed JOIN players ON players.id = allowed.player
		ORDER BY players.folded`, nil, (*Player).columns)
}
