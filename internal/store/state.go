package store

import "context"

// State has named values that the server remembers, such as whether there is a lockdown.
type State struct{ db *database }

// Get returns the value with a name, or "" if there is none.
func (s State) Get(ctx context.Context, name string) (value string, err error) {
	defer annotate(&err, "reading the state of %q", name)
	err = s.db.get(ctx, `SELECT COALESCE((SELECT value FROM state WHERE name = $1), '')`, []any{text(name)}, &value)
	return value, err
}

// Set sets the value with a name. If it is an operator's action, by is the operator's
// name and the action is added to the audit log.
func (s State) Set(ctx context.Context, name, value, by string) (err error) {
	defer annotate(&err, "saving the state of %q", name)
	return s.db.change(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO state (name, value) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, text(name), text(value))
		if err != nil || by == "" {
			return err
		}
		return t.logAct(Act{Actor: by, Act: "set", Subject: name, Details: value})
	})
}

// SetIfUnchanged sets the value with a name if it is still old, where "" means none. It
// returns the value afterwards: if several servers do so at once, all get the same.
func (s State) SetIfUnchanged(ctx context.Context, name, old, value string) (_ string, err error) {
	defer annotate(&err, "changing the state of %q", name)
	return changeTo(ctx, s.db, func(t *tx) (kept string, err error) {
		_, err = t.exec(`INSERT INTO state (name, value) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE state.value = $3`, text(name), text(value), text(old))
		if err == nil {
			err = t.get(`SELECT value FROM state WHERE name = $1`, []any{text(name)}, &kept)
		}
		return kept, err
	})
}
