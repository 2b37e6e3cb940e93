// Package ladder pairs registered programs day and night for rated matches, and ranks them.
//
// [PairPlayers] pairs the programs that wait in a lobby. Who has met whom lately, and with which
// sides, is kept in memory and belongs to this lobby alone: after a restart, second matches of a
// pair that are still due are forgotten. The rankings of a [Ladder] come from the database, whose
// ratings and matches are those of all worlds.
package ladder

import (
	"broadside/internal/store"
)

// Ladder ranks the programs. Its methods may be called from any goroutine.
type Ladder struct {
	store     *store.Store
	online    func(account string) bool
	reporting chan struct{}     // capacity 1: full while a goroutine uses reports
	reports   map[string]Report // the last ones, by rule set
}

// New returns a store's ladder. online reports whether a program waits on the ladder or plays.
func New(s *store.Store, online func(account string) bool) *Ladder {
	return &Ladder{store: s, online: online, reporting: make(chan struct{}, 1), reports: map[string]Report{}}
}
