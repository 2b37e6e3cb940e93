package store

import (
	"context"
	"fmt"
	"strings"
	"time"
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

// nameQuestion asks whether an account has a name.
type nameQuestion struct {
	folded, skeleton string
	taken            bool
	err              error
	done             chan struct{} // closed when taken and err are set
}

// maxNames bounds the names that one query looks for.
const maxNames = 64

// IsTaken reports whether an account has a name, or one that looks like it. Programs
// connect by the thousand after an outage, so names that are asked for while one query
// runs share the next.
func (s *Store) IsTaken(ctx context.Context, name string) (bool, error) {
	q := &nameQuestion{folded: fold(name), skeleton: Skeleton(name), done: make(chan struct{})}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return false, ErrClosed
	}
	s.names = append(s.names, q)
	if !s.naming {
		s.naming = true
		s.work.Go(s.answerNames)
	}
	s.mu.Unlock()
	select {
	case <-q.done:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	if q.err != nil {
		return false, fmt.Errorf("looking for an account with a name like %q: %w", name, q.err)
	}
	return q.taken, nil
}

// answerNames answers the questions about names until there are none.
func (s *Store) answerNames() {
	for {
		s.mu.Lock()
		n := min(len(s.names), maxNames)
		batch := s.names[:n:n]
		s.names = s.names[n:]
		s.naming = n > 0
		s.mu.Unlock()
		if n == 0 {
			return
		}
		taken, err := s.takenNames(batch)
		for _, q := range batch {
			q.taken, q.err = taken["f"+q.folded] || taken["s"+q.skeleton], err
			close(q.done)
		}
	}
}

// takenNames returns which of the names and skeletons accounts have, each after f or s.
func (s *Store) takenNames(batch []*nameQuestion) (map[string]bool, error) {
	size := 1
	for size < len(batch) {
		size *= 8 // few sizes, so that few statements are prepared
	}
	args := make([]any, 2*size)
	folded, skeletons := make([]string, size), make([]string, size)
	for i := range size {
		q := batch[min(i, len(batch)-1)]
		args[i], args[size+i] = q.folded, q.skeleton
		folded[i], skeletons[i] = fmt.Sprint("$", i+1), fmt.Sprint("$", size+i+1)
	}
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	taken := map[string]bool{}
	_, err := list(ctx, s, `SELECT 'f' || folded FROM players WHERE folded IN (`+strings.Join(folded, ", ")+`)
		UNION ALL SELECT 's' || skeleton FROM skeletons WHERE skeleton IN (`+strings.Join(skeletons, ", ")+`)`, args,
		func(scan func(...any) error) (found string, err error) {
			err = scan(&found)
			taken[found] = true
			return found, err
		})
	return taken, err
}

// readTime bounds a query that several callers wait for.
const readTime = 10 * time.Second
