package store

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// Act is something that an operator did. What this package does for an
// operator it enters in the log by itself, in the same transaction; other acts
// are entered with [Store.Log].
type Act struct {
	At      time.Time // zero: now
	ID      string    // filled in by the store
	Actor   string    // the operator
	Act     string    // a word such as kick
	Subject string    // whom or what it was done to
	Details string
}

// Mark is where a list goes on after the act.
func (a Act) Mark() Mark { return Mark{a.At, a.ID} }

// Log enters an act of an operator in the log. Nothing takes it out again.
func (s *Store) Log(ctx context.Context, a Act) error {
	if err := s.change(ctx, func(t *tx) error { return t.log(a) }); err != nil {
		return fmt.Errorf("entering %q in the log: %w", a.Act, err)
	}
	return nil
}

func (t *tx) log(a Act) error {
	if a.At.IsZero() {
		a.At = now()
	}
	_, err := t.exec(`INSERT INTO acts (id, at, actor, act, subject, details) VALUES ($1, $2, $3, $4, $5, $6)`,
		NewID(), micros(a.At), text(a.Actor), text(a.Act), text(a.Subject), text(a.Details))
	return err
}

// Acts are at most limit acts of operators, newest first, after a mark.
func (s *Store) Acts(ctx context.Context, after Mark, limit int) ([]Act, error) {
	all, err := list(ctx, s, `SELECT id, at, actor, act, subject, details FROM acts
		WHERE (at, id) < ($1, $2) ORDER BY at DESC, id DESC LIMIT $3`, after.args(max(0, limit)),
		func(scan func(...any) error) (Act, error) {
			var a Act
			var at int64
			err := scan(&a.ID, &at, &a.Actor, &a.Act, &a.Subject, &a.Details)
			a.At = moment(at)
			return a, err
		})
	if err != nil {
		return nil, fmt.Errorf("reading the log of acts: %w", err)
	}
	return all, nil
}

// Ban keeps a key, or a network, out.
type Ban struct {
	ID          string // filled in by the store
	Fingerprint string // of a key; else empty
	Network     netip.Prefix
	Reason      string
	By          string    // the operator
	Added       time.Time // filled in by the store
	Expires     time.Time // zero: never
}

// Subject is what the ban keeps out, in a word.
func (b Ban) Subject() string {
	if b.Fingerprint != "" {
		return b.Fingerprint
	}
	return b.Network.String()
}

// AddBan stores a ban of either a key or a network, and returns it as stored.
func (s *Store) AddBan(ctx context.Context, b Ban) (Ban, error) {
	if (b.Fingerprint == "") == !b.Network.IsValid() {
		return Ban{}, errors.New("a ban is of a key or of a network, one of the two")
	}
	b.ID, b.Added, b.Expires = NewID(), now(), moment(micros(b.Expires))
	b.Fingerprint, b.Reason, b.By = text(b.Fingerprint), text(b.Reason), text(b.By)
	network := ""
	if b.Network.IsValid() {
		b.Network = b.Network.Masked()
		network = b.Network.String()
	}
	err := s.change(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO bans (id, fingerprint, network, reason, actor, added, expires)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`, b.ID, b.Fingerprint, network, b.Reason, b.By, micros(b.Added), micros(b.Expires))
		if err != nil {
			return err
		}
		return t.log(Act{Actor: b.By, Act: "ban", Subject: b.Subject(), Details: until(b.Expires, b.Reason)})
	})
	if err != nil {
		return Ban{}, fmt.Errorf("storing a ban of %s: %w", b.Subject(), err)
	}
	return b, nil
}

// until is how the log tells of an act that ends by itself.
func until(expires time.Time, reason string) string {
	if expires.IsZero() {
		return reason
	}
	return "until " + expires.UTC().Format(time.RFC3339) + ": " + reason
}

// Bans are the bans that have not expired at a time, oldest first.
func (s *Store) Bans(ctx context.Context, at time.Time) ([]Ban, error) {
	all, err := list(ctx, s, `SELECT id, fingerprint, network, reason, actor, added, expires FROM bans
		WHERE expires = 0 OR expires > $1 ORDER BY added, id`, []any{micros(at)}, scanBan)
	if err != nil {
		return nil, fmt.Errorf("listing bans: %w", err)
	}
	return all, nil
}

func scanBan(scan func(...any) error) (Ban, error) {
	var b Ban
	var network string
	var added, expires int64
	if err := scan(&b.ID, &b.Fingerprint, &network, &b.Reason, &b.By, &added, &expires); err != nil {
		return b, err
	}
	b.Added, b.Expires = moment(added), moment(expires)
	if network == "" {
		return b, nil
	}
	var err error
	b.Network, err = netip.ParsePrefix(network)
	return b, err
}

// LiftBan ends a ban, or [ErrNotFound].
func (s *Store) LiftBan(ctx context.Context, id, by string) error {
	err := s.change(ctx, func(t *tx) error {
		b, err := scanBan(func(dest ...any) error {
			return t.get(`SELECT id, fingerprint, network, reason, actor, added, expires FROM bans WHERE id = $1`, []any{text(id)}, dest...)
		})
		if err != nil {
			return err
		}
		if err := t.must(`DELETE FROM bans WHERE id = $1`, text(id)); err != nil {
			return err
		}
		return t.log(Act{Actor: by, Act: "unban", Subject: b.Subject()})
	})
	if err != nil {
		return fmt.Errorf("lifting the ban %q: %w", id, err)
	}
	return nil
}

// RenameBy gives a player another name by an operator's will. The errors are
// those of [Store.Rename].
func (s *Store) RenameBy(ctx context.Context, id, name, by string) error {
	err := s.change(ctx, func(t *tx) error {
		old, err := t.name(id)
		if err != nil {
			return err
		}
		if err := t.rename(id, name); err != nil {
			return err
		}
		return t.log(Act{Actor: by, Act: "rename", Subject: old, Details: "to " + name})
	})
	if err != nil {
		return fmt.Errorf("renaming to %q: %w", name, err)
	}
	return nil
}

// name is the name of a player, or [ErrNotFound].
func (t *tx) name(id string) (name string, err error) {
	err = t.get(`SELECT name FROM players WHERE id = $1`, []any{text(id)}, &name)
	return name, err
}

// Allow lets a player in during a lockdown, or [ErrNotFound] if there is no
// such account.
func (s *Store) Allow(ctx context.Context, player, by string) error {
	err := s.change(ctx, func(t *tx) error {
		name, err := t.name(player)
		if err != nil {
			return err
		}
		if _, err := t.exec(`INSERT INTO allowed (player, actor, added) VALUES ($1, $2, $3) ON CONFLICT (player) DO NOTHING`,
			player, text(by), micros(now())); err != nil {
			return err
		}
		return t.log(Act{Actor: by, Act: "allow", Subject: name})
	})
	if err != nil {
		return fmt.Errorf("allowing %q: %w", player, err)
	}
	return nil
}

// Disallow takes a player off the list of those who are let in during a
// lockdown, or [ErrNotFound] if the player is not on it.
func (s *Store) Disallow(ctx context.Context, player, by string) error {
	err := s.change(ctx, func(t *tx) error {
		if err := t.must(`DELETE FROM allowed WHERE player = $1`, player); err != nil {
			return err
		}
		name, err := t.name(player)
		if err != nil {
			return err
		}
		return t.log(Act{Actor: by, Act: "disallow", Subject: name})
	})
	if err != nil {
		return fmt.Errorf("disallowing %q: %w", player, err)
	}
	return nil
}

// Allowed are those who are let in during a lockdown, by name.
func (s *Store) Allowed(ctx context.Context) ([]Player, error) {
	all, err := list(ctx, s, `SELECT `+playerColumns+` FROM allowed JOIN players ON players.id = allowed.player
		ORDER BY players.folded`, nil, scanPlayer)
	if err != nil {
		return nil, fmt.Errorf("listing who is allowed in: %w", err)
	}
	return all, nil
}
