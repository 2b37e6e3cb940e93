package store

import (
	"context"
	"fmt"
	"time"
)

// Mute keeps a player from talking to anybody.
type Mute struct {
	Player  string // ID
	Reason  string
	By      string    // the operator
	Added   time.Time // filled in by the store
	Expires time.Time // zero: never
}

// Mute silences a player, or [ErrNotFound]. It replaces an earlier mute of the
// same player.
func (s *Store) Mute(ctx context.Context, m Mute) error {
	err := s.change(ctx, func(t *tx) error {
		name, err := t.name(m.Player)
		if err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO mutes (player, reason, actor, added, expires) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (player) DO UPDATE SET reason = excluded.reason, actor = excluded.actor,
			added = excluded.added, expires = excluded.expires`,
			m.Player, text(m.Reason), text(m.By), micros(now()), micros(m.Expires))
		if err != nil {
			return err
		}
		return t.log(Act{Actor: m.By, Act: "mute", Subject: name, Details: until(m.Expires, m.Reason)})
	})
	if err != nil {
		return fmt.Errorf("muting %q: %w", m.Player, err)
	}
	return nil
}

// Unmute lets a player talk again, or [ErrNotFound] if the player is not muted.
func (s *Store) Unmute(ctx context.Context, player, by string) error {
	err := s.change(ctx, func(t *tx) error {
		if err := t.must(`DELETE FROM mutes WHERE player = $1`, player); err != nil {
			return err
		}
		name, err := t.name(player)
		if err != nil {
			return err
		}
		return t.log(Act{Actor: by, Act: "unmute", Subject: name})
	})
	if err != nil {
		return fmt.Errorf("unmuting %q: %w", player, err)
	}
	return nil
}

// Mutes are the mutes that have not expired at a time, oldest first.
func (s *Store) Mutes(ctx context.Context, at time.Time) ([]Mute, error) {
	all, err := list(ctx, s, `SELECT player, reason, actor, added, expires FROM mutes
		WHERE expires = 0 OR expires > $1 ORDER BY added, player`, []any{micros(at)}, func(scan func(...any) error) (Mute, error) {
		var m Mute
		var added, expires int64
		err := scan(&m.Player, &m.Reason, &m.By, &added, &expires)
		m.Added, m.Expires = moment(added), moment(expires)
		return m, err
	})
	if err != nil {
		return nil, fmt.Errorf("listing mutes: %w", err)
	}
	return all, nil
}

// Ignore notes for good that a player does not want to hear another one, or
// [ErrNotFound].
func (s *Store) Ignore(ctx context.Context, player, other string) error {
	err := s.change(ctx, func(t *tx) error {
		for _, id := range []string{player, other} {
			if _, err := t.name(id); err != nil {
				return err
			}
		}
		_, err := t.exec(`INSERT INTO ignored (player, other) VALUES ($1, $2) ON CONFLICT (player, other) DO NOTHING`, player, other)
		return err
	})
	if err != nil {
		return fmt.Errorf("ignoring %q: %w", other, err)
	}
	return nil
}

// Heed takes back [Store.Ignore]; [ErrNotFound] if the other one was heard
// anyway.
func (s *Store) Heed(ctx context.Context, player, other string) error {
	err := s.change(ctx, func(t *tx) error {
		return t.must(`DELETE FROM ignored WHERE player = $1 AND other = $2`, player, other)
	})
	if err != nil {
		return fmt.Errorf("heeding %q: %w", other, err)
	}
	return nil
}

// Ignored are those whom a player does not want to hear, by name.
func (s *Store) Ignored(ctx context.Context, player string) ([]Player, error) {
	all, err := list(ctx, s, `SELECT `+playerColumns+` FROM ignored JOIN players ON players.id = ignored.other
		WHERE ignored.player = $1 ORDER BY players.folded`, []any{text(player)}, scanPlayer)
	if err != nil {
		return nil, fmt.Errorf("listing who is ignored: %w", err)
	}
	return all, nil
}
