// Package spelling suggests corrections of misspelled names.
package spelling

import "strings"

// maxCompared is how many bytes of a word are compared.
const maxCompared = 40

// Nearest returns the name most similar to a word, or an empty string if none is similar.
func Nearest(word string, names []string) string {
	word = strings.ToLower(word[:min(len(word), maxCompared)])
	best, least := "", min(2, len(word)/2)+1
	for _, name := range names {
		d := editDistance(name, word)
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// editDistance returns how many bytes of a must be inserted, removed, replaced or swapped with the next one
// to get b.
func editDistance(a, b string) int {
	// before is the row above the last one.
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				change = min(change, before[j-1]+1)
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
		}
		before, last = last, row
	}
	return last[len(b)]
}
