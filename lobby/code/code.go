// Package code makes and reads the codes that people type: those of private
// matches, of seats and of links between keys and accounts.
package code

import (
	"crypto/rand"
	"strings"
	"unicode/utf8"
)

// The number of letters and digits in each kind of code. SECURITY.md derives from
// them how long it takes to guess a code.
const (
	PrivateLength = 9  // of a private match
	LinkLength    = 9  // of a link to an account
	ResumeLength  = 12 // of a guest's seat
)

// alphabet has the letters and digits of codes. I, L, O and U are left out because
// they look like others.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// New returns a random code of n letters and digits, in groups as [Group] writes them.
func New(n int) string {
	code := make([]byte, n)
	rand.Read(code)
	for i := range code {
		code[i] = alphabet[int(code[i])%len(alphabet)] // 32 divides 256, so all are equally likely
	}
	return Group(string(code), n)
}

// Parse returns the code of n letters and digits that a text stands for, in groups as
// [Group] writes them. It returns false if the text is no such code.
func Parse(text string, n int) (string, bool) {
	letters, invalid := Letters(text)
	return Group(letters, n), invalid == "" && len(letters) == n
}

// Letters returns the letters and digits of a whole or partial code in a text. Upper
// and lower case are the same, look-alike characters are replaced, and spaces and
// hyphens are left out. invalid is the first character that no code contains, or empty.
func Letters(text string) (letters, invalid string) {
	var all []byte
	for _, c := range text {
		if c == ' ' || c == '-' {
			continue
		}
		letter, ok := normalize(c)
		if ok {
			all = append(all, letter)
		} else if invalid == "" {
			invalid = string(c)
		}
	}
	return string(all), invalid
}

// normalize returns the letter or digit that a typed character stands for: O is 0, I
// and L are 1, and U is V. It returns false if there is none.
func normalize(c rune) (byte, bool) {
	switch {
	case c >= 'a' && c <= 'z':
		c -= 'a' - 'A'
	case c >= utf8.RuneSelf:
		return 0, false
	}
	switch c {
	case 'O':
		c = '0'
	case 'I', 'L':
		c = '1'
	case 'U':
		c = 'V'
	}
	return byte(c), strings.IndexByte(alphabet, byte(c)) >= 0
}

// Group separates the letters of a code of length n into three groups with hyphens.
// The code may be incomplete.
func Group(letters string, n int) string {
	var b strings.Builder
	for i := range len(letters) {
		if i > 0 && i%(n/3) == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(letters[i])
	}
	return b.String()
}
