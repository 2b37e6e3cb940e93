package store

import (
	"context"
	"time"
)

// Act is an operator's action.
type Act struct {
	// At is set to the current time if it is zero.
	At time.Time
	// ID is filled in by the store.
	ID string
	// Actor is the operator's name.
	Actor string
	// Verb is what the operator did, such as kick.
	Verb string
	// Subject is what the action applies to, such as a player.
	Subject string
	Details string
}

// Audit is the audit log of operators' actions. Other methods of the store add entries in the same
// transaction as the action. Entries are never removed.
type Audit struct{ db *database }

// Add logs an action.
func (a Audit) Add(ctx context.Context, act Act) error {
	return a.db.update(ctx, func(t *tx) error { return t.addAuditEntry(act) })
}

func (t *tx) addAuditEntry(a Act) error {
	if a.At.IsZero() {
		a.At = now()
	}
	_, err := t.exec(`INSERT INTO acts (id, at, actor, act, subject, details) VALUES ($1, $2, $3, $4, $5, $6)`,
		NewID(), toMicros(a.At), cleanText(a.Actor), cleanText(a.Verb), cleanText(a.Subject), cleanText(a.Details))
	return err
}

// List returns at most limit actions after a cursor, newest first.
func (a Audit) List(ctx context.Context, after Cursor, limit int) ([]Act, error) {
	return listRows(ctx, a.db, `SELECT id, at, actor, act, subject, details FROM acts
		WHERE (at, id) < ($1, $2) ORDER BY at DESC, id DESC LIMIT $3`, after.queryArgs(max(0, limit)), func(a *Act) []any {
		return []any{&a.ID, scanTime(&a.At), &a.Actor, &a.Verb, &a.Subject, &a.Details}
	})
}
