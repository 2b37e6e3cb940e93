package store

import (
	"context"
	"time"
)

// Mute prevents a player from chatting.
type Mute struct {
	// Player is the account's ID.
	Player string
	Reason string
	// By is the operator's name.
	By string
	// Added is filled in by the store.
	Added time.Time
	// Expires is zero if the mute does not expire.
	Expires time.Time
}

// Mutes stores which players have been muted by operators.
type Mutes struct{ db *database }

// Add mutes a player and replaces any earlier mute. It returns [ErrNotFound] if the
// account does not exist.
func (ms Mutes) Add(ctx context.Context, m Mute) error {
	return ms.db.update(ctx, func(t *tx) error {
		name, err := t.playerName(m.Player)
		if err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO mutes (player, reason, actor, added, expires) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (player) DO UPDATE SET reason = excluded.reason, actor = excluded.actor,
			added = excluded.added, expires = excluded.expires`,
			m.Player, cleanText(m.Reason), cleanText(m.By), toMicros(now()), toMicros(m.Expires))
		if err != nil {
			return err
		}
		return t.addAuditEntry(Act{Actor: m.By, Verb: "mute", Subject: name, Details: describeExpiry(m.Expires, m.Reason)})
	})
}

// Remove unmutes a player, or returns [ErrNotFound] if the player is not muted.
func (ms Mutes) Remove(ctx context.Context, player, by string) error {
	return ms.db.update(ctx, func(t *tx) error {
		if err := t.execOrNotFound(`DELETE FROM mutes WHERE player = $1`, player); err != nil {
			return err
		}
		name, err := t.playerName(player)
		if err != nil {
			return err
		}
		return t.addAuditEntry(Act{Actor: by, Verb: "unmute", Subject: name})
	})
}

// ListActive returns the mutes that have not expired at a time, oldest first.
func (ms Mutes) ListActive(ctx context.Context, at time.Time) ([]Mute, error) {
	return listRows(ctx, ms.db, `SELECT player, reason, actor, added, expires FROM mutes
		WHERE expires = 0 OR expires > $1 ORDER BY added, player`, []any{toMicros(at)}, func(m *Mute) []any {
		return []any{&m.Player, &m.Reason, &m.By, scanTime(&m.Added), scanTime(&m.Expires)}
	})
}
