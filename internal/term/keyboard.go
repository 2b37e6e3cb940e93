package term

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// keyboards pairs the letters of other keyboards with the keys at the same position on an
// American keyboard.
var keyboards = pairs(
	"йцукенгшщзхъфывапролджэячсмитьбю", "qwertyuiop[]asdfghjkl;'zxcvbnm,.", // Russian
	"іїєґўјљњџ", "s]'`ojqwx", // Ukrainian, Belarusian and Serbian, where they differ
	"ςερτυθιοπασδφγηξκλζχψωβνμάέήίόύώ", "wertyuiopasdfghjklzxcvbnmaehioyv", // Greek
)

// shapes pairs capital letters with Latin letters that look the same.
var shapes = pairs(
	"АВЕЅІЈКМНОРСТУХ", "ABESIJKMHOPCTYX", // Cyrillic
	"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", // Greek
)

// pairs maps each letter of the first, third… text to the letter at its place in the next one.
func pairs(texts ...string) map[rune]rune {
	m := map[rune]rune{}
	for i := 0; i < len(texts); i += 2 {
		to := []rune(texts[i+1])
		for n, r := range []rune(texts[i]) {
			m[r] = to[n]
		}
	}
	return m
}

// LatinKey returns the key that a character stands for on a keyboard with Cyrillic, Greek or
// full-width letters: a capital letter for the Latin one of the same shape, others for the key
// at the same position. It returns all other characters unchanged.
func LatinKey(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - '！' + '!'
	}
	if latin, ok := shapes[r]; ok {
		return latin
	}
	lower := unicode.ToLower(r)
	key, ok := keyboards[lower]
	switch {
	case !ok:
		return r
	case lower != r:
		return unicode.ToUpper(key)
	}
	return key
}

// LatinCell returns the name of a cell or row in Latin characters, where it was typed on such
// a keyboard. The shape of a letter counts more than its position, in both cases.
func LatinCell(name string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return r
		}
		return LatinKey(unicode.ToUpper(r))
	}, name)
}
