package store

import (
	"context"
	"strings"
	"time"
	"unicode"
)

// Skeleton returns a name in which characters that look alike are the same: upper and lower case, l, I
// and 1, O and 0, e and 3, a and 4, s and 5, rn and m, vv and w. It leaves out - and _. Two accounts cannot
// have names with the same skeleton. The migration that introduced skeletons has the same rules in SQL.
func Skeleton(name string) string {
	skeleton := make([]byte, 0, 16)
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		name = foldCase(name)
	}
	for i := range len(name) {
		c := name[i]
		if c == '-' || c == '_' {
			continue
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		var last byte
		if len(skeleton) > 0 {
			last = skeleton[len(skeleton)-1]
		}
		switch {
		case last == 'r' && c == 'n':
			skeleton[len(skeleton)-1] = 'm'
		case last == 'v' && c == 'v':
			skeleton[len(skeleton)-1] = 'w'
		default:
			at := strings.IndexByte("i10345", c)
			if at >= 0 {
				c = "lloeas"[at]
			}
			skeleton = append(skeleton, c)
		}
	}
	return string(skeleton)
}

// NameReserve is how long a former name stays reserved for its account, so that no one else
// can pretend to be that player.
const NameReserve = 30 * 24 * time.Hour

// reserveName reserves the skeleton of a player's name, or returns [ErrNameTaken]. A built-in bot keeps
// its name even if another account has reserved it.
func (t *tx) reserveName(p Player) error {
	n, err := t.exec(`INSERT INTO skeletons (skeleton, player) VALUES ($1, $2)
		ON CONFLICT (skeleton) DO UPDATE SET player = excluded.player, until = excluded.until
		WHERE skeletons.until <= $3 OR skeletons.player = excluded.player`, Skeleton(p.Name), p.ID, toMicros(now()))
	if err == nil && n == 0 && p.Kind != Bot {
		return ErrNameTaken
	}
	return err
}

// IsNameTaken reports whether an account has the name or a name with the same skeleton.
func (a Accounts) IsNameTaken(ctx context.Context, name string) (taken bool, err error) {
	err = a.db.get(ctx, `SELECT EXISTS (SELECT 1 FROM players WHERE folded = $1)
		OR EXISTS (SELECT 1 FROM skeletons WHERE skeleton = $2 AND until > $3)`,
		[]any{foldCase(name), Skeleton(name), toMicros(now())}, &taken)
	return taken, err
}
