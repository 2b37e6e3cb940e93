// Package spelling suggests corrections of misspelled names.
package spelling

import "strings"

// longest is the number of bytes of a word that are compared.
const longest = 40

// Nearest returns the name most similar to a word, or an empty string if none is similar.
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

// distance returns the Levenshtein distance of a and b, in bytes.
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
