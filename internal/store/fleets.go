package store

import (
	"context"
	"errors"
	"strings"
	"time"

	"broadside/internal/i18n"
)

// Fleet is a saved layout.
type Fleet struct {
	// Player is the account's ID.
	Player string
	// Name is unique for a player, ignoring case.
	Name string
	// RuleSet is the name of the rules that the fleet was saved for.
	RuleSet string
	// Layout is the text of a layout file, of at most MaxFleetText bytes.
	Layout string
	Saved  time.Time
}

// Limits on saved fleets.
const (
	// MaxFleets is the number of fleets that a player can save.
	MaxFleets = 20
	// MaxFleetText is the maximum length of a Layout, in bytes.
	MaxFleetText = 1 << 10
)

// ErrTooManyFleets is returned if a player already has [MaxFleets] fleets.
var ErrTooManyFleets = i18n.Errorf("you have %d saved fleets, which is the limit: remove one first", MaxFleets)

// Fleets stores the layouts that players have saved.
type Fleets struct{ db *database }

// Save saves a fleet and replaces any fleet with the same name. The errors include
// [ErrNotFound] if the player does not exist, and [ErrTooManyFleets].
func (f Fleets) Save(ctx context.Context, fleet Fleet) error {
	if len(fleet.Layout) > MaxFleetText {
		return errors.New("the layout is too long")
	}
	return f.db.update(ctx, func(t *tx) error { return t.saveFleet(fleet) })
}

func (t *tx) saveFleet(f Fleet) error {
	_, err := t.exec(`INSERT INTO fleets (player, folded, name, rules, layout, saved) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (player, folded) DO UPDATE SET name = excluded.name, rules = excluded.rules,
		layout = excluded.layout, saved = excluded.saved`,
		f.Player, foldFleetName(f.Name), cleanText(f.Name), cleanText(f.RuleSet), cleanText(f.Layout), toMicros(now()))
	if err != nil {
		return err
	}
	var n int
	if err := t.get(`SELECT COUNT(*) FROM fleets WHERE player = $1`, []any{f.Player}, &n); err != nil {
		return err
	}
	if n > MaxFleets {
		// The error undoes the change.
		return ErrTooManyFleets
	}
	return nil
}

// Remove removes a player's fleet, or returns [ErrNotFound].
func (f Fleets) Remove(ctx context.Context, player, name string) error {
	return f.db.update(ctx, func(t *tx) error {
		return t.execOrNotFound(`DELETE FROM fleets WHERE player = $1 AND folded = $2`, player, foldFleetName(name))
	})
}

// ListByPlayer returns a player's fleets, ordered by name.
func (f Fleets) ListByPlayer(ctx context.Context, player string) ([]Fleet, error) {
	return listRows(ctx, f.db, `SELECT player, name, rules, layout, saved FROM fleets WHERE player = $1 ORDER BY folded`,
		[]any{cleanText(player)}, func(f *Fleet) []any {
			return []any{&f.Player, &f.Name, &f.RuleSet, &f.Layout, scanTime(&f.Saved)}
		})
}

func foldFleetName(name string) string { return strings.ToLower(cleanText(name)) }
