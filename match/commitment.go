package match

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Opening returns the text whose hash is the commitment to a layout: the salt and the ships
// in the order of the fleet, in the format of [Ship.MarshalText], separated by spaces. The
// salt must be unguessable; otherwise an opponent could try all layouts.
func Opening(salt string, l Layout) string {
	words := make([]string, 1, 1+len(l))
	words[0] = salt
	for _, s := range l {
		text, _ := s.MarshalText() // never fails
		words = append(words, string(text))
	}
	return strings.Join(words, " ")
}

// Commitment returns the SHA-256 of an [Opening], in hexadecimal digits. It is published
// before the battle. It does not reveal the layout, and together with the opening it proves
// that the layout was not changed.
func Commitment(opening string) string {
	sum := sha256.Sum256([]byte(opening))
	return hex.EncodeToString(sum[:])
}
