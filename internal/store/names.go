package store

import (
	"context"
	"fmt"
	"strings"
	"unicode"
)

// Skeleton returns what is left of a name without the differences that are easy
// to miss: case, - and _, l, I and 1, O and 0, e and 3, a and 4, s and 5, rn and
// m, vv and w. Names with the same skeleton count as one name. The migration
// that introduced it does the same in SQL.
func Skeleton(name string) string {
	bones := make([]byte, 0, 16)
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		name = fold(name)
	}
	for i := range len(name) {
		c, last := name[i], byte(0)
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if n := len(bones); n > 0 {
			last = bones[n-1]
		}
		switch {
		case c == '-' || c == '_':
		case last == 'r' && c == 'n':
			bones[len(bones)-1] = 'm'
		case last == 'v' && c == 'v':
			bones[len(bones)-1] = 'w'
		default:
			if at := strings.IndexByte("i10345", c); at >= 0 {
				c = "lloeas"[at]
			}
			bones = append(bones, c)
		}
	}
	return string(bones)
}

// claim makes a name, and all that look like it, those of a player. The error
// is [ErrNameTaken]. The names of built-in bots are nobody else's anyhow.
func (t *tx) claim(p Player) error {
	n, err := t.exec(`INSERT INTO skeletons (skeleton, player) VALUES ($1, $2) ON CONFLICT (skeleton) DO NOTHING`, Skeleton(p.Name), p.ID)
	if err == nil && n == 0 && p.Kind != Bot {
		return ErrNameTaken
	}
	return err
}

// PlayerLike is the account whose name is, or looks like, the given one, or
// [ErrNotFound].
func (s *Store) PlayerLike(ctx context.Context, name string) (Player, error) {
	p, err := scanPlayer(func(dest ...any) error {
		return s.get(ctx, `SELECT `+playerColumns+` FROM players LEFT JOIN skeletons ON skeletons.player = players.id
			WHERE players.folded = $1 OR skeletons.skeleton = $2 LIMIT 1`, []any{fold(name), Skeleton(name)}, dest...)
	})
	if err != nil {
		return Player{}, fmt.Errorf("looking for an account with a name like %q: %w", name, err)
	}
	return p, nil
}
