// Package narrate describes matches in words: shots and their answers, endings, rules and
// clocks. All frontends use it, so that they use the same wording.
//
// Callers must make player names safe to display before passing them in.
package narrate
