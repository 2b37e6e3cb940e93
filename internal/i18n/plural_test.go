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
	of to and more not finished min afloat online placed waiting watching on per hit fired s or by
	von bis und mehr ohne fertig übrig gesetzt der getroffen abgegeben genannt gewonnen weniger oder sein auf je
	sur de à et hors en du fois ou par
	a y más sin menos o por`)

// neverOne are the texts whose numbers are limits, sizes or lengths greater than one.
var neverOne = []Key{
	"a-board-of-n-n", "a-clock-of-x-to", "a-cup-needs-a-name", "a-layout-file-has-at", "a-match-code-has-n", "a-name-has-n-to",
	"a-reason-has-at-most", "a-swiss-cup-has-rounds", "at-most-n-characters", "at-most-n-characters-fit", "n-ships-choose-n-to",
	"n-ships-do-not-fit", "n-to-n-cells-per", "n-to-n-seconds-per", "that-line-is-too-long", "the-board-has-n-rows",
	"the-program-waits-on-the", "the-time-per-shot-is", "the-x-is-n-cells", "the-x-n-cells-is", "the-x-would-lie-at",
	"x-has-length-n-ships", "x-n-cells", "x-n-seconds-per-shot", "you-follow-n-players-already", "you-have-joined-too-many-cups",
	"you-have-n-saved-fleets", "you-have-registered-n-programs", "you-have-too-many-cups",
}

// TestTextsReadWellWithOne checks that each text with a count has plural forms, unless the word after the
// number stays the same.
func TestTextsReadWellWithOne(t *testing.T) {
	found := 0
	for _, c := range catalogs() {
		for key, text := range c.texts() {
			if slices.Contains(neverOne, key) {
				found++
				continue
			}
			for _, m := range counted.FindAllStringSubmatch(text.other, -1) {
				found++
				if text.forms == nil && !slices.Contains(unchanging, m[1]) {
					t.Errorf("%v: %s = %q needs a plural form for one %s", c.tag, key, text.other, m[1])
				}
			}
		}
	}
	if found < 300 {
		t.Errorf("only %d counts were found", found)
	}
}
