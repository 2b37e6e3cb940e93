package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// entry is a part of the journal, which has the events of running matches. match and seq identify it.
type entry struct {
	match string
	// seq is 0 for the start of the match, or the first event's number plus one.
	seq int
	// body is JSON.
	body []byte
}

// maxGroup is the number of entries with which a group is full.
const maxGroup = 100

// journal writes entries in groups: those that arrive while the previous group is being written. On
// SQLite, its connection does not wait for the disk. A later change by another connection syncs the
// entries, too. [Matches.Finish] removes a match's entries.
type journal struct {
	db    *database
	world string
	// onWrite is [Config].Journaled, and never nil.
	onWrite func(took time.Duration)

	mu sync.Mutex
	// next is the group that is not written yet, or nil if there is none. It is guarded by mu.
	next *group
}

type group struct {
	entries []entry
	// done is closed when the group is written. err is set before.
	done chan struct{}
	err  error
}

// append stores entries. Once it has returned nil, they survive the end of the process, and on
// PostgreSQL also a power failure. Entries that are already stored are ignored, so after an error
// the same entries can be appended again.
func (j *journal) append(ctx context.Context, entries ...entry) error {
	g := j.enqueue(entries)
	select {
	case <-g.done:
		return g.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enqueue adds entries to the next group.
func (j *journal) enqueue(entries []entry) *group {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.next == nil || len(j.next.entries)+len(entries) > maxGroup {
		g := &group{done: make(chan struct{})}
		j.next = g
		go j.writeGroup(g)
	}
	j.next.entries = append(j.next.entries, entries...)
	return j.next
}

func (j *journal) writeGroup(g *group) {
	began := time.Now()
	g.err = j.db.runUpdate(context.Background(), &j.db.engine.journal, func(t *tx) error {
		return t.insertEntries(j.world, j.closeGroup(g))
	})
	// This also closes a group whose transaction could not start.
	j.closeGroup(g)
	close(g.done)
	if g.err == nil {
		j.onWrite(time.Since(began))
	}
}

// closeGroup returns the group's entries. From then on, the group accepts no others.
func (j *journal) closeGroup(g *group) []entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.next == g {
		j.next = nil
	}
	return g.entries
}

func (t *tx) insertEntries(world string, entries []entry) error {
	args := []any{world}
	var rows []string
	for _, e := range entries {
		n := len(args)
		args = append(args, e.match, e.seq, e.body)
		rows = append(rows, fmt.Sprintf("($1, $%d, $%d, $%d)", n+1, n+2, n+3))
	}
	_, err := t.exec(`INSERT INTO journal (world, match, seq, body) VALUES `+strings.Join(rows, ", ")+` ON CONFLICT DO NOTHING`, args...)
	return err
}

// dropTailMatches removes the running matches of version 0.1.0, which kept their newest events in a file. Without
// those events, shots that players have seen would be undone.
func (db *database) dropTailMatches(ctx context.Context, folder string) error {
	file := filepath.Join(folder, "broadside.tail")
	_, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	db.log.Warn("ending the matches that version 0.1.0 was running, without a result", "file", file)
	if err := db.update(ctx, func(t *tx) error {
		_, err := t.exec(`DELETE FROM journal`)
		return err
	}); err != nil {
		return err
	}
	return os.Remove(file)
}
