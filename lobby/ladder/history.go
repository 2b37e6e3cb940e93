package ladder

import (
	"slices"
	"time"
)

// maxRecentOpponents is how many of a player's last opponents count as recent.
const maxRecentOpponents = 12

// History says which ladder matches players have started under one rule set. Players are accounts.
type History struct {
	firsts  map[[2]string]int       // matches between the first and the second side
	recent  map[string][]string     // a player's last opponents, newest last, at most remembered
	blocked map[[2]string]time.Time // until when two players cannot play rated matches
}

// NewHistory returns a history without matches.
func NewHistory() *History {
	return &History{firsts: map[[2]string]int{}, recent: map[string][]string{}, blocked: map[[2]string]time.Time{}}
}

// Add adds a match that has begun.
func (h *History) Add(first, second string) {
	h.firsts[[2]string{first, second}]++
	for _, p := range [2][2]string{{first, second}, {second, first}} {
		last := append(h.recent[p[0]], p[1])
		h.recent[p[0]] = slices.Clone(last[max(0, len(last)-maxRecentOpponents):])
	}
}

// BlockPair records that two players cannot play another rated match on now's UTC day.
func (h *History) BlockPair(a, b string, now time.Time) {
	h.blocked[[2]string{min(a, b), max(a, b)}] = now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
}

func (h *History) isBlocked(a, b string, now time.Time) bool {
	return now.Before(h.blocked[[2]string{min(a, b), max(a, b)}])
}

// firstSideBalance returns how many more matches a has begun as the first side against b than b against
// a. It is 0 if the sides have been swapped as often.
func (h *History) firstSideBalance(a, b string) int {
	return h.firsts[[2]string{a, b}] - h.firsts[[2]string{b, a}]
}
