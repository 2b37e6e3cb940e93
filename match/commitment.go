package match

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Opening returns the text that opens the commitment to a layout: the salt and the
// ships in the order of the fleet, each as [Ship.MarshalText] writes it, with a
// space between one and the next. The salt is a word that nobody can guess;
// without it, all layouts could be tried.
func Opening(salt string, l Layout) string {
	words := make([]string, 1, 1+len(l))
	words[0] = salt
	for _, s := range l {
		text, _ := s.MarshalText() // it has no errors
		words = append(words, string(text))
	}
	return strings.Join(words, " ")
}

// Commitment is what is told of a layout before a battle: the SHA-256 of its
// [Opening], in hexadecimal digits. It tells nothing of the layout, and once
// the opening is known as well, everybody can see that the layout was never
// another one.
func Commitment(opening string) string {
	sum := sha256.Sum256([]byte(opening))
	return hex.EncodeToString(sum[:])
}
