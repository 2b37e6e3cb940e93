package ladder

import (
	"slices"
	"time"
)

// maxRecentOpponents is how many of a player's last opponents count as recent.
const maxRecentOpponents = 12

// History holds which ladder matches players have started under one rule set. Players are
// identified by their accounts.
type History struct {
	// firsts counts matches by the accounts of the first and the second side.
	firsts map[[2]string]int
	// recent holds a player's last opponents, newest last, at most maxRecentOpponents.
	recent map[string][]string
	// blocked is until when two players cannot play rated matches.
	blocked map[[2]string]time.Time
}

// NewHistory returns a history without matches.
func NewHistory() *History {
	return &History{firsts: map[[2]string]int{}, recent: map[string][]string{}, blocked: map[[2]string]time.Time{}}
}

// Add adds a match that has started.
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

// firstSideBalance returns how many more of their matches a has played as the first side than b. It
// is 0 if each was first equally often.
func (h *History) firstSideBalance(a, b string) int {
	return h.firsts[[2]string{a, b}] - h.firsts[[2]string{b, a}]
}
