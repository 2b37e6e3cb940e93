package store

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"time"
)

// Ban denies access to a key or to a network.
type Ban struct {
	// ID is filled in by the store.
	ID string
	// Fingerprint is that of a banned key, or empty.
	Fingerprint string
	Network     netip.Prefix
	Reason      string
	// By is the operator's name.
	By string
	// Added is filled in by the store.
	Added time.Time
	// Expires is zero if the ban does not expire.
	Expires time.Time
}

// Subject returns the banned key or network.
func (b Ban) Subject() string {
	return cmp.Or(b.Fingerprint, b.Network.String())
}

const banColumns = `id, fingerprint, network, reason, actor, added, expires`

func (b *Ban) scanTargets() []any {
	network := scanInto(&b.Network, func(s string) (netip.Prefix, error) {
		if s == "" {
			return netip.Prefix{}, nil
		}
		return netip.ParsePrefix(s)
	})
	return []any{&b.ID, &b.Fingerprint, network, &b.Reason, &b.By, scanTime(&b.Added), scanTime(&b.Expires)}
}

// Bans has the bans of keys and networks.
type Bans struct{ db *database }

// Add stores a ban of a key or a network and returns it as stored.
func (bs Bans) Add(ctx context.Context, b Ban) (Ban, error) {
	if (b.Fingerprint == "") == !b.Network.IsValid() {
		return Ban{}, errors.New("a ban needs either a key or a network")
	}
	b.ID, b.Added, b.Expires = NewID(), now(), fromMicros(toMicros(b.Expires))
	b.Fingerprint, b.Reason, b.By = cleanText(b.Fingerprint), cleanText(b.Reason), cleanText(b.By)
	network := ""
	if b.Network.IsValid() {
		b.Network = b.Network.Masked()
		network = b.Network.String()
	}
	return updateResult(ctx, bs.db, func(t *tx) (Ban, error) {
		_, err := t.exec(`INSERT INTO bans (`+banColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			b.ID, b.Fingerprint, network, b.Reason, b.By, toMicros(b.Added), toMicros(b.Expires))
		if err != nil {
			return b, err
		}
		return b, t.addAuditEntry(Act{Actor: b.By, Verb: "ban", Subject: b.Subject(), Details: describeExpiry(b.Expires, b.Reason)})
	})
}

// describeExpiry returns the audit log's text for an action that may expire.
func describeExpiry(expires time.Time, reason string) string {
	if expires.IsZero() {
		return reason
	}
	return "until " + expires.UTC().Format(time.RFC3339) + ": " + reason
}

// ListActive returns the bans that have not expired at a time, oldest first.
func (bs Bans) ListActive(ctx context.Context, at time.Time) ([]Ban, error) {
	return listRows(ctx, bs.db, `SELECT `+banColumns+` FROM bans
		WHERE expires = 0 OR expires > $1 ORDER BY added, id`, []any{toMicros(at)}, (*Ban).scanTargets)
}

// Lift ends a ban, or returns [ErrNotFound].
func (bs Bans) Lift(ctx context.Context, id, by string) error {
	return bs.db.update(ctx, func(t *tx) error {
		var b Ban
		if err := t.get(`DELETE FROM bans WHERE id = $1 RETURNING `+banColumns, []any{cleanText(id)}, b.scanTargets()...); err != nil {
			return err
		}
		return t.addAuditEntry(Act{Actor: by, Verb: "unban", Subject: b.Subject()})
	})
}
