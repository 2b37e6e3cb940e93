// Package ladder pairs registered programs day and night for rated matches, and ranks them.
//
// [PairPlayers] pairs the programs that wait in a lobby. A [History] of recent opponents and their
// sides is kept in memory for each lobby. A restart therefore forgets return matches that are still
// due. A [Ladder] ranks players by the ratings and matches in the database, which are those of all
// worlds.
package ladder

import (
	"broadside/internal/store"
)

// Ladder ranks the programs. Its methods may be called from any goroutine.
type Ladder struct {
	store  *store.Store
	online func(account string) bool
	// reporting has capacity 1 and is full while a goroutine uses reports.
	reporting chan struct{}
	// reports holds the last reports, by rule set.
	reports map[string]Report
}

// New returns a store's ladder. online reports whether a program waits on the ladder or plays.
func New(s *store.Store, online func(account string) bool) *Ladder {
	return &Ladder{store: s, online: online, reporting: make(chan struct{}, 1), reports: map[string]Report{}}
}
