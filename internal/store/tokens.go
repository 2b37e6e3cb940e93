package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Registered is an external bot that a person has registered, and its token, by
// which it is let in. The secret itself is not stored.
type Registered struct {
	Player
	Added time.Time // when the token was made; zero if the program has none
	Used  time.Time // when it was shown last; zero if never
}

// SecretPrefix begins the secret of every token, so that it is known for one where
// it must not be.
const SecretPrefix = "bs_"

// RegisterProgram makes a token for an external bot of a person, who has at
// most so many: the former one of the same bot is worthless from now on. A bot
// that there is not yet gets an account. The secret is shown this once and
// cannot be had again. The errors are [ErrNameTaken] if the name is somebody
// else's, [ErrTooMany], and [ErrNotFound] if there is no such person.
func (s *Store) RegisterProgram(ctx context.Context, owner, name string, most int) (p Player, secret string, err error) {
	secret = SecretPrefix + NewID() + NewID() // 120 random bits: no hash of it can be undone by guessing
	err = s.change(ctx, func(t *tx) error {
		if p, err = t.program(owner, name, most); err != nil {
			return err
		}
		if _, err := t.exec(`DELETE FROM tokens WHERE player = $1`, p.ID); err != nil {
			return err
		}
		_, err := t.exec(`INSERT INTO tokens (hash, id, player, label, added, used) VALUES ($1, $2, $3, '', $4, 0)`,
			hash(secret), NewID(), p.ID, micros(now()))
		return err
	})
	if err != nil {
		return Player{}, "", fmt.Errorf("making a token for the program %q: %w", name, err)
	}
	return p, secret, nil
}

// program is a person's program with a name, made if there is none.
func (t *tx) program(owner, name string, most int) (Player, error) {
	p, err := scanPlayer(func(dest ...any) error {
		return t.get(`SELECT `+playerColumns+` FROM players WHERE folded = $1`, []any{fold(name)}, dest...)
	})
	switch {
	case err == nil && p.Kind == Program && p.Owner == owner:
		return p, nil
	case err == nil:
		return p, ErrNameTaken
	case err != ErrNotFound:
		return p, err
	}
	p = Player{ID: NewID(), Name: text(name), Kind: Program, Owner: owner, Settings: []byte("{}"), Created: now()}
	if err := t.get(`SELECT id FROM players WHERE id = $1 AND kind = 'person'`, []any{owner}, &p.Owner); err != nil {
		return p, err
	}
	var count int
	if err := t.get(`SELECT COUNT(*) FROM players WHERE owner = $1`, []any{owner}, &count); err != nil {
		return p, err
	}
	if count >= most {
		return p, ErrTooMany
	}
	return p, t.createPlayer(p)
}

func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// PlayerByToken is the account that a token opens, or [ErrNotFound]. A wrong
// token does not bother the disk's only writer.
func (s *Store) PlayerByToken(ctx context.Context, secret string) (Player, error) {
	p, err := s.player(ctx, `SELECT `+playerColumns+` FROM players JOIN tokens ON tokens.player = players.id
		WHERE tokens.hash = $1`, hash(secret))
	if err != nil {
		return Player{}, fmt.Errorf("looking for the account of a token: %w", err)
	}
	return p, nil
}

// TokenUsed notes that a token was shown.
func (s *Store) TokenUsed(ctx context.Context, secret string) error {
	err := s.change(ctx, func(t *tx) error {
		return t.must(`UPDATE tokens SET used = $1 WHERE hash = $2`, micros(now()), hash(secret))
	})
	if err != nil {
		return fmt.Errorf("noting the use of a token: %w", err)
	}
	return nil
}

// Programs are the programs of a person, oldest first.
func (s *Store) Programs(ctx context.Context, owner string) ([]Registered, error) {
	all, err := list(ctx, s, `SELECT `+playerColumns+`, COALESCE(tokens.added, 0), COALESCE(tokens.used, 0)
		FROM players LEFT JOIN tokens ON tokens.player = players.id
		WHERE players.owner = $1 ORDER BY players.created, players.id`,
		[]any{text(owner)}, func(scan func(...any) error) (Registered, error) {
			var p Registered
			var added, used int64
			var err error
			p.Player, err = scanPlayer(func(dest ...any) error { return scan(append(dest, &added, &used)...) })
			p.Added, p.Used = moment(added), moment(used)
			return p, err
		})
	if err != nil {
		return nil, fmt.Errorf("listing programs: %w", err)
	}
	return all, nil
}

// RevokeToken makes the token of a person's program worthless and returns the
// program, which keeps its account; [ErrNotFound] if the person has no such
// program, or the program no token.
func (s *Store) RevokeToken(ctx context.Context, owner, name string) (Player, error) {
	var p Player
	err := s.change(ctx, func(t *tx) (err error) {
		p, err = scanPlayer(func(dest ...any) error {
			return t.get(`SELECT `+playerColumns+` FROM players WHERE folded = $1 AND owner = $2`, []any{fold(name), owner}, dest...)
		})
		if err != nil {
			return err
		}
		return t.must(`DELETE FROM tokens WHERE player = $1`, p.ID)
	})
	if err != nil {
		return Player{}, fmt.Errorf("revoking the token of %q: %w", name, err)
	}
	return p, nil
}
