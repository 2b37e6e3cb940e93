package store

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"
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

// reserveName reserves the skeleton of a player's name, or returns [ErrNameTaken]. A
// built-in bot always keeps its name.
func (t *tx) reserveName(p Player) error {
	n, err := t.exec(`INSERT INTO skeletons (skeleton, player) VALUES ($1, $2) ON CONFLICT (skeleton) DO NOTHING`, Skeleton(p.Name), p.ID)
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
	return a.names.isTaken(ctx, name)
}

// names looks up many names with few queries.
type names struct {
	db *database

	mu      sync.Mutex
	waiting []*nameLookup // guarded by mu
	running bool          // guarded by mu; run is running
}

// nameLookup is a name to look up and the result.
type nameLookup struct {
	folded, skeleton string
	taken            bool
	err              error
	done             chan struct{} // closed when taken and err are set
}

const (
	maxNames     = 64               // per query
	nameDuration = 10 * time.Second // maximum duration of a query
)

func (n *names) isTaken(ctx context.Context, name string) (bool, error) {
	l := &nameLookup{folded: fold(name), skeleton: Skeleton(name), done: make(chan struct{})}
	if err := n.add(l); err != nil {
		return false, err
	}
	select {
	case <-l.done:
		return l.taken, l.err
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// add queues a lookup and starts run if necessary.
func (n *names) add(l *nameLookup) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.running {
		if err := n.db.start(n.run); err != nil {
			return err
		}
		n.running = true
	}
	n.waiting = append(n.waiting, l)
	return nil
}

// run carries out lookups until none are waiting.
func (n *names) run() {
	for {
		n.mu.Lock()
		count := min(len(n.waiting), maxNames)
		batch := n.waiting[:count:count]
		n.waiting = n.waiting[count:]
		n.running = count > 0
		n.mu.Unlock()
		if count == 0 {
			return
		}
		taken, err := n.taken(batch)
		for _, l := range batch {
			l.taken, l.err = taken["f"+l.folded] || taken["s"+l.skeleton], err
			close(l.done)
		}
	}
}

// taken returns the names and skeletons that accounts have, prefixed with f or s.
func (n *names) taken(batch []*nameLookup) (map[string]bool, error) {
	size := 1
	for size < len(batch) {
		size *= 8 // few sizes, to prepare few statements
	}
	args := make([]any, 2*size)
	folded, skeletons := make([]string, size), make([]string, size)
	for i := range size {
		l := batch[min(i, len(batch)-1)]
		args[i], args[size+i] = l.folded, l.skeleton
		folded[i], skeletons[i] = fmt.Sprint("$", i+1), fmt.Sprint("$", size+i+1)
	}
	ctx, cancel := context.WithTimeout(context.Background(), nameDuration)
	defer cancel()
	found, err := list(ctx, n.db, `SELECT 'f' || folded FROM players WHERE folded IN (`+strings.Join(folded, ", ")+`)
		UNION ALL SELECT 's' || skeleton FROM skeletons WHERE skeleton IN (`+strings.Join(skeletons, ", ")+`)`, args, itself[string])
	taken := make(map[string]bool, len(found))
	for _, name := range found {
		taken[name] = true
	}
	return taken, err
}
