package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"broadside/internal/store/batch"
)

// Skeleton returns a name with easily confused characters unified: upper and lower case,
// - and _, l, I and 1, O and 0, e and 3, a and 4, s and 5, rn and m, vv and w. Two
// accounts cannot have names with the same skeleton. The migration that introduced
// skeletons implements the same rules in SQL.
func Skeleton(name string) string {
	skeleton := make([]byte, 0, 16)
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		name = fold(name)
	}
	for i := range len(name) {
		c, last := name[i], byte(0)
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if n := len(skeleton); n > 0 {
			last = skeleton[n-1]
		}
		switch {
		case c == '-' || c == '_':
		case last == 'r' && c == 'n':
			skeleton[len(skeleton)-1] = 'm'
		case last == 'v' && c == 'v':
			skeleton[len(skeleton)-1] = 'w'
		default:
			if at := strings.IndexByte("i10345", c); at >= 0 {
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

// reserveName reserves the skeleton of a player's name, or returns [ErrNameTaken]. A
// built-in bot always keeps its name.
func (t *tx) reserveName(p Player) error {
	n, err := t.exec(`INSERT INTO skeletons (skeleton, player) VALUES ($1, $2)
		ON CONFLICT (skeleton) DO UPDATE SET player = excluded.player, until = excluded.until
		WHERE skeletons.until <= $3 OR skeletons.player = excluded.player`, Skeleton(p.Name), p.ID, micros(now()))
	if err == nil && n == 0 && p.Kind != Bot {
		return ErrNameTaken
	}
	return err
}

// IsTaken reports whether an account has the name or a name with the same skeleton. After
// an outage, thousands of programs connect at once, so lookups that arrive during a query
// share the next one.
func (a Accounts) IsTaken(ctx context.Context, name string) (_ bool, err error) {
	defer annotate(&err, "looking for an account with a name like %q", name)
	return a.names.Get(ctx, name)
}

const (
	maxNames     = 64               // per query
	nameDuration = 10 * time.Second // maximum duration of a query
)

// newNames looks up whether names are taken. Queries stay prepared until the database is
// closed: each connection of a client needs one, and preparing it takes longer than the lookup.
func newNames(db *database) *batch.Lookups[string, bool] {
	prepared := map[int]*sql.Stmt{} // by the number of names; Find is called by one goroutine at a time
	return &batch.Lookups[string, bool]{Max: maxNames, Start: db.start, Find: func(names []string) ([]bool, error) {
		return db.namesTaken(prepared, names)
	}}
}

// namesTaken reports which of the names accounts have, or names with the same skeleton.
func (db *database) namesTaken(prepared map[int]*sql.Stmt, names []string) (taken []bool, err error) {
	size := 1
	for size < len(names) {
		size *= 8 // few sizes, to prepare few queries
	}
	ctx, cancel := context.WithTimeout(context.Background(), nameDuration)
	defer cancel()
	if prepared[size] == nil {
		if prepared[size], err = db.prepareNames(ctx, size); err != nil {
			delete(prepared, size)
			return nil, err
		}
	}
	args := make([]any, 2*size+1)
	args[2*size] = micros(now())
	for i := range size {
		name := names[min(i, len(names)-1)]
		args[i], args[size+i] = fold(name), Skeleton(name)
	}
	rows, err := prepared[size].QueryContext(ctx, args...)
	found, err := scanAll(rows, err, itself[string])
	for _, name := range names {
		taken = append(taken, slices.Contains(found, "f"+fold(name)) || slices.Contains(found, "s"+Skeleton(name)))
	}
	return taken, err
}

func (db *database) prepareNames(ctx context.Context, size int) (*sql.Stmt, error) {
	numbers := make([]string, 2*size)
	for i := range numbers {
		numbers[i] = fmt.Sprint("$", i+1)
	}
	return db.read.PrepareContext(ctx, `SELECT 'f' || folded FROM players WHERE folded IN (`+strings.Join(numbers[:size], ", ")+`)
		UNION ALL SELECT 's' || skeleton FROM skeletons WHERE skeleton IN (`+strings.Join(numbers[size:], ", ")+fmt.Sprintf(`) AND until > $%d`, 2*size+1))
}
