package term

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// latinPositions pairs the letters of other keyboards with the keys at the same position on an
// American keyboard.
var latinPositions = pairLetters(
	"йцукенгшщзхъфывапролджэячсмитьбю", "qwertyuiop[]asdfghjkl;'zxcvbnm,.", // Russian
	"іїєґўјљњџ", "s]'`ojqwx", // Ukrainian, Belarusian and Serbian, where they differ
	"ςερτυθιοπασδφγηξκλζχψωβνμάέήίόύώ", "wertyuiopasdfghjklzxcvbnmaehioyv", // Greek
)

// latinShapes pairs capital letters with Latin letters that look the same.
var latinShapes = pairLetters(
	"АВЕЅІЈКМНОРСТУХ", "ABESIJKMHOPCTYX", // Cyrillic
	"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", // Greek
)

// pairLetters takes pairs of texts and maps each letter of a first text to the letter at the same place in
// the second.
func pairLetters(texts ...string) map[rune]rune {
	m := map[rune]rune{}
	for i := 0; i < len(texts); i += 2 {
		to := []rune(texts[i+1])
		for n, r := range []rune(texts[i]) {
			m[r] = to[n]
		}
	}
	return m
}

// LatinKey returns the key that a character on a keyboard with Cyrillic, Greek or full-width letters
// stands for: for a capital letter, the Latin one with the same shape, if any, and otherwise the key at
// the same position. It returns all other characters unchanged.
func LatinKey(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - '！' + '!'
	}
	if latin, ok := latinShapes[r]; ok {
		return latin
	}
	lower := unicode.ToLower(r)
	key, ok := latinPositions[lower]
	switch {
	case !ok:
		return r
	case lower != r:
		return unicode.ToUpper(key)
	}
	return key
}

// LatinCellName returns the name of a cell or row in Latin characters. Unlike for keys, a letter's shape
// also counts in lower case.
func LatinCellName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return r
		}
		return LatinKey(unicode.ToUpper(r))
	}, name)
}
