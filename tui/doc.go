// Package tui is the screens: what a person sees and does in the lobby, while
// placing a fleet, in battle and after it.
//
// A [Model] is a Bubble Tea model for one session. It holds a visit to the
// lobby and at most one match to play; what it shows of a match is the last
// update its mailbox gave it, never the match itself. Nothing in Update waits:
// mailboxes, offers and the lobby's news are received in commands, one at a
// time each, which end with the session's context.
//
// In a hot seat, two people at one terminal, the session has both seats, and
// shows one of them at a time; between the two nothing is shown.
//
// Screens are plain structs, one file each. Colours and glyphs live in
// theme.go, boards are drawn in board.go, sentences that more than one screen
// says are in text.go.
package tui
