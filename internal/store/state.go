package store

import (
	"context"
	"fmt"
)

// State is what the server has to remember under a name, such as that there is
// a lockdown; empty if there is nothing.
func (s *Store) State(ctx context.Context, name string) (value string, err error) {
	err = s.get(ctx, `SELECT COALESCE((SELECT value FROM state WHERE name = $1), '')`, []any{text(name)}, &value)
	if err != nil {
		return "", fmt.Errorf("reading the state of %q: %w", name, err)
	}
	return value, nil
}

// SaveState remembers a value under a name. If it is an operator's act, it is
// entered in the log in the same transaction; else by is empty.
func (s *Store) SaveState(ctx context.Context, name, value, by string) error {
	err := s.change(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO state (name, value) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, text(name), text(value))
		if err != nil || by == "" {
			return err
		}
		return t.log(Act{Actor: by, Act: "set", Subject: name, Details: value})
	})
	if err != nil {
		return fmt.Errorf("saving the state of %q: %w", name, err)
	}
	return nil
}

// ChangeState remembers a value under a name if it is still the old one that is
// there; an empty one is none. It returns what is there then: of several servers
// that do so at once, all get the same.
func (s *Store) ChangeState(ctx context.Context, name, old, value string) (kept string, err error) {
	err = s.change(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO state (name, value) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE state.value = $3`, text(name), text(value), text(old))
		if err != nil {
			return err
		}
		return t.get(`SELECT value FROM state WHERE name = $1`, []any{text(name)}, &kept)
	})
	if err != nil {
		return "", fmt.Errorf("changing the state of %q: %w", name, err)
	}
	return kept, nil
}
