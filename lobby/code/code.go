// Package code creates and parses the codes that players type. They stand for a private match, a
// seat, or the account to which a key is linked.
package code

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"unicode/utf8"
)

// Lengths of codes, in letters and digits. SECURITY.md uses these numbers to calculate how long
// guessing a code takes.
const (
	// PrivateLength is the length of a private match's code.
	PrivateLength = 9
	// LinkLength is the length of a code that links a key to an account.
	LinkLength = 9
	// ResumeLength is the length of the code with which a guest resumes a match.
	ResumeLength = 12
)

// alphabet holds the letters and digits of codes. It leaves out I, L, O and U because
// they look like other characters.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// New returns a random code of n letters and digits, grouped by [GroupLetters].
func New(n int) string {
	code := make([]byte, n)
	rand.Read(code)
	return format(code)
}

// Derive returns the code of n letters and digits that belongs to a text. Anyone who knows the text knows the code.
func Derive(text string, n int) string {
	sum := sha256.Sum256([]byte(text))
	return format(sum[:n])
}

// format returns the code for random bytes.
func format(code []byte) string {
	for i := range code {
		// The alphabet's length, 32, divides 256, so all its letters and digits are equally likely.
		code[i] = alphabet[int(code[i])%len(alphabet)]
	}
	return GroupLetters(string(code), len(code))
}

// Parse returns the code in a text, with n letters and digits, grouped by [GroupLetters]. It
// returns false if the text is not a valid code.
func Parse(text string, n int) (string, bool) {
	letters, invalid := Letters(text)
	return GroupLetters(letters, n), invalid == "" && len(letters) == n
}

// Letters returns the letters and digits of a complete or partial code. It ignores case,
// spaces and hyphens, and replaces look-alike characters. invalid is the first character
// that is not allowed in codes, or empty.
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

// normalize returns the letter or digit for a typed character: O becomes 0, I and L
// become 1, and U becomes V. It returns false for a character that is not allowed.
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

// GroupLetters splits letters, a code of length n, into three groups separated by hyphens. The code
// may be incomplete.
func GroupLetters(letters string, n int) string {
	var b strings.Builder
	for i := range len(letters) {
		if i > 0 && i%(n/3) == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(letters[i])
	}
	return b.String()
}
