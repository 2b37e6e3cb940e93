// Package spelling finds what somebody may have meant by a word.
package spelling

import "strings"

// longest is how much of a word is looked at, in bytes.
const longest = 40

// Nearest is the one of some names that is most like a word; empty if none is
// like it.
func Nearest(word string, names []string) string {
	word = strings.ToLower(word[:min(len(word), longest)])
	best, least := "", min(2, len(word)/2)+1
	for _, name := range names {
		if d := distance(name, word); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is the least number of letters to insert, delete or change that
// makes b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
