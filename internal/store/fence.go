package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// ErrFenced is returned for a change by a node that is not the active node of its
// cluster. A change that was waiting when the node lost its role may still have been
// stored, like a change whose context has ended.
var ErrFenced = errors.New("this node is not the active node")

// Fence allows a node to make changes only while it is the active node of its cluster.
type Fence interface {
	// Check returns [ErrFenced] if the transaction must not write because another node
	// may be active. If it returns nil, no other node can become active until the
	// transaction has ended.
	Check(ctx context.Context, tx *sql.Tx) error
	// Done returns a channel that is closed when the node is no longer active. Until
	// then, the node may regain its role and repeat transactions that Check refused.
	Done() <-chan struct{}
}

// fencePause is the pause before a refused transaction is repeated.
const fencePause = 20 * time.Millisecond

// fenced returns a channel that is closed when the store stops accepting changes, or nil
// if it always accepts them.
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

// isFenced reports whether the store no longer accepts changes.
func (db *database) isFenced() bool {
	select {
	case <-db.fenced:
		return true
	default:
		return false
	}
}

// mayRepeat pauses after a refused transaction, and reports whether to repeat it.
func (db *database) mayRepeat(err error) bool {
	if !errors.Is(err, ErrFenced) {
		return false
	}
	select {
	case <-time.After(fencePause):
		return true
	case <-db.fenced:
	case <-db.stop:
	}
	return false
}
