package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"
)

// RegisteredProgram is a program with its token's times. They are zero if it has no token.
type RegisteredProgram struct {
	Player
	// Added is when the token was created, or zero if the program has none.
	Added time.Time
	// Used is when the token was used last, or zero if it never was.
	Used time.Time
}

// SecretPrefix is every token's prefix, so that scanners can recognize leaked tokens.
const SecretPrefix = "bs_"

// Programs stores the programs that people have registered, and the tokens with which programs sign in. It
// stores only hashes of tokens.
type Programs struct{ db *database }

// Register creates a token for a person's program and replaces the program's old token. A new program
// gets an account. An owner may have at most limit programs. The secret cannot be read again. The errors
// include [ErrNameTaken] if another player has the name, [ErrTooMany], and [ErrNotFound] if the owner does
// not exist.
func (ps Programs) Register(ctx context.Context, owner, name string, limit int) (_ Player, secret string, err error) {
	// A plain hash protects 120 random bits well enough.
	secret = SecretPrefix + NewID() + NewID()
	p, err := updateResult(ctx, ps.db, func(t *tx) (Player, error) {
		p, err := t.ensureProgram(owner, name, limit)
		if err != nil {
			return p, err
		}
		if _, err := t.exec(`DELETE FROM tokens WHERE player = $1`, p.ID); err != nil {
			return p, err
		}
		_, err = t.exec(`INSERT INTO tokens (hash, id, player, label, added, used) VALUES ($1, $2, $3, '', $4, 0)`,
			hashSecret(secret), NewID(), p.ID, toMicros(now()))
		return p, err
	})
	if err != nil {
		return Player{}, "", err
	}
	return p, secret, nil
}

func (t *tx) ensureProgram(owner, name string, limit int) (Player, error) {
	p, err := t.playerByName(name)
	switch {
	case err == nil && p.Kind == Program && p.Owner == owner:
		return p, nil
	case err == nil:
		return p, ErrNameTaken
	case !errors.Is(err, ErrNotFound):
		return p, err
	}
	p = newPlayer(name, Program)
	if err := t.get(`SELECT id FROM players WHERE id = $1 AND kind = 'person'`, []any{owner}, &p.Owner); err != nil {
		return p, err
	}
	var count int
	if err := t.get(`SELECT COUNT(*) FROM players WHERE owner = $1`, []any{owner}, &count); err != nil {
		return p, err
	}
	if count >= limit {
		return p, ErrTooMany
	}
	return p, t.createPlayer(p)
}

func hashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// FindByToken returns the program with a token, or [ErrNotFound]. It writes nothing, so invalid tokens do
// not slow down changes.
func (ps Programs) FindByToken(ctx context.Context, secret string) (p Player, err error) {
	err = ps.db.get(ctx, `SELECT `+playerColumns+` FROM players JOIN tokens ON tokens.player = players.id
		WHERE tokens.hash = $1`, []any{hashSecret(secret)}, p.scanTargets()...)
	return p, err
}

// MarkTokenUsed records that a token was used now, or returns [ErrNotFound].
func (ps Programs) MarkTokenUsed(ctx context.Context, secret string) error {
	return ps.db.update(ctx, func(t *tx) error {
		return t.execOrNotFound(`UPDATE tokens SET used = $1 WHERE hash = $2`, toMicros(now()), hashSecret(secret))
	})
}

// ListByOwner returns a person's programs, oldest first.
func (ps Programs) ListByOwner(ctx context.Context, owner string) ([]RegisteredProgram, error) {
	return listRows(ctx, ps.db, `SELECT `+playerColumns+`, COALESCE(tokens.added, 0), COALESCE(tokens.used, 0)
		FROM players LEFT JOIN tokens ON tokens.player = players.id
		WHERE players.owner = $1 ORDER BY players.created, players.id`, []any{cleanText(owner)}, func(p *RegisteredProgram) []any {
		return append(p.Player.scanTargets(), scanTime(&p.Added), scanTime(&p.Used))
	})
}

// RevokeToken removes the token of a person's program and returns the program, which
// keeps its account. The error is [ErrNotFound] if the person has no such program or the
// program has no token.
func (ps Programs) RevokeToken(ctx context.Context, owner, name string) (Player, error) {
	return updateResult(ctx, ps.db, func(t *tx) (Player, error) {
		p, err := t.playerByName(name)
		if err == nil && p.Owner != owner {
			err = ErrNotFound
		}
		if err != nil {
			return p, err
		}
		return p, t.execOrNotFound(`DELETE FROM tokens WHERE player = $1`, p.ID)
	})
}
