package i18n

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// counted matches a number and the word after it.
var counted = regexp.MustCompile(`%(?:\[\d\])?d (\pL+)`)

// unchanging are words after numbers that are the same after one.
var unchanging = strings.Fields(`
	of to and more not finished min h d j T afloat online placed waiting watching on per hit fired s or by
	von bis und mehr ohne fertig übrig gesetzt der getroffen abgegeben genannt gewonnen weniger oder sein auf je
	sur de à et hors en du fois ou par
	a y más sin menos o por`)

// neverOne are the texts whose numbers are limits, sizes or lengths greater than one.
var neverOne = []Key{
	"board size %d×%d: choose %d to %d cells per side", "clock %v: choose 0 for none, or %d to %d seconds", "a tournament needs a name of at most %d characters", "the layout file is too long: at most %d bytes, not %d", "a match code has %d letters and digits, such as K3F-97W-QXM", "a name has %d to %d letters, digits, - and _, and starts with a letter",
	"the reason is too long: at most %d characters", "a Swiss tournament has 1 to %d rounds", "At most %d characters fit here.", "the message is too long: at most %d characters fit on every screen", "%d ships: choose %d to %d",
	"%d ships do not fit on %d×%d: choose a size from %d or fewer ships", "%d to %d cells per side", "%d to %d seconds per shot, 0 for none", "That line is too long: %d characters at most.", "The board has %d rows, from A to %s, and %d columns.",
	"the program is already waiting on the ladder with %d connections", "The time per shot is %d to %d seconds, or off.", "the %s is %d cells long, not %d", "the %s (%d cells) is not placed", "the %s would be on %s, where one of the last %d shots fell",
	"%s has length %d: ships must be %d to %d cells long", "%s, %d cells", "%s, %d seconds per shot", "you already follow %d players: unfollow one first", "no player can be in more than %d tournaments at once",
	"you have %d saved fleets, which is the limit: remove one first", "you can have %d open offers, but only one to each player: withdraw an offer first",
	"It is your turn in %d matches. Type turns.", "one of you is playing %d correspondence matches, which is the limit: finish one first", "you have registered %d programs, which is the limit: use one of them", "you already have %d unfinished tournaments: end one first",
	// The number is a puzzle's.
	"Which shot hits most likely? To answer: puzzle %d CELL",
}

// TestTextsReadWellWithOne checks that each text with a count has plural forms, unless the word after the
// number stays the same.
func TestTextsReadWellWithOne(t *testing.T) {
	found := 0
	check := func(language string, key Key, text string) {
		if slices.Contains(neverOne, key) {
			found++
			return
		}
		for _, m := range counted.FindAllStringSubmatch(text, -1) {
			found++
			if !strings.Contains(string(key), "||") && !slices.Contains(unchanging, m[1]) {
				t.Errorf("%v: %s = %q needs a plural form for one %s", language, key, text, m[1])
			}
		}
	}
	for _, c := range catalogs()[1:] {
		for key, forms := range c.translations() {
			check(c.tag.String(), key, forms[len(forms)-1])
			check("en", key, key.pluralForms()[0])
		}
	}
	if found < 300 {
		t.Errorf("found only %d counts", found)
	}
}
