package account

import (
	"slices"
	"strings"
)

// Ratings holds a player's ratings as shown on screens, each after its rule set, such as "classic
// 1512? naval 1630". It is a string because values of Player must be comparable.
type Ratings string

// Get returns the rating under a rule set, or "" if there is none.
func (r Ratings) Get(rules string) string {
	words := strings.Fields(string(r))
	i := slices.Index(words, rules)
	if i >= 0 {
		return words[i+1]
	}
	return ""
}

// Replace returns a copy of the ratings with a new one under a rule set.
func (r Ratings) Replace(rules, rating string) Ratings {
	words := strings.Fields(string(r))
	i := slices.Index(words, rules)
	if i >= 0 {
		words = slices.Delete(words, i, i+2)
	}
	return Ratings(strings.Join(append(words, rules, rating), " "))
}
