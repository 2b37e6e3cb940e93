package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// ErrFenced is returned for a change by a node that is not the active node of its
// cluster. A change that was waiting when the node lost its role may have been
// stored, like one whose context ended.
var ErrFenced = errors.New("this node is not the active node")

// Fence admits the changes of a node only while it is the active node of its
// cluster.
type Fence interface {
	// Check returns [ErrFenced] if the transaction must not write because another
	// node may be active. After nil, no other node can become active until the
	// transaction has ended.
	Check(ctx context.Context, tx *sql.Tx) error
	// Done returns a channel that is closed when the node is no longer active. While
	// it is open, the node may get its role back, and repeat what Check refused.
	Done() <-chan struct{}
}

// fencePause is the pause before a transaction that was refused is repeated.
const fencePause = 20 * time.Millisecond

// fenced returns a channel that is closed when the store accepts no changes; nil if
// it always does.
func (c Config) fenced() <-chan struct{} {
	switch {
	case c.ReadOnly:
		closed := make(chan struct{})
		close(closed)
		return closed
	case c.Fence != nil:
		return c.Fence.Done()
	}
	return nil
}

// isFenced reports whether the store accepts no changes.
func (db *database) isFenced() bool {
	select {
	case <-db.fenced:
		return true
	default:
		return false
	}
}

// mayRepeat waits for a moment after a transaction was refused, and reports whether
// to try again.
func (w *writer) mayRepeat(err error) bool {
	if !errors.Is(err, ErrFenced) {
		return false
	}
	select {
	case <-time.After(fencePause):
	case <-w.db.fenced:
		return false
	}
	w.db.mu.Lock()
	defer w.db.mu.Unlock()
	return !w.db.closed
}
