package store

import (
	"context"
	"time"
)

// Key is a public key of an account.
type Key struct {
	// Fingerprint identifies the key, such as SHA256:….
	Fingerprint string
	// Player is the account's ID.
	Player string
	// Label is a name that the key's owner chose.
	Label string
	Added time.Time
	// Used is when the key was used last.
	Used time.Time
}

// Keys stores the public keys with which people sign in.
type Keys struct{ db *database }

// Add adds a key to the account k.Player. It does not change a key that the account
// already has. The errors include [ErrKeyTaken] if the key belongs to another account,
// and [ErrNotFound] if the account does not exist.
func (ks Keys) Add(ctx context.Context, k Key) error {
	return ks.db.update(ctx, func(t *tx) error { return t.addKey(k) })
}

func (t *tx) addKey(k Key) error {
	at := toMicros(now())
	n, err := t.exec(`INSERT INTO keys (fingerprint, player, label, added, used) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (fingerprint) DO NOTHING`, cleanText(k.Fingerprint), k.Player, cleanText(k.Label), at, at)
	if err != nil {
		return err
	}
	if n > 0 {
		return t.claimMatches(k)
	}
	var owner string
	if err := t.get(`SELECT player FROM keys WHERE fingerprint = $1`, []any{cleanText(k.Fingerprint)}, &owner); err != nil {
		return err
	}
	if owner != k.Player {
		return ErrKeyTaken
	}
	return nil
}

// Remove removes a player's key. The errors include [ErrLastKey] if it is the player's
// only key, and [ErrNotFound] if the player does not have the key.
func (ks Keys) Remove(ctx context.Context, player, fingerprint string) error {
	return ks.db.update(ctx, func(t *tx) error {
		if err := t.execOrNotFound(`DELETE FROM keys WHERE fingerprint = $1 AND player = $2`, cleanText(fingerprint), player); err != nil {
			return err
		}
		var left int
		if err := t.get(`SELECT COUNT(*) FROM keys WHERE player = $1`, []any{player}, &left); err != nil {
			return err
		}
		if left == 0 {
			// The error undoes the removal.
			return ErrLastKey
		}
		return nil
	})
}

// MarkUsed records that a key was used now, or returns [ErrNotFound].
func (ks Keys) MarkUsed(ctx context.Context, fingerprint string) error {
	return ks.db.update(ctx, func(t *tx) error {
		return t.execOrNotFound(`UPDATE keys SET used = $1 WHERE fingerprint = $2`, toMicros(now()), cleanText(fingerprint))
	})
}

// ListByPlayer returns an account's keys, oldest first.
func (ks Keys) ListByPlayer(ctx context.Context, player string) ([]Key, error) {
	return listRows(ctx, ks.db, `SELECT fingerprint, player, label, added, used FROM keys
		WHERE player = $1 ORDER BY added, fingerprint`, []any{player}, func(k *Key) []any {
		return []any{&k.Fingerprint, &k.Player, &k.Label, scanTime(&k.Added), scanTime(&k.Used)}
	})
}
