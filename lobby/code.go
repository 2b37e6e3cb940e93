package lobby

import (
	"crypto/rand"
	"strings"
	"unicode/utf8"

	"broadside/internal/i18n"
)

// How many letters and digits the codes have. SECURITY.md derives from these
// numbers how long it takes to guess one. Codes are written in three groups.
const (
	CodeLength   = 9  // of a room
	LinkLength   = 9  // of a link to an account
	ResumeLength = 12 // of a guest's seat
)

// Why text is not the code of a room, a seat or a link.
var (
	ErrCode     = i18n.Errorf("a room code has %d letters and digits, such as K3F-97W-QXM", CodeLength)
	ErrLinkCode = i18n.Errorf("this link code is wrong, used or expired: ask for a new one on the other machine")
	ErrNoResume = i18n.Errorf("no running match has this resume code: check it and try again")
)

// codeLetters are the letters and digits of codes, without I, L, O
// and U: see [codeLetter].
const codeLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// codeLetter is the letter or digit of a code that a typed character stands for,
// in upper or lower case: O is 0, I and L are 1, U is V. It returns false if
// there is none.
func codeLetter(c rune) (byte, bool) {
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
	return byte(c), strings.IndexByte(codeLetters, byte(c)) >= 0
}

// CodeLetters are the letters and digits of a code, or of a part of one, in text
// as it was typed: upper and lower case are the same, and characters that look
// like one of a code stand for it. Spaces and hyphens are left out. Unfit is the
// first character that is in no code; empty if there is none.
func CodeLetters(text string) (letters, unfit string) {
	var all []byte
	for _, c := range text {
		if c == ' ' || c == '-' {
			continue
		}
		letter, ok := codeLetter(c)
		if ok {
			all = append(all, letter)
		} else if unfit == "" {
			unfit = string(c)
		}
	}
	return string(all), unfit
}

// newCode is a code of n letters and digits that nobody can predict.
func newCode(n int) string {
	code := make([]byte, n)
	rand.Read(code)
	for i := range code {
		code[i] = codeLetters[int(code[i])%len(codeLetters)] // 32 divides 256: all are equally likely
	}
	return GroupCode(string(code), n)
}

// GroupCode writes the letters of a code of length n in its three groups. Fewer
// letters are written as far as they go.
func GroupCode(letters string, n int) string {
	var b strings.Builder
	for i := range len(letters) {
		if i > 0 && i%(n/3) == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(letters[i])
	}
	return b.String()
}

// readCode is a code of n letters and digits as [newCode] writes it, from text
// as it was typed. It returns false if the text is no such code.
func readCode(text string, n int) (string, bool) {
	letters, unfit := CodeLetters(text)
	return GroupCode(letters, n), unfit == "" && len(letters) == n
}

// ParseCode is the code of a room from text as it was typed; [ErrCode] if it is
// none.
func ParseCode(text string) (string, error) {
	code, ok := readCode(text, CodeLength)
	if !ok {
		return "", ErrCode
	}
	return code, nil
}
