package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"broadside/internal/i18n"
)

// Fleet is a layout that a player keeps under a name.
type Fleet struct {
	Player  string // ID
	Name    string // one of a player has it, without regard to case
	RuleSet string // the name of the rules that it was saved with
	Layout  string // text of a layout file; at most MaxFleetText bytes
	Saved   time.Time
}

// How many fleets a player can keep, and how long the text of one is in bytes.
const (
	MaxFleets    = 20
	MaxFleetText = 1 << 10
)

// ErrTooManyFleets is why a fleet is not saved.
var ErrTooManyFleets = i18n.Errorf("you have %d saved fleets, which is the most there can be: remove one first", MaxFleets)

// SaveFleet keeps a fleet, in place of one of the same name. A player that there
// is not is [ErrNotFound]; one fleet too many is [ErrTooManyFleets].
func (s *Store) SaveFleet(ctx context.Context, f Fleet) error {
	err := errors.New("its text is too long")
	if len(f.Layout) <= MaxFleetText {
		err = s.change(ctx, func(t *tx) error { return t.saveFleet(f) })
	}
	if err != nil {
		return fmt.Errorf("saving the fleet %q: %w", f.Name, err)
	}
	return nil
}

func (t *tx) saveFleet(f Fleet) error {
	if _, err := t.name(f.Player); err != nil {
		return err
	}
	_, err := t.exec(`INSERT INTO fleets (player, folded, name, rules, layout, saved) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (player, folded) DO UPDATE SET name = excluded.name, rules = excluded.rules,
		layout = excluded.layout, saved = excluded.saved`,
		f.Player, foldFleet(f.Name), text(f.Name), text(f.RuleSet), text(f.Layout), micros(now()))
	if err != nil {
		return err
	}
	var n int
	if err := t.get(`SELECT COUNT(*) FROM fleets WHERE player = $1`, []any{f.Player}, &n); err != nil {
		return err
	}
	if n > MaxFleets {
		return ErrTooManyFleets // which takes it out again
	}
	return nil
}

// RemoveFleet forgets a player's fleet, or [ErrNotFound].
func (s *Store) RemoveFleet(ctx context.Context, player, name string) error {
	err := s.change(ctx, func(t *tx) error {
		return t.must(`DELETE FROM fleets WHERE player = $1 AND folded = $2`, player, foldFleet(name))
	})
	if err != nil {
		return fmt.Errorf("removing the fleet %q: %w", name, err)
	}
	return nil
}

// Fleets are the fleets that a player keeps, by name.
func (s *Store) Fleets(ctx context.Context, player string) ([]Fleet, error) {
	all, err := list(ctx, s, `SELECT player, name, rules, layout, saved FROM fleets WHERE player = $1 ORDER BY folded`,
		[]any{text(player)}, func(scan func(...any) error) (Fleet, error) {
			var f Fleet
			var saved int64
			err := scan(&f.Player, &f.Name, &f.RuleSet, &f.Layout, &saved)
			f.Saved = moment(saved)
			return f, err
		})
	if err != nil {
		return nil, fmt.Errorf("listing fleets: %w", err)
	}
	return all, nil
}

func foldFleet(name string) string { return strings.ToLower(text(name)) }
