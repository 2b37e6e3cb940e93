// Package election decides which of several nodes serves players.
//
// [Start] uses a lock in PostgreSQL to decide which node is active. The node that becomes
// active gets an [Active], which says whether it may answer and guards its writes.
package election

import (
	"cmp"
	"log/slog"
	"time"
)

// Config holds the settings that the parts of a node share.
type Config struct {
	// DSN locates the store's database. The connection must be direct, because
	// connection poolers break locks and notifications.
	DSN string
	// World is the name of the nodes that elect one active node. Empty means main.
	World string
	// NodeID is this node's address for other nodes.
	NodeID string
	// Log may be nil.
	Log *slog.Logger
	// slack multiplies the time limits of the election: 1, except in tests.
	timeScale time.Duration
}

func (c Config) withDefaults() Config {
	c.World = cmp.Or(c.World, "main")
	c.timeScale = cmp.Or(c.timeScale, 1)
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	return c
}
