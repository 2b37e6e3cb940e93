package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Token is what an external bot is let in by. The secret itself is not stored.
type Token struct {
	ID     string // to revoke it by
	Player string // the ID of the account it opens
	Label  string
	Added  time.Time
	Used   time.Time // last; zero if never
}

// NewToken makes a token for a player, or [ErrNotFound]. The secret is shown
// this once and cannot be had again.
func (s *Store) NewToken(ctx context.Context, player, label string) (t Token, secret string, err error) {
	t = Token{ID: NewID(), Player: player, Label: text(label), Added: now()}
	secret = "bs_" + NewID() + NewID() // 120 random bits: no hash of it can be undone by guessing
	err = s.change(ctx, func(tx *tx) error {
		if err := tx.get(`SELECT id FROM players WHERE id = $1`, []any{player}, new(string)); err != nil {
			return err
		}
		_, err := tx.exec(`INSERT INTO tokens (hash, id, player, label, added, used) VALUES ($1, $2, $3, $4, $5, 0)`,
			hash(secret), t.ID, player, t.Label, micros(t.Added))
		return err
	})
	if err != nil {
		return Token{}, "", fmt.Errorf("making a token: %w", err)
	}
	return t, secret, nil
}

func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// PlayerByToken is the account that a token opens, or [ErrNotFound]. It notes
// the use.
func (s *Store) PlayerByToken(ctx context.Context, secret string) (Player, error) {
	var p Player
	err := s.change(ctx, func(t *tx) (err error) {
		if err := t.must(`UPDATE tokens SET used = $1 WHERE hash = $2`, micros(now()), hash(secret)); err != nil {
			return err
		}
		p, err = scanPlayer(func(dest ...any) error {
			return t.get(`SELECT `+playerColumns+` FROM players JOIN tokens ON tokens.player = players.id
				WHERE tokens.hash = $1`, []any{hash(secret)}, dest...)
		})
		return err
	})
	if err != nil {
		return Player{}, fmt.Errorf("looking for the account of a token: %w", err)
	}
	return p, nil
}

// Tokens are the tokens that open an account, oldest first.
func (s *Store) Tokens(ctx context.Context, player string) ([]Token, error) {
	all, err := list(ctx, s, `SELECT id, player, label, added, used FROM tokens WHERE player = $1 ORDER BY added, id`,
		[]any{text(player)}, func(scan func(...any) error) (Token, error) {
			var t Token
			var added, used int64
			err := scan(&t.ID, &t.Player, &t.Label, &added, &used)
			t.Added, t.Used = moment(added), moment(used)
			return t, err
		})
	if err != nil {
		return nil, fmt.Errorf("listing tokens: %w", err)
	}
	return all, nil
}

// RevokeToken makes a player's token worthless; [ErrNotFound] if the player has
// no such token.
func (s *Store) RevokeToken(ctx context.Context, player, id string) error {
	err := s.change(ctx, func(t *tx) error {
		return t.must(`DELETE FROM tokens WHERE id = $1 AND player = $2`, text(id), player)
	})
	if err != nil {
		return fmt.Errorf("revoking the token %q: %w", id, err)
	}
	return nil
}
