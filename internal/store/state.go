package store

import "context"

// State stores named values of the server, such as whether a lockdown is active.
type State struct{ db *database }

// Get returns a named value, or "" if it is not set.
func (s State) Get(ctx context.Context, name string) (value string, err error) {
	err = s.db.get(ctx, `SELECT COALESCE((SELECT value FROM state WHERE name = $1), '')`, []any{cleanText(name)}, &value)
	return value, err
}

// Set sets a named value. If by is not empty, it is the operator's name for the audit log.
func (s State) Set(ctx context.Context, name, value, by string) error {
	return s.db.update(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO state (name, value) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, cleanText(name), cleanText(value))
		if err != nil || by == "" {
			return err
		}
		return t.addAuditEntry(Act{Actor: by, Verb: "set", Subject: name, Details: value})
	})
}

// SetIfUnchanged sets a named value if its current value is old, where "" means not set. It returns the
// resulting value. If several servers call it at the same time, all get the same value.
func (s State) SetIfUnchanged(ctx context.Context, name, old, value string) (string, error) {
	return updateResult(ctx, s.db, func(t *tx) (current string, err error) {
		_, err = t.exec(`INSERT INTO state (name, value) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE state.value = $3`, cleanText(name), cleanText(value), cleanText(old))
		if err != nil {
			return "", err
		}
		err = t.get(`SELECT value FROM state WHERE name = $1`, []any{cleanText(name)}, &current)
		return current, err
	})
}
