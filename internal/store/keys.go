package store

import (
	"context"
	"fmt"
	"time"
)

// Key is a public key that opens an account.
type Key struct {
	Fingerprint string // such as SHA256:…, the same for the same key
	Player      string // the ID of its account
	Label       string // for its owner to know it by
	Added       time.Time
	Used        time.Time // last
}

// AddKey lets one more key open a player's account. A key that does already
// stays as it is; one that opens another account is [ErrKeyTaken].
func (s *Store) AddKey(ctx context.Context, k Key) error {
	if err := s.change(ctx, func(t *tx) error { return t.addKey(k) }); err != nil {
		return fmt.Errorf("adding the key %q: %w", k.Fingerprint, err)
	}
	return nil
}

func (t *tx) addKey(k Key) error {
	var id string
	if err := t.get(`SELECT id FROM players WHERE id = $1`, []any{k.Player}, &id); err != nil {
		return err
	}
	at := micros(now())
	n, err := t.exec(`INSERT INTO keys (fingerprint, player, label, added, used) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (fingerprint) DO NOTHING`, text(k.Fingerprint), k.Player, text(k.Label), at, at)
	if err != nil || n > 0 {
		return err
	}
	if err := t.get(`SELECT player FROM keys WHERE fingerprint = $1`, []any{text(k.Fingerprint)}, &id); err != nil {
		return err
	}
	if id != k.Player {
		return ErrKeyTaken
	}
	return nil
}

// RemoveKey takes a key away from a player, who must have another one:
// [ErrLastKey]. A key that is not the player's is [ErrNotFound].
func (s *Store) RemoveKey(ctx context.Context, player, fingerprint string) error {
	err := s.change(ctx, func(t *tx) error {
		if err := t.must(`DELETE FROM keys WHERE fingerprint = $1 AND player = $2`, text(fingerprint), player); err != nil {
			return err
		}
		var left int
		if err := t.get(`SELECT COUNT(*) FROM keys WHERE player = $1`, []any{player}, &left); err != nil {
			return err
		}
		if left == 0 {
			return ErrLastKey // which brings the key back
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("removing the key %q: %w", fingerprint, err)
	}
	return nil
}

// KeyUsed notes that a key has opened its account just now.
func (s *Store) KeyUsed(ctx context.Context, fingerprint string) error {
	err := s.change(ctx, func(t *tx) error {
		return t.must(`UPDATE keys SET used = $1 WHERE fingerprint = $2`, micros(now()), text(fingerprint))
	})
	if err != nil {
		return fmt.Errorf("noting the use of the key %q: %w", fingerprint, err)
	}
	return nil
}

// Keys are the keys that open an account, oldest first.
func (s *Store) Keys(ctx context.Context, player string) ([]Key, error) {
	keys, err := list(ctx, s, `SELECT fingerprint, player, label, added, used FROM keys
		WHERE player = $1 ORDER BY added, fingerprint`, []any{player}, func(scan func(...any) error) (Key, error) {
		var k Key
		var added, used int64
		err := scan(&k.Fingerprint, &k.Player, &k.Label, &added, &used)
		k.Added, k.Used = moment(added), moment(used)
		return k, err
	})
	if err != nil {
		return nil, fmt.Errorf("listing keys: %w", err)
	}
	return keys, nil
}
