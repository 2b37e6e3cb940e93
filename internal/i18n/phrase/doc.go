// Package phrase says what happens in a match, as people would: shots and their
// answers, endings, rules and clocks. All doors to a match speak through it, so
// that they say the same things in the same words.
//
// Names of players come in as they are to be shown: who calls has made them fit
// for where they go.
package phrase
